"""The rules of English make of fixed texts what they made before (tests.english.golden)."""

import pytest

from tests.english.golden.kept import kept
from tests.english.golden.outcomes import FAMILIES, codes

EACH = {"verdicts": 16}  # one in so many, where all would take more than a second; the command looks at all


@pytest.mark.parametrize("family", FAMILIES)
def test_outcomes_are_the_same(family):
    each = EACH.get(family, 1)

    assert list(codes(family, each=each)) == kept(family)[::each]

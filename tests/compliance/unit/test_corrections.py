"""What a person types for a requirement has its limits."""

import pytest
from django.core.exceptions import ValidationError

from desks.compliance.frameworks.reading.draft import LONGEST_TITLE
from desks.compliance.frameworks.services import Correction


def test_the_field_that_is_too_long_is_named() -> None:
    with pytest.raises(ValidationError) as refused:
        Correction(ref="1", title="x" * 1284, domain="", text="", is_assessable=True).columns()
    assert refused.value.messages == [
        f"The title has 1,284 characters; {LONGEST_TITLE} are allowed. Nothing was changed."
    ]

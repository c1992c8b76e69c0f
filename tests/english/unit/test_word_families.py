"""Words that are made of one another."""

import pytest

from english.word_families import base, family
from text.stems import stem


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("payment", "pay"),
        ("payable", "pay"),
        ("liability", "liable"),
        ("insurance", "insured"),
        ("termination", "terminate"),
        ("renewal", "renew"),
        ("rental", "rent"),
        ("compliance", "comply"),
        ("approval", "approve"),
        ("delivery", "deliver"),
        ("expiry", "expire"),
    ],
)
def test_a_noun_is_of_the_family_of_its_verb(one: str, other: str) -> None:
    assert base(stem(one)) == base(stem(other))
    assert stem(other) in family(stem(one), [stem(other)])


@pytest.mark.parametrize(
    ("one", "other"),
    [("party", "part"), ("county", "count"), ("statement", "state"), ("metal", "met"), ("final", "fin")],
)
def test_words_that_only_look_alike_are_of_none(one: str, other: str) -> None:
    assert stem(other) not in family(stem(one), [stem(other)])

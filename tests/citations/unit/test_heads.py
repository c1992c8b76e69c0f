"""What is said of "the owner of the shop" is not said of the shop, whatever the first noun is."""

import pytest

from citations.support import check_support

HEADS = ["owner", "director", "draft", "copy", "price", "approval", "delay", "brother", "auditor", "list"]


@pytest.mark.parametrize("head", HEADS)
def test_what_is_said_of_a_part_or_a_person_is_not_said_of_the_whole(head: str) -> None:
    quote = f"The {head} of the bank was announced in March."
    assert check_support("The bank was announced in March.", quote).support != "supported"
    assert check_support(f"The {head} of the bank was announced in March.", quote).support == "supported"


def test_two_nouns_before_it_change_nothing() -> None:
    quote = "Our review of contracts was completed in May."
    assert check_support("Contracts were completed in May.", quote).support != "supported"

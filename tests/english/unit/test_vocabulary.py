"""Whether texts have a word, however it is spelt there."""

import pytest

from english.vocabulary import Vocabulary

TEXT = """John F. Kennedy was shot in Dallas. The winner got $1.5 million; fiscal 2022 was good. Mueller lives
in Zuerich, Straße 5. It was assas-
sinated. Sales in thousands: 1,234 and 56.7. By e-mail. For the time being. Being late is bad."""


@pytest.mark.parametrize(
    "word",
    [
        "Kennedy's",
        "KENNEDY",
        "winners",
        "lived",
        "dollars",
        "get",
        "shooting",
        "Müller",
        "Muller",
        "MÜLLER",
        "Zürich",
        "Zurich",
        "strasse",
        "assassinated",
        "email",
        "e-mails",
        "1,500,000",
        "1.500.000",
        "1500000",
        "1.5",
        "1,234,000",
        "0.567",
        "2022",
        "FY2022",
    ],
)
def test_a_word_is_there_in_another_spelling(word: str) -> None:
    assert Vocabulary([TEXT]).has(word)


@pytest.mark.parametrize("word", ["Boeing", "Peru", "Texas", "Miller", "1,600,000", "2019", "FY2019"])
def test_another_word_is_absent(word: str) -> None:
    assert Vocabulary([TEXT]).absent([word]) == [word]


def test_words_without_spaces_between_them_are_not_called_absent() -> None:
    assert Vocabulary(["東京に住んでいます"]).absent(["東京"]) == []


@pytest.mark.parametrize(
    ("word", "others"),
    [("Kenedy", {"Kennedy"}), ("Dall", {"Dallas"}), ("Quux", set())],
)
def test_slips_and_beginnings_are_found(word: str, others: set[str]) -> None:
    assert others <= Vocabulary([TEXT]).resembling([word])[word]
    assert bool(others) == bool(Vocabulary([TEXT]).resembling([word])[word])


def test_a_name_is_no_common_word() -> None:
    known = Vocabulary([TEXT])
    assert known.is_common("Being")
    assert not known.is_common("Dallas")

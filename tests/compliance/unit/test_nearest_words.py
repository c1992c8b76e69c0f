"""Without a model: which words of the nearest passages are shown for a part of a requirement."""

from desks.compliance.checks.nearest_words import NearestWords
from desks.compliance.checks.searching import Searched
from retrieval.evidence import Evidence

CONTRACT = (
    "The Supplier may use subcontractors and the Customer may object to that. "
    "The Supplier shall back up Customer Data every night and shall test the restoration of a backup. "
    "The Customer shall pay the charges of the Supplier within thirty days."
)
QUESTIONS = (
    "B1 Are staff trained in security? Every year. B2 How long do you keep backups? For 90 days by default."
)


def passage(number: int, text: str, *, document: int = 1, start: int = 0) -> Evidence:
    return Evidence(
        chunk_id=number,
        document_id=document,
        document_title="Agreement",
        first_page=1,
        last_page=1,
        start=start,
        end=start + len(text),
        text=text,
        score=1.0,
    )


def shown(part: str, *passages: Evidence, title: str = "Backups") -> list[str]:
    return shown_for([part], *passages, title=title)[0]


def shown_for(parts: list[str], *passages: Evidence, title: str = "") -> list[list[str]]:
    keys = [f"p{place}" for place in range(len(passages))]
    found = dict(zip(keys, passages, strict=True))
    searched = Searched(title=title, parts=parts, nearest=[keys] * len(parts), passages=found)
    return [[place.quote for place in places] for places in NearestWords(searched).of_parts(2)]


def test_the_sentence_with_the_rare_words_is_shown_not_the_one_with_the_common_ones() -> None:
    words = shown(
        "it tests that they can be restored by the Supplier and the Customer.", passage(1, CONTRACT)
    )
    assert len(words) == 1
    assert words[0].startswith("The Supplier shall back up Customer Data")


def test_a_question_brings_its_answer() -> None:
    assert shown("it says how long they are kept", passage(1, QUESTIONS)) == [
        "B2 How long do you keep backups? For 90 days by default."
    ]


def test_passages_that_overlap_show_a_sentence_once() -> None:
    second = CONTRACT.index("shall back up")
    words = shown(
        "restoration of a backup", passage(1, CONTRACT), passage(2, CONTRACT[second:], start=second)
    )
    assert sum("restoration" in quote for quote in words) == 1


def test_where_no_word_is_shared_the_nearest_passage_is_shown() -> None:
    assert shown("penetration exercises", passage(1, CONTRACT), title="Resilience") == [CONTRACT[:420]]


def test_what_one_part_shows_no_other_shows_again() -> None:
    parts = ["penetration exercises", "restoration of a backup", "a backup every night"]
    nothing, backups, again = shown_for(parts, passage(1, CONTRACT))
    assert backups[0].startswith("The Supplier shall back up")
    assert again == [], "the same sentence"
    assert nothing == [], "a passage that begins with nothing of it holds that sentence"


def test_a_sentence_that_stands_twice_in_a_document_is_shown_once() -> None:
    night = "Backups are made every night."
    assert shown("nightly backups", passage(1, night), passage(2, night, start=900)) == [night]
    assert len(shown("nightly backups", passage(1, night), passage(2, night, document=2))) == 2


def test_a_word_of_the_title_says_more_than_one_of_the_wording() -> None:
    text = (
        "12.1 The Supplier shall lock the premises at night. "
        "12.4 The Customer may audit the Supplier once a year on fifteen days' notice."
    )
    words = shown("An auditor may inspect the premises.", passage(1, text), title="Audit")
    assert words[0].startswith("12.4 The Customer may audit")

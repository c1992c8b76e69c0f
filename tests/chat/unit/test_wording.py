"""How a turn ended, in words: never more than the search has shown."""

import pytest

from chat.models import Citation, Turn, TurnStatus
from chat.wording import COPIED, explanation, headline, statements, work_done
from citations.choices import OnPage, Support
from datasources.models import Document, DocumentStatus


def nothing_found(**values: object) -> Turn:
    return Turn(status=TurnStatus.NOT_FOUND, **values)


def test_that_no_document_answers_is_said_only_after_a_complete_search() -> None:
    complete = {"complete": True, "words_absent": ["Dublin"], "unread": 0}
    assert headline(nothing_found(search=complete)) == "Not found in your documents"
    assert explanation(nothing_found(search=complete)).startswith(
        "None of the documents answers this. This word is nowhere in the documents: “Dublin”."
    )
    for search in ({}, complete | {"complete": False}):
        turn = nothing_found(search=search)
        assert headline(turn) == "No passage stood out"
        assert "answers this. One may still do so." in explanation(turn)
        assert "None of the documents" not in explanation(turn)


def test_an_answer_that_broke_off_unproven_is_not_said_to_be_nowhere() -> None:
    turn = nothing_found(search={}, notices=[{"code": "broken_off", "text": "The connection broke."}])
    assert headline(turn) == "The answer broke off before its first source"
    assert "found no passage" not in explanation(turn)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ([4], "The chosen document does not answer this."),
        ([4, 7], "None of the 2 chosen documents answers this."),
    ],
)
def test_no_more_is_said_of_than_was_chosen(chosen: list[int], said: str) -> None:
    assert explanation(nothing_found(document_ids=chosen, search={"complete": True})).startswith(said)


def test_documents_that_could_not_be_searched_are_told() -> None:
    turn = nothing_found(search={"complete": False, "words_absent": [], "unread": 2})
    assert "2 documents have not been read, or not to the end." in explanation(turn)


def test_a_question_in_another_language_than_the_documents_is_told() -> None:
    told = "The question looks German, and none of the documents is in German: ask in their language."
    assert told in explanation(nothing_found(search={"complete": False, "foreign": "de"}))
    assert "question looks" not in explanation(nothing_found(search={"complete": False, "foreign": ""}))


@pytest.mark.parametrize(
    ("searches", "citations", "quotes_only", "line"),
    [
        (1, 0, False, "Searched your documents once"),
        (3, 1, False, "Searched your documents 3 times, checked 1 quote"),
        (2, 4, True, "Searched your documents twice, picked 4 passages"),
        (0, 0, False, "Nothing was searched"),
    ],
)
def test_the_work_is_told_in_a_line(searches: int, citations: int, quotes_only: bool, line: str) -> None:
    assert work_done(searches, citations, quotes_only=quotes_only) == line


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"on_page": OnPage.ABSENT}, "no source found"),
        ({"on_page": OnPage.EXACT}, "on the page"),
        (
            {"on_page": OnPage.EXACT, "support": Support.SUPPORTED},
            "on the page; supports the claim, checked by code",
        ),
        (
            {"on_page": OnPage.CORRECTED, "support": Support.NEEDS_EYE, "reason": "It says 30."},
            "on the page; needs your eye: It says 30.",
        ),
    ],
)
def test_quote_and_claim_are_two_statements(values: dict[str, str], said: str) -> None:
    assert statements(Citation(document=Document(), **values)) == said


def test_nothing_is_said_to_be_on_the_page_of_a_deleted_file() -> None:
    for document in (None, Document(status=DocumentStatus.DELETED)):
        assert statements(Citation(document=document, on_page=OnPage.EXACT)) == "file deleted since"


def test_a_year_that_no_quote_names_is_told() -> None:
    quoted = Turn(status=TurnStatus.QUOTES, quotes_only=True)
    assert explanation(quoted) == COPIED
    quoted.missing = "fiscal 2023"
    assert explanation(quoted) == f"{COPIED} No quote names fiscal 2023: check which year each is about."
    nothing = Turn(status=TurnStatus.NOT_FOUND, quotes_only=True, missing="2021", search={"words": ["2021"]})
    assert "No passage that was found names 2021." in explanation(nothing)
    nothing.search = {"words": ["2021"], "words_absent": ["2021"]}
    assert "nowhere in the documents: “2021”" in explanation(nothing)
    assert "No passage that was found" not in explanation(nothing)


def test_what_of_was_searched_is_within_the_sentence() -> None:
    absent = {"complete": True, "words_absent": ["Dublin", "2022"], "unread": 0}
    told = explanation(nothing_found(search=absent, document_ids=[4, 7]))
    assert "These words are nowhere in the 2 chosen documents: “Dublin”, “2022”." in told
    told = explanation(nothing_found(search=absent | {"words_absent": ["Dublin"]}, document_ids=[4]))
    assert "This word is nowhere in the chosen document: “Dublin”." in told
    told = explanation(nothing_found(search={"searched": False, "unread": 0}, document_ids=[4, 7]))
    assert "looked for the nearest passages in the 2 chosen documents." in told

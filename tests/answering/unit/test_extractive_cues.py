"""What a question says of where its answer stands: in which document, about which of numbered things."""

import pytest

from answering.extractive.amendments import with_what_they_change
from answering.extractive.candidates import Passage, candidates
from answering.extractive.changes import asks_for_changes
from answering.extractive.named_documents import named_documents, others_than_named, without_sources
from answering.extractive.numbered import asked_numbers, is_of_another
from answering.extractive.question import Question
from answering.extractive.titles import is_title

FOUND = {
    "master-services-agreement": ["This Agreement is made on 3 February 2025."],
    "scan 0012": ["This Policy applies to all staff."],
    "annual-report": ["The year was good."],
    "quarterly-report": ["The quarter was bad."],
}


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("How soon must a breach be reported under the agreement?", {"master-services-agreement"}),
        ("Does the contract let the supplier train on our data?", {"master-services-agreement"}),
        ("What does the policy say about overtime?", {"scan 0012"}),
        ("Who chairs the board, according to the annual report?", {"annual-report"}),
        ("What does the report say about the board?", {"annual-report", "quarterly-report"}),
        ("When does the agreement end?", set()),
        ("What does the report committee say about overtime?", set()),
        ("How much was sold in the third quarter?", set()),
    ],
)
def test_a_question_may_name_the_documents_that_are_to_answer_it(question: str, named: set[str]) -> None:
    assert named_documents(question, FOUND) == named


LEASE, DEED, CONSULTANCY = "Lease of Mill House", "Deed of Variation", "Consultancy agreement Orrin"
LETTER = "Letter to the council"
CONTRACTS = {
    LEASE: ["This Lease is made on 1 April 2021."],
    DEED: ["This Deed is supplemental to the Lease of Mill House dated 1 April 2021."],
    CONSULTANCY: ["This Agreement starts in May."],
    LETTER: ["We write about the bins."],
}


@pytest.mark.parametrize(
    ("question", "own", "others"),
    [
        ("When does the lease end?", False, {CONSULTANCY, LETTER}),
        ("Who signed the lease?", True, {CONSULTANCY, DEED, LETTER}),
        ("Who signed the deed?", True, {CONSULTANCY, LEASE, LETTER}),
        ("Which law governs the consultancy agreement?", False, {LEASE, DEED, LETTER}),
        ("What is the term of the lease?", False, {CONSULTANCY, LETTER}),
        ("When was the letter sent?", True, {LEASE, DEED, CONSULTANCY}),
        ("What are the lease payments?", False, set()),
        ("When does the licence end?", False, set()),
        ("Who empties the bins?", False, set()),
    ],
)
def test_another_document_says_nothing_of_the_one_that_is_named_by_its_kind(
    question: str, own: bool, others: set[str]
) -> None:
    """Its amendment does, but for what each document has of its own."""
    assert others_than_named(question, CONTRACTS, {DEED: (LEASE,)}, own=own) == others


def test_an_amendment_knows_what_it_amends() -> None:
    passages = [
        Passage(key=title, document=title, text=text, score=0.5)
        for title, texts in CONTRACTS.items()
        for text in texts
    ]
    assert {each.document: each.changes for each in with_what_they_change(passages) if each.changes} == {
        DEED: (LEASE,)
    }
    twice = [*passages, Passage(key="n", document="Lease of Unit 9", text="This Lease is short.", score=0.5)]
    assert [each.changes for each in with_what_they_change(twice) if each.changes] == [(LEASE,)]


def test_a_document_that_is_the_only_one_is_not_told_apart() -> None:
    assert not named_documents("What does the policy say?", {"scan 0012": FOUND["scan 0012"]})


def test_a_second_question_to_another_document_is_the_first_put_to_that() -> None:
    parts = Question.of(
        "How soon must a breach be reported under the agreement, and what did the questionnaire promise?", ""
    ).parts
    assert [part.text for part in parts] == [
        "How soon must a breach be reported under the agreement",
        "How soon must a breach be reported what did the questionnaire promise?",
    ]


def test_a_question_without_its_sources_keeps_what_is_asked() -> None:
    assert without_sources("In the lease, who pays for repairs?") == ", who pays for repairs?"


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("Severity 1 incidents are repaired within four hours.", True),
        ("Severity 2 incidents are repaired within a day.", False),
        ("Severity 1 and severity 2 incidents are reported.", False),
        ("All incidents are reported.", False),
    ],
)
def test_what_has_another_number_is_something_else(text: str, other: bool) -> None:
    asked = asked_numbers("How long may a severity 2 incident last?", ["An outage is of severity 2."])
    [part] = candidates([Passage(key="c1", document="d", text=text, score=0.5)])
    assert is_of_another(part, asked) is other


def test_a_number_that_no_passage_has_tells_nothing() -> None:
    assert not asked_numbers("How long may a severity 7 incident last?", ["An outage is of severity 2."])


@pytest.mark.parametrize(
    ("text", "names_only"),
    [
        ("GALAXY GAMING, INC.", True),
        ("Tarnbeck Systems Limited and Hallowmere Foods Limited, 3 February 2025", True),
        ("C. STATUTORY DUTIES OF A STANDING TRUSTEE", True),
        ("Chief Executive: Imogen Varley", False),
        ("Imogen Varley 5.2", False),
        ("Better than GPT-4o and 97% cheaper", False),
        ("Trustees are paid.", False),
        ("知识图谱，方法", False),
    ],
)
def test_a_line_that_only_names_something_is_a_title(text: str, names_only: bool) -> None:
    assert is_title(text) is names_only


def test_what_a_later_part_points_to_is_put_into_it() -> None:
    parts = Question.of("What is the deposit and when is it returned?", "").parts
    assert [part.text for part in parts] == ["What is the deposit", "when is the deposit returned?"]


@pytest.mark.parametrize(
    ("question", "all_changes"),
    [
        ("What changed in the deed of variation?", True),
        ("What does the amendment change?", True),
        ("What changed?", True),
        ("What changed about the rent?", False),
        ("When did the rent change?", False),
    ],
)
def test_a_question_for_all_changes_asks_of_nothing_but_a_document(question: str, all_changes: bool) -> None:
    assert asks_for_changes(question) == all_changes

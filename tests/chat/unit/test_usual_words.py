"""Questions are answered by sentences that have the usual words of the answer and none of the question's."""

import pytest

from chat.answering.extractive.answer_kinds import Kind
from chat.answering.extractive.usual_words import Matter, asked_matters, is_made_up, matters


@pytest.mark.parametrize(
    ("question", "names", "answer", "other"),
    [
        (
            "Who are the parties to this agreement?",
            {"parties"},
            "This deed is made on 2 May 2024 between Fernhill Dairy Ltd and the Trustees of Moor Farm.",
            "This Agreement constitutes the entire agreement between the parties.",
        ),
        (
            "Which law governs the contract?",
            {"governing_law"},
            "It shall be construed in accordance with the laws of Scotland.",
            "Except as required by applicable law, the fee applies to any law firm.",
        ),
        (
            "When does the lease take effect?",
            {"effective_date", "taking_effect"},
            "THIS LEASE, dated as of the 1st of June 2021, is granted by the Landlord.",
            "Rent is due from the Effective Date; payment made under decision 12 in separate 3 copies.",
        ),
        (
            "How long does the contract last?",
            {"term"},
            "The term shall commence on delivery and continue for a period of five years.",
            "Clause 9 survives the expiration of this contract for two years.",
        ),
        (
            "How long does the agreement last?",
            {"term"},
            "The agreement starts on delivery and runs for five years.",
            "The program runs for an hour; backups last for years.",
        ),
        (
            "Can it be cancelled early?",
            {"termination"},
            "The Tenant may end it on two months' notice.",
            "The work may not end before noon.",
        ),
        (
            "May we assign the contract?",
            {"assignment"},
            "Rights under it may not be transferred without the prior written consent of the Seller.",
            "The Seller assigns two engineers to the project.",
        ),
        (
            "Is there a cap on damages?",
            {"liability"},
            "The total liability of either party shall not exceed £50,000.",
            "The Supplier is liable to pay stamp duty.",
        ),
    ],
)
def test_the_answer_is_told_from_another_sentence(
    question: str, names: set[str], answer: str, other: str
) -> None:
    asked = asked_matters(question)
    assert {matter.name for matter in asked} == names
    assert any(matter.is_said(answer) for matter in asked)
    assert not any(matter.is_said(other) for matter in asked)


@pytest.mark.parametrize(
    "question",
    [
        "What was revenue in 2023?",
        "How many people work in Leeds?",
        "Who chairs the board?",
        "Is Moss a plant?",
    ],
)
def test_questions_of_other_kinds_have_no_usual_words(question: str) -> None:
    assert not asked_matters(question)


@pytest.mark.parametrize("matter", matters(), ids=lambda matter: matter.name)
def test_made_up_statements_have_the_words_that_they_stand_for(matter: Matter) -> None:
    assert all(matter.is_said(statement) for statement in matter.statements)


def test_a_made_up_answer_is_told_from_what_a_person_asks() -> None:
    assert all(is_made_up(statement) for matter in matters() for statement in matter.statements)
    assert not is_made_up("Which law governs the contract?")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("matter", matters(), ids=lambda matter: matter.name)
def test_no_text_takes_long_to_be_looked_at(matter: Matter) -> None:
    for words in (
        "A, a (",
        "Xx, an b (the c ",
        "is between ",
        "records right ",
        "in no event liability ",
        "who ",
    ):
        for pattern in (matter.says, matter.asks):
            pattern.search(words * 2_000)


@pytest.mark.parametrize(
    ("question", "text", "wanted"),
    [
        (
            "Which law governs it?",
            "It is governed by the laws of the State of Ohio.",
            "the laws of the State of Ohio",
        ),
        ("When was it signed?", "It was signed on 3 May 2021 in Bath.", "3 May 2021"),
        ("How long is the notice?", "Notice of thirty (30) days is needed.", "thirty (30) days"),
        ("When was it signed?", "Dated as of September 26th, 2012 by both.", "September 26th, 2012"),
        ("When was it made?", "Made this 24th day of August 2018.", "24th day of August 2018"),
        ("What is the yearly charge?", "The yearly charge is GBP 410,000.", "GBP 410,000"),
        ("How much is the cap?", "It is limited to £1.5 million a year.", "£1.5 million"),
        ("Who signed it?", "The Federal Republic of Germany", None),
        ("What is it about?", "It is about 30 days in May.", None),
    ],
)
def test_what_is_asked_for_is_found_within_a_sentence(question: str, text: str, wanted: str | None) -> None:
    place = Kind(question).place(text)
    assert (text[slice(*place)] if place else None) == wanted

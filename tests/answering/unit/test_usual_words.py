"""Questions are answered by sentences that have the usual words of the answer and none of the question's."""

import pytest

from answering.extractive.answer_kinds import Kind
from answering.extractive.defined_terms import AskedTerm, definition_words
from answering.extractive.usual_words import (
    Matter,
    asked_matters,
    is_made_up,
    matters,
    places_asked,
)


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
            "When does the lease end?",
            {"term"},
            'In this Lease "Rent" means £900 a month and "Term" means six years from today.',
            "The Tenant may not terminate the lease of a neighbour.",
        ),
        (
            "When does the licence end?",
            {"term"},
            "1. The Licence is renewed and now ends on 30 June 2027.",
            "The Licensor grants a non-exclusive licence to use the software.",
        ),
        (
            "How long is the term of the lease?",
            {"term"},
            "2.6 The Term ends on 31 March 2034.",
            "The terms of sale are printed overleaf.",
        ),
        (
            "Which licence is granted?",
            {"licence"},
            "The Licensor grants a non-exclusive licence to use the software.",
            "The licence ends in June.",
        ),
        (
            "Who are the parties?",
            {"parties"},
            '(1) Alder Holdings Limited ("the Client")',
            'The Lender makes available a loan of £3,500,000 (the "Loan").',
        ),
        (
            "Who has signed the deed?",
            {"signing"},
            "Executed on behalf of Moor Farm Ltd by Ines Holt, Director",
            "The Tenant shall sign for each parcel.",
        ),
        (
            "What does a late payment cost?",
            {"late_payment", "late_interest"},
            "If any sum is not paid within fourteen days, the Tenant shall pay 4 per cent interest on it.",
            "Payments are made by transfer; a rate of exchange is fixed each spring.",
        ),
        (
            "When does the tenancy agreement take effect?",
            {"effective_date", "taking_effect"},
            "Date: 22 August 2025",
            "Update: the lift works again.",
        ),
        (
            "How long does this agreement last?",
            {"term"},
            "The tenancy is for a fixed term of twelve months beginning on 1 September 2025.",
            "In terms of noise the flat is quiet.",
        ),
        (
            "Why was the rent reduced?",
            {"reason_of_a_change"},
            "The rent is £940 instead of £985, because the lift is out of order.",
            "The rent is paid in advance, because the bank asks for it.",
        ),
        (
            "Is the Landlord allowed to end the lease early?",
            {"termination"},
            "3.3 The Landlord has no right to end this Lease early other than under clause 9.",
            "The right to use the yard ends at dusk.",
        ),
        (
            "Is there a cap on damages?",
            {"liability"},
            "The total liability of either party shall not exceed £50,000.",
            "The Supplier is liable to pay stamp duty, and this liability may exceed the sum withheld.",
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


DEFINED = 'In this Lease: "Annual Rent" means £84,000 a year; "Break Date" means 25 March 2027.'
PARTY = 'This Lease is made between Kestrel Estates Limited (the "Landlord") and Ann Lee (the "Tenant").'


@pytest.mark.parametrize(
    ("question", "text", "defined"),
    [
        ("What is the break date?", DEFINED, True),
        ("And what is the break date of the lease?", DEFINED, True),
        ("How much is the annual rent?", DEFINED, True),
        ("Who is the landlord?", PARTY, True),
        ("Who is the landlord's solicitor?", PARTY, False),
        ("What is the rent?", DEFINED, False),
        ("What is the Break Date in the Lease of Mill House?", DEFINED, True),
        ("What is the annual rent under the lease?", DEFINED, True),
        ("Must the tenant pay the annual rent?", DEFINED, False),
        ("What is the break date?", "The Tenant may end this on the Break Date.", False),
    ],
)
def test_a_question_may_ask_for_what_a_document_defines(question: str, text: str, defined: bool) -> None:
    assert AskedTerm(question).is_defined_in(text) == defined


def test_who_pays_is_told_only_of_what_is_asked() -> None:
    question = "Who pays for the insurance?"
    (pays,) = (matter for matter in asked_matters(question) if matter.name == "who_pays")
    said = "The Hirer shall keep the Equipment insured and bear the premiums."
    assert pays.is_said(said)
    assert pays.is_of(question, said)
    assert not pays.is_of(question, "The Hirer shall pay the charge monthly.")


def test_what_may_be_defined_is_searched_for_by_its_words() -> None:
    assert definition_words("What is the break date of the lease?") == "break date means"
    assert definition_words("Who is the landlord?") == "landlord means"
    assert not definition_words("Must the tenant pay the annual rent?")


def test_of_several_values_the_one_that_is_asked_for_is_found() -> None:
    text = '"Rent" means £900 for three months; "Term" means ten years from 25 March 2022.'
    question = "How long does this agreement last?"
    ((start, end),) = places_asked(Kind(question), asked_matters(question), text)
    assert text[start:end] == "ten years"


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
        ("Which law governs it?", "The law of Ireland governs it.", "The law of Ireland"),
        ("Ends it, and with what notice?", "He may end it by giving six months' notice.", "six months"),
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
    place = next(Kind(question).places(text), None)
    assert (text[slice(*place)] if place else None) == wanted

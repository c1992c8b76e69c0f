"""The questions that are made of sentences: good English, or none at all."""

import pytest

from answering.suggestions.proposals import proposals
from english.questions.of_sentences import is_alike, sentence_to_questions
from ingestion.models import Chunk

WRITTEN = {
    "committed",
    "fees",
    "net",
    "sales",
    "gross",
    "increase",
    "Waypoint",
    "Windows",
    "revenue",
    "users",
    "visitor",
}

GOOD = {
    "6.2 The Supplier shall notify the Customer of a breach within 72 hours of learning of it.": (
        "How soon must the Supplier notify the Customer of a breach?"
    ),
    "The Supplier may suspend access to Waypoint only if a sum has been overdue for 45 days.": (
        "When may the Supplier suspend access to Waypoint?"
    ),
    "We take all measures to contain the spread of the fire in each of the halls.": None,
    "Security measures to contain a fire in each of the large halls.": None,
    "No Early Termination Charge is payable if the Customer gives notice.": None,
    "A notice in other words is valid if it leaves no doubt about the day on which it expires.": None,
    "3.41 ‘trade repository’ means a trade repository as defined in Article 2;": (
        "What does “trade repository” mean?"
    ),
    "“Service Credit” means a sum that is set off against the Charges.": "What does “Service Credit” mean?",
    "Net sales decreased 3% during the quarter due primarily to weakness in the market.": (
        "Why did net sales decrease during the quarter?"
    ),
    "Gross margin increased $491 million or 1% driven by growth in the cloud.": (
        "Why did gross margin increase?"
    ),
    "Windows revenue grew by 12 per cent in the year.": "By how much did Windows revenue grow?",
    "The increase in revenue was primarily due to higher prices.": (
        "What was the increase in revenue due to?"
    ),
    "The sequential increase was primarily due to higher prices.": None,
    "Revenue is designated by billing location even if the revenue may be attributable to others.": None,
    "Net fees are payable when the acceptance test has passed.": "When are net fees payable?",
    "The Data Centre in Leeds was opened on 4 May 2019.": "When was the Data Centre in Leeds opened?",
    "The Customer shall pay £6,000 for each complete week of delay.": (
        "How much must the Customer pay for each complete week of delay?"
    ),
    "The model was trained by Acme Research.": None,
    "The target for Availability is 99.5 per cent in each calendar month.": (
        "What is the target for Availability?"
    ),
    "This paper introduces LayoutParser, an open-source library for documents.": "What is LayoutParser?",
    "Visitor access records include the names of visitors and the dates of access.": (
        "What do visitor access records include?"
    ),
    "The resilience programme shall include a range of tests.": (
        "What must the resilience programme include?"
    ),
    "Acme publishes e-mail addresses for the public to complain to.": None,
    "Organizations include such events in their plans.": None,
    "The list of events includes the following.": None,
    "A column mask is a database object that hides values.": "What is a column mask?",
}

BAD = (
    "It is a matter of taste.",
    "The company is a leader.",
    "This is the reason why sales were lower, because prices fell.",
    "We believe that our products are the best.",
    "Profit was 3 million.",
    "Ada Lovelace was a mathematician.",
    "The gap is large when k is small.",
    "Suppose the gains at ranks 1 to 5 are 3, 0, 2, 0 and 1.",
    "The aim of damages is to put the claimant in the position as if the contract had been performed.",
    "Lorem ipsum dolor sit amet, consectetur adipiscing elit.",
    "Der Vertrag endet am 31. Dezember 2025.",
    "x" * 400 + ".",
    "",
)


@pytest.mark.parametrize("sentence", GOOD)
def test_a_plain_sentence_becomes_a_question(sentence: str) -> None:
    asked = [one.question for one in sentence_to_questions(sentence, WRITTEN)]
    assert asked == ([GOOD[sentence]] if GOOD[sentence] else [])


@pytest.mark.parametrize("sentence", BAD)
def test_whatever_is_not_plain_becomes_none(sentence: str) -> None:
    assert list(sentence_to_questions(sentence, WRITTEN)) == []


def test_questions_on_one_thing_are_alike() -> None:
    assert is_alike("When is a notice valid?", "When are notices valid in writing?")
    assert not is_alike("When is a notice valid?", "What is the annual fee?")


def test_a_document_proposes_its_own_questions_and_never_two_alike() -> None:
    text = (
        "A1 Who keeps the backups? The operations team keeps them in Leeds.\n\n"
        "The backups of the archive are kept when the archive has been closed.\n\n"
        "The monthly fee for the archive is £1,200 in the first year."
    )
    chunk = Chunk(pk=1, index=0, text=text, start=0, end=len(text), first_page=1, last_page=1)
    asked = [one.question for one in proposals(7, "Archive", [chunk])]
    assert "Who keeps the backups?" in asked
    assert "What is the monthly fee for the archive?" in asked
    assert all(not is_alike(one, other) for one in asked for other in asked if one != other)


def test_the_company_of_a_report_is_named() -> None:
    text = "Net sales increased 5% due to higher prices. They were paid in cash, and net sales grew."
    chunk = Chunk(pk=1, index=0, text=text, start=0, end=len(text), first_page=1, last_page=1)
    asked = [one.question for one in proposals(7, "2022 Q3", [chunk], owner="Apple")]
    assert asked == ["Why did Apple's net sales increase?"]

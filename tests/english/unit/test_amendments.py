"""What a document calls itself, and which clauses it changes."""

import pytest

from english.contracts.amendments import amends, is_amendment, named_by_day
from english.contracts.clauses import changed_clauses, clause_at, clauses_set_aside


@pytest.mark.parametrize(
    "beginning",
    [
        "First Deed of Amendment to the Shareholders' Agreement of Arden Instruments Limited\n3 October 2024",
        "Side Letter\nFrom the Landlord to the Tenant",
        "SECOND DEED OF VARIATION",
        "This Amendment is made on 3 May 2025",
    ],
)
def test_a_heading_says_that_a_document_changes_another(beginning: str) -> None:
    assert is_amendment("scan 0017", beginning)


@pytest.mark.parametrize(
    "beginning",
    [
        "Shareholders' Agreement\nNo amendment is valid unless it is signed.",
        "LEASE OF MILL HOUSE\n1 RENEWAL",
        "The Tenant may ask for a variation of this Lease.",
    ],
)
def test_a_contract_that_speaks_of_amendments_is_none(beginning: str) -> None:
    assert not is_amendment("scan 0017", beginning)


def test_it_changes_the_contract_of_the_day_that_it_names() -> None:
    beginning = (
        "First Deed of Amendment\nThis Deed is dated 3 October 2024 and made between the parties to the "
        "Shareholders' Agreement dated 14 February 2023 relating to Arden Instruments Limited."
    )
    assert amends("amend no1", beginning, "SHA final", "This Agreement is dated 14 February 2023.")
    assert not amends("amend no1", beginning, "SHA other", "This Agreement is dated 15 March 2023.")


@pytest.mark.parametrize(
    ("sentence", "changed"),
    [
        ("In clause 5.1, the Lock-in Date is postponed from 14 May 2026 to 30 June 2028.", True),
        ("The fee of clause 4 is increased by 3 %.", True),
        ("Under clause 4 the fee is reduced where invoices are paid early.", False),
    ],
)
def test_figures_and_dates_of_a_clause_are_changed_as_well(sentence: str, changed: bool) -> None:
    assert bool(changed_clauses(sentence)) is changed


HIRE = (
    "Plant Hire Agreement\nDate: 9 March 2024\nOwner: Keld Lifting Limited\n"
    "8. Either party may end this Agreement."
)


@pytest.mark.parametrize(
    "said",
    [
        "Notwithstanding clause 4 of the hire agreement, your trainee may use the crane.",
        "In all other respects the hire agreement stands unchanged.",
    ],
)
def test_a_letter_changes_a_contract_without_calling_itself_anything(said: str) -> None:
    letter = f"Keld Lifting Limited\nYour hire agreement dated 9 March 2024\nDear Ms Vance,\n{said}"
    assert amends("keld 2", letter, "crane", HIRE)
    assert not amends("keld 2", letter, "crane", HIRE.replace("9 March", "8 March"))


def test_a_letter_that_only_speaks_of_a_contract_changes_none() -> None:
    letter = "Your hire agreement dated 9 March 2024\nDear Ms Vance, your payment under clause 4 is late."
    assert not amends("keld 2", letter, "crane", HIRE)


@pytest.mark.parametrize(
    "sentence",
    [
        "In spite of clause 8 of the tenancy agreement you may keep one cat.",
        "The notice under clause 8 is one month instead of two months.",
        "In place of the eight weeks in clause 8, twelve weeks' notice is needed.",
    ],
)
def test_an_exception_to_a_clause_is_no_change_of_its_words(sentence: str) -> None:
    assert clauses_set_aside(sentence) == {"8"}
    assert not changed_clauses(sentence)


def test_a_contract_that_is_named_by_its_day_is_another_one() -> None:
    text = "The tenancy agreement dated 22 August 2025 is changed. This Deed dated 1 May 2026 is short."
    assert [text[slice(*each)] for each in named_by_day(text)] == ["tenancy agreement dated 22 August 2025"]


def test_a_sentence_is_of_the_clause_that_begins_before_it() -> None:
    text = "1. Term. The term is two years.\n\n2. Rent. The rent is due monthly. It is paid in advance."
    assert [clause_at(text, text.index(word)) for word in ("two", "Rent", "paid")] == ["1", "2", "2"]
    assert clause_at("Date: 9 March 2024", 6) == ""

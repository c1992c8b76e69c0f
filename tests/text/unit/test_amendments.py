"""What a document calls itself, and which clauses it changes."""

import pytest

from text.amendments import amends, changed_clauses, is_amendment


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

"""Where clauses begin and end, how a quoted one is cited, and which document says that it prevails."""

import pytest

from english.contracts.clauses import clause_cited, clauses_in, deletes, parts_of_change, prevails_itself


def test_a_clause_goes_up_to_the_next_one() -> None:
    text = "Head\n2.1\tThe fee is due\nin May. See clause 3.4 there.\n2.2 Nothing else is due.\n"
    assert [(clause.number, clause.text) for clause in clauses_in(text)] == [
        ("2.1", "2.1 The fee is due in May. See clause 3.4 there."),
        ("2.2", "2.2 Nothing else is due."),
    ]


def test_an_amendment_has_headings_without_points_and_paragraphs_without_numbers() -> None:
    text = (
        "First Amendment\nThe parties agree as follows:\nClause 9 is deleted.\n1 Amendment of clause 2.2\n"
        "Clause 2.2 is replaced by: nine months.\n2 Clause 6.2 deleted\nClause 6.2 is deleted."
    )
    assert [(part.number, part.text) for part in parts_of_change(text)] == [
        ("", "First Amendment The parties agree as follows:"),
        ("", "Clause 9 is deleted."),
        ("1", "1 Amendment of clause 2.2 Clause 2.2 is replaced by: nine months."),
        ("2", "2 Clause 6.2 deleted Clause 6.2 is deleted."),
    ]


def test_what_is_deleted_is_told_from_what_is_replaced() -> None:
    assert deletes("Clause 6.2 is deleted.", "6.2")
    assert not deletes("Clause 6.2 is deleted.", "6.1")
    assert not deletes("Clause 6.2 is deleted and replaced with: nothing is sublet.", "6.2")


@pytest.mark.parametrize(
    ("title", "quote", "number"),
    [
        ("Master Services Agreement", "12.2 The Supplier shall back up Customer Data.", "12.2"),
        ("Master Services Agreement", "The Supplier shall back up Customer Data.", ""),
        ("Annual Report 2025", "12.2 Backups", ""),
        ("Lease of Unit 4", "35.5 square metres are let.", ""),
        ("Amendment No. 1", '15.2 The Customer may end it."', ""),
        ("Amendment No. 1", '2.1 Clause 15.2 is replaced with: "15.2 The Customer may end it."', "2.1"),
    ],
)
def test_the_clause_of_a_contract_that_is_quoted_is_told(title: str, quote: str, number: str) -> None:
    assert clause_cited(title, quote) == number


def test_a_document_that_says_it_prevails_is_told_from_one_that_gives_way() -> None:
    assert prevails_itself("If a questionnaire conflicts with it, this Agreement prevails.")
    assert prevails_itself("If a form conflicts with it, this Framework Agreement shall take precedence.")
    assert not prevails_itself("If they conflict, the Agreement prevails over this Schedule.")
    assert not prevails_itself("Nothing in this Agreement replaces the statutory rights.")
    assert not prevails_itself("Unless the Framework Agreement says so, this Order Form prevails.")
    assert not prevails_itself(
        "If they conflict, the Framework Agreement prevails over what this Order Form governs."
    )
    assert not prevails_itself("This Form prevails over forms, the Framework Agreement prevails over it.")

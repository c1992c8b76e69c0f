"""What is picked out of texts: what a lawyer would mark, and nothing that only looks like it."""

from datetime import date

import pytest

from digest.duties import BEFORE, EACH
from digest.points import Kind, Stance
from digest.reading import PageText, Placed, read


def points(*pages: str) -> list[Placed]:
    return read([PageText(number=number, text=text) for number, text in enumerate(pages, start=1)])


def labels(kind: Kind, *pages: str) -> list[str]:
    return [each.point.label for each in points(*pages) if each.point.kind == kind]


def duties(text: str) -> list[tuple[str, Stance | None]]:
    return [(each.point.party, each.point.stance) for each in points(text) if each.point.kind == Kind.DUTY]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            '(a) Orchard Foods Limited, a company whose office is in Leeds (the "Customer"); and',
            [("Orchard Foods Limited", "Customer")],
        ),
        (
            "between Norton & Hale LLP (“Consultant”) and Ada Lovelace (hereinafter the “Client”).",
            [("Norton & Hale LLP", "Consultant"), ("Ada Lovelace", "Client")],
        ),
        (
            'Parties\n(1) Orchard Foods Limited ("the Client")\n(2) Hale Surveyors Ltd ("the Consultant")',
            [("Orchard Foods Limited", "Client"), ("Hale Surveyors Ltd", "Consultant")],
        ),
        ('The sums payable under Schedule 4 (the "Charges") are due monthly.', []),
        ('Orchard Foods Limited shall pay what Schedule 4 lists (the "Charges") each month.', []),
        (
            'Fernhill Dairy Ltd (together with its subsidiaries, the "Seller")',
            [("Fernhill Dairy Ltd", "Seller")],
        ),
        ('To the Stockholders and the Board of Directors of Ashby Corporation (the "Company")', []),
        (
            'The Participant agrees that the Participant\'s employer ("Employer") may withhold tax.',
            [],
        ),
        (
            'In connection with the Quarterly Report of Ashby Corporation, of Ohio (the "Company")',
            [],
        ),
        (
            "Landlord: Mrs Ada Rowe of 8 The Close\n\nTenants: Mr Owen Hale and Ms Yuki Tanaka, jointly",
            [("Mrs Ada Rowe", "Landlord"), ("Mr Owen Hale", "Tenants"), ("Ms Yuki Tanaka", "Tenants")],
        ),
        ("Insured\tHale Surveyors LLP\nPremium\t£18,640", [("Hale Surveyors LLP", "Insured")]),
        (
            "(1) Orchard Foods Limited (the “Company”);\n(2) Dr Ada Rowe of 11 Elm Hill (“Dr Rowe”);",
            [("Orchard Foods Limited", "Company"), ("Dr Ada Rowe", "Dr Rowe")],
        ),
        ("dated 14 February 2023 relating to Orchard Foods Limited (the “Principal Agreement”).", []),
    ],
)
def test_parties_and_what_they_are_called(text: str, expected: list[tuple[str, str]]) -> None:
    found = [each.point for each in points(text) if each.point.kind == Kind.PARTY]
    assert [(point.label, point.about) for point in found] == expected


def test_the_words_about_a_party_begin_with_its_name() -> None:
    text = (
        'Made between Orchard Foods Ltd, of Leeds ("Supplier"), and Mill Trust, of 2 Weir Road ("Customer").'
    )
    said = [each.statement for each in points(text) if each.point.kind == Kind.PARTY]
    assert said[1] == 'Mill Trust, of 2 Weir Road ("Customer")'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The term ends on 29 February 2028.", [(date(2028, 2, 29), False)]),
        ("Signed on 2025-11-14 in Leeds.", [(date(2025, 11, 14), False)]),
        ("The licence runs until March 2027.", [(date(2027, 3, 1), True)]),
        ("The office opens on 5 May.", []),
        ("On 31 February 2024 nothing happens.", []),
    ],
)
def test_dates_have_a_year(text: str, expected: list[tuple[date, bool]]) -> None:
    found = [each.point for each in points(text) if each.point.kind == Kind.DATE]
    assert [(point.day, point.month_alone) for point in found] == expected


def test_an_example_is_no_date_to_keep() -> None:
    text = "Second example. If the notice is given in May 2026, none is due. The notice ends on 1 June 2026."
    assert labels(Kind.DATE, text) == ["1 June 2026"]
    assert labels(Kind.DATE, "For example, a notice of 3 May 2026 is late.") == []


def test_an_example_is_no_duty() -> None:
    assert labels(Kind.DUTY, "The Tenant shall pay the rent.") != []
    assert labels(Kind.DUTY, "For example, the Tenant shall pay the rent of May.") == []


def test_of_two_terms_a_date_belongs_to_the_one_before_it() -> None:
    text = '"Annual Rent" means the sum in Schedule 1 and "Break Date" means 25 March 2027.'
    (found,) = (each for each in points(text) if each.point.kind == Kind.DATE)
    assert found.point.about == "Break Date"


def test_a_date_knows_the_term_that_it_defines() -> None:
    (found,) = (each for each in points('"Go-Live Date" means 19 May 2025.') if each.point.kind == Kind.DATE)
    assert found.point.about == "Go-Live Date"
    assert (found.before, found.value, found.after) == ('"Go-Live Date" means ', "19 May 2025", ".")


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Supplemental to the Lease dated 1 April 2021 (the “Lease”).", "Lease"),
        ("Made by Hale LLP (the “Tenant”) and dated 1 April 2021.", ""),
        ("2.6 The Term ends on 31 March 2034.", "Term"),
        ("The Customer is bound from 31 March 2034.", ""),
    ],
)
def test_a_date_is_of_the_term_in_brackets_behind_it_or_of_what_is_said(text: str, about: str) -> None:
    (found,) = (each for each in points(text) if each.point.kind == Kind.DATE)
    assert found.point.about == about


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Customer shall pay each invoice within 30 days.", ["30 days"]),
        ("It may leave on not less than 180 days' written notice.", ["180 days"]),
        ("Either party may end it on twelve months' notice.", ["twelve months"]),
        ("The clinic is 12 years old.", []),
        ("The film takes two hours.", []),
    ],
)
def test_time_limits(text: str, expected: list[str]) -> None:
    assert labels(Kind.LIMIT, text) == expected


def test_sums_have_a_currency() -> None:
    text = "The cap is £750,000 in any year. There are 750,000 pallets. Fees of US$ 1.5 million are due."
    assert len(labels(Kind.AMOUNT, text)) == 2


def test_figures_side_by_side_are_no_sums_of_their_own() -> None:
    assert labels(Kind.AMOUNT, "Phones\t$\t39,669 $\t40,665 $\t156,778") == []
    assert labels(Kind.AMOUNT, "Interest paid\t$ 1,910\t$ 1,870") == [], "in millions, the heads may say"
    assert labels(Kind.AMOUNT, "Set-up of Perth\tonce\t£7,800") == ["£7,800"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Supplier shall keep each backup.", [("Supplier", Stance.MUST)]),
        ("The Supplier shall not transfer it.", [("Supplier", Stance.MUST_NOT)]),
        ("Neither party may assign this Agreement.", [(EACH, Stance.MUST_NOT)]),
        ("The Customer is entitled to a refund.", [("Customer", Stance.MAY)]),
        ("The Tenant undertakes to repair it.", [("Tenant", Stance.MUST)]),
        ("The Services shall be of good quality.", []),
        ("The customer shall grow fond of it.", []),
        ("It shall keep a log.", [(BEFORE, Stance.MUST)]),
        ("The Company may have incurred a loss, and it may be higher.", []),
        ("The Customer shall be liable for it.", [("Customer", Stance.MUST)]),
        ("If the Customer disputes an invoice, it shall say why.", [("Customer", Stance.MUST)]),
        ("The Supplier's total liability to the Customer shall not exceed £5,000.", []),
        ("Any sum due from the Customer shall bear interest.", []),
        ("On the day of delivery the Customer shall pay.", [("Customer", Stance.MUST)]),
        ("No Shareholder may transfer a share.", [("Shareholder", Stance.MUST_NOT)]),
        ("A Shareholder who wishes to sell shall first offer it.", [("Shareholder", Stance.MUST)]),
        (
            "The Supplier shall:\n(a) keep a log;\n(b) train its staff; and\n(c) report.",
            [("Supplier", Stance.MUST)],
        ),
    ],
)
def test_duties_and_rights_by_party(text: str, expected: list[tuple[str, Stance]]) -> None:
    assert duties(text) == expected


def test_a_list_is_kept_with_what_leads_to_it() -> None:
    text = "The Supplier shall:\n(a) keep a log;\n(b) train its staff; and\n(c) report.\nNothing else is due."
    (found,) = (each for each in points(text) if each.point.kind == Kind.DUTY)
    assert found.statement.endswith("(c) report.")


def test_a_party_is_one_that_the_document_names_so() -> None:
    text = 'Ada Rowe Ltd (the "Bookbinder") signs. The Bookbinder shall sew it. The Thread shall be red.'
    assert duties(text) == [("Bookbinder", Stance.MUST)]


def test_neither_of_two_parties_must() -> None:
    text = (
        "(1) Dr Ada Rowe of Leeds (“Dr Rowe”);\n(2) Mr Ben Hill of York (“Mr Hill”).\n"
        "7.1 Neither Dr Rowe nor Mr Hill shall compete with it."
    )
    assert duties(text) == [("Dr Rowe, Mr Hill", Stance.MUST_NOT)]


def test_defined_terms() -> None:
    text = (
        '“Availability” means the share of minutes. It pays a fee (the "Late Fee"). She said “Hello there”.'
    )
    assert labels(Kind.TERM, text) == ["Availability", "Late Fee"]


def test_running_heads_say_nothing_and_a_repetition_counts_once() -> None:
    said = ["The Customer shall pay.", "The Customer shall pay.", "Nobody is late.", "All is well."]
    found = points(*(f"Draft of 3 May 2024, page {n} of 9\n\n{text}" for n, text in enumerate(said, start=1)))
    assert [(each.point.kind, each.page) for each in found] == [(Kind.DUTY, 1)]


@pytest.mark.parametrize(
    "hostile",
    [
        "(" + " " * 100_000,
        '("' * 50_000,
        "A" * 200_000,
        "Aa " * 70_000,
        "The Supplier " * 20_000,
        "(the " * 40_000,
        "shall not " * 30_000,
        '"' + "A " * 50_000 + '"',
    ],
    ids=lambda text: text[:12],
)
def test_hostile_pages_come_to_an_end(hostile: str) -> None:
    assert len(points(hostile)) <= 2

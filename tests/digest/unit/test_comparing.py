"""Two texts statement by statement: what was changed, in words and in meaning."""

import pytest

from digest.amending import amended
from digest.comparing import Became, Change, Sentence, compared
from english.contracts.amendments import amends


def side(texts: list[str]) -> list[Sentence]:
    return [Sentence(text=text, page=1, offset=place) for place, text in enumerate(texts)]


def changes(before: list[str], after: list[str]) -> list[Change]:
    return compared(side(before), side(after))


def became(before: list[str], after: list[str]) -> list[Became]:
    return [change.became for change in changes(before, after)]


PAY, LOG = "6.2 The Customer shall pay each invoice within 30 days.", "6.3 The Supplier shall keep a log."


def test_the_same_words_are_the_same_whatever_their_quotation_marks_and_spaces() -> None:
    assert became(["The “Site”  is ours."], ['The "Site" is ours.']) == [Became.SAME]


def test_a_changed_figure_is_told_with_its_words() -> None:
    (change, same) = changes([PAY, LOG], [PAY.replace("30", "45"), LOG])
    assert (change.became, same.became) == (Became.CHANGED, Became.SAME)
    assert change.meaning == [("30 days", "45 days")]
    before, after = change.runs
    assert [run.text for run in before if run.differs] == ["30"]
    assert [run.text for run in after if run.differs] == ["45"]
    assert "".join(run.text for run in after) == PAY.replace("30", "45")


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("The Supplier shall test it.", "The Supplier may test it.", [("Supplier must", "Supplier may")]),
        ("The cap is £400,000 a year.", "The cap is £750,000 a year.", [("£400,000", "£750,000")]),
        ("It ends on 1 May 2027.", "It ends on 1 June 2027.", [("1 May 2027", "1 June 2027")]),
        (
            "It is governed by the laws of England and Wales.",
            "It is governed by the law of Germany.",
            [("law of England and Wales", "law of Germany")],
        ),
        ("English law applies.", "German law applies.", [("English law", "German law")]),
        ("It is under the laws of England.", "It stands under the law of England.", []),
        ("It is kept for 24 hours.", "It is kept for one day.", []),
        ("The Customer must pay promptly.", "The Customer must pay at once.", []),
    ],
)
def test_only_what_differs_in_meaning_is_told(before: str, after: str, expected: object) -> None:
    (change,) = changes([before], [after])
    assert change.became == Became.CHANGED
    assert change.meaning == expected


def test_added_left_out_and_moved() -> None:
    new = "6.4 Records are kept for 18 months."
    assert became([PAY, LOG], [PAY, LOG, new]) == [Became.SAME, Became.SAME, Became.ADDED]
    assert became([PAY, LOG], [LOG]) == [Became.REMOVED, Became.SAME]
    moved = changes([PAY, LOG, new], [LOG, new, PAY.replace("6.2", "6.5")])
    assert [change.became for change in moved] == [Became.SAME, Became.SAME, Became.MOVED]
    assert moved[-1].before
    assert moved[-1].before.text == PAY


def test_what_was_left_out_and_added_tells_its_figures_and_duties() -> None:
    pay = "The Supplier shall pay £5,000 within 30 days."
    (_, gone, _) = changes(["Intro stays.", pay, "End stays."], ["Intro stays.", "End stays."])
    assert gone.meaning == [("£5,000", ""), ("30 days", ""), ("Supplier must", "")]
    (_, new) = changes(["Intro stays."], ["Intro stays.", pay])
    assert new.meaning == [("", "£5,000"), ("", "30 days"), ("", "Supplier must")]


def test_statements_of_one_place_are_paired_by_likeness() -> None:
    before = ["The alarm is tested every week by the Supplier.", "Keys are numbered and signed for by staff."]
    after = ["Keys are numbered and signed for by all staff.", "Entirely different words stand here now."]
    assert became(before, after) == [Became.REMOVED, Became.CHANGED, Became.ADDED]


LEASE = [
    "3.1 The Tenant may end this Lease by giving six months' notice.",
    "7.2 The Tenant shall not underlet.",
    "8.1 The liability of the Landlord shall not exceed £250,000.",
    "9.1 The Tenant shall insure the building.",
]
DEED = [
    '2.1 In clause 3.1 of the Lease the words "six months\'" are replaced by "nine months\'".',
    "2.2 Clause 7.2 of the Lease is deleted.",
    '2.3 Clause 8.1 is replaced by: "8.1 The liability of the Landlord shall not exceed £400,000."',
    "2.4 From 29 September 2024 the rent is £91,500.",
]


def test_an_amendment_changes_what_it_names_and_no_more() -> None:
    notice, gone, cap, rent = amended(side(LEASE), side(DEED))
    assert notice.meaning == [("six months", "nine months")]
    assert (gone.became, gone.meaning) == (Became.REMOVED, [("Tenant must not", "")])
    assert cap.meaning == [("£250,000", "£400,000")]
    assert [[run.text for run in runs if run.differs] for runs in cap.runs] == [["250,000"], ["400,000"]]
    assert "".join(run.text for run in cap.runs[1]) == DEED[2]
    assert (rent.became, rent.before) == (Became.ADDED, None)


def test_the_head_of_an_amendment_changes_nothing() -> None:
    lease = ["This Lease is made on 3 February 2021 between Ashby and Moore.", *LEASE]
    head = ["Deed of Variation of 14 November 2024", "This Deed is made on 14 November 2024 by both parties."]
    assert amended(side(lease), side([*head, *DEED])) == amended(side(lease), side([*head, *DEED])[2:])
    assert len(amended(side(lease), side([*head, *DEED]))) == len(DEED)


@pytest.mark.parametrize(
    ("title", "beginning", "other", "does"),
    [
        ("Deed of variation of the Lease", "", "Lease of Unit 4", True),
        ("Deed, signed", "It is supplemental to the Lease of Unit 4.", "Lease of Unit 4", True),
        ("amendment-no-1", "To the Master Services Agreement of 2025", "master-services-agreement", True),
        ("Amendment to the Loan", "It amends the Loan.", "Lease of Unit 4", False),
        ("Lease of Unit 5", "This Lease is dated 2 May.", "Lease of Unit 4", False),
        ("Amendment No. 2 to the Lease", "", "Amendment No. 1 to the Lease", False),
        ("Amendment No. 1 to the Supply Agreement", "", "Consulting Agreement", False),
        ("Amendment to the Lease of Unit 4", "", "Lease of Unit 9", False),
        ("Side letter of Acme and Brandt", "It varies the Supply Agreement.", "Brandt price list", False),
        ("Side letter", "This letter varies your contract of employment.", "Employment contract, Lee", True),
        ("Renewal letter", "We refer to the Software Licence of 1 July 2021.", "Software Licence", True),
        ("Change order 3", "to the Cleaning Contract dated 4 March 2022", "Cleaning contract", True),
    ],
)
def test_an_amendment_says_so_and_names_what_it_amends(
    title: str, beginning: str, other: str, does: bool
) -> None:
    assert amends(title, beginning, other) == does


def test_a_document_is_known_by_its_day_and_what_it_calls_itself() -> None:
    deed = "This Deed is supplemental to the Lease dated 14 March 2022."
    for day, does in (("14 March 2022", True), ("2 May 2019", False)):
        assert amends("scan 2", deed, "scan 1", f"This Lease is made on {day}.") == does


AGREED = [
    'In this Lease "Annual Rent" means £62,500; "Break Date" means 31 March 2026; "Term" means ten years '
    "from 1 April 2021 to 31 March 2031.",
    "2.1 The Supplier shall deliver its audited accounts within 120 days after each year.",
    "3.1 The Supplier's service manager is Bo Hill.",
    "4.2 The Supplier shall send a report by post.",
    "4.3 Every guest is met by Bo Hill.",
]


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        (
            "1.1 The definition of Break Date is replaced by: “Break Date” means 31 March 2028.",
            ("31 March 2026", "31 March 2028"),
        ),
        ("With effect from 1 October 2024 the Annual Rent is £70,000.", ("£62,500", "£70,000")),
        ("2.6 The Term ends on 31 March 2034.", ("31 March 2031", "31 March 2034")),
        ("The accounts may be delivered within 180 days after each year.", ("120 days", "180 days")),
        ("Ann Lee replaces Bo Hill as service manager.", ("Bo Hill", "Ann Lee")),
        (
            "In clause 4.2 the words “by post” are deleted and replaced by “by e-mail”.",
            ("by post", "by e-mail"),
        ),
    ],
)
def test_what_an_amendment_changes_is_held_against_it(said: str, meaning: tuple[str, str]) -> None:
    (change,) = amended(side(AGREED), side([said]))
    assert change.became == Became.CHANGED
    assert meaning in change.meaning


def test_what_is_deleted_by_its_words_is_left_out_and_several_clauses_are_each() -> None:
    cut, *gone, added = amended(
        side(AGREED),
        side(
            [
                "In clause 4.2 the words “by post” are deleted.",
                "Clauses 4.2 and 4.3 are deleted.",
                "The Supplier shall pay the Customer a fee of £18,000 for this Deed.",
            ]
        ),
    )
    assert cut.became == Became.CHANGED, "the clause stays"
    assert [(each.became, each.before) for each in gone] == [
        (Became.REMOVED, each) for each in side(AGREED)[3:]
    ]
    assert (added.became, added.before) == (Became.ADDED, None)


def test_nothing_in_common_and_nothing_at_all() -> None:
    assert became([], []) == []
    assert became([PAY], []) == [Became.REMOVED]
    assert became([], [PAY]) == [Became.ADDED]


def test_long_texts_without_anything_in_common_come_to_an_end() -> None:
    before = [f"alpha {number} beta gamma delta" for number in range(4_000)]
    after = [f"alpha x{number} beta gamma delta" for number in range(4_000)]
    assert len(became(before, after)) <= 8_000


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        (
            "Die Vergütung beträgt 18.500 Euro.",
            "Die Vergütung beträgt 21.000 Euro.",
            ("18.500 Euro", "21.000 Euro"),
        ),
        (
            "Die Frist beträgt sechs Monate.",
            "Die Frist beträgt drei Monate.",
            ("sechs Monate", "drei Monate"),
        ),
        (
            "geschlossen am 3. März 2025.",
            "geschlossen am 12. Januar 2026.",
            ("3. März 2025", "12. Januar 2026"),
        ),
        ("Zahlbar binnen 30 Tagen.", "Zahlbar binnen 14 Tagen.", ("30 Tagen", "14 Tagen")),
        (
            "Eine dreimonatige Frist gilt.",
            "Eine sechsmonatige Frist gilt.",
            ("dreimonatige", "sechsmonatige"),
        ),
        ("Er zahlt 500 EUR.", "Er zahlt 500 CHF.", ("500 EUR", "500 CHF")),
        ("Le prix est de 12 000 €.", "Le prix est de 15 000 €.", ("12 000 €", "15 000 €")),
        ("Il prend effet le 1er mars.", "Il prend effet le 1er mai.", ("1er mars", "1er mai")),
        ("El plazo es de dos años.", "El plazo es de tres años.", ("dos años", "tres años")),
        ("本合同有效期为三年。", "本合同有效期为五年。", ("三年", "五年")),
        ("مدة العقد ثلاث سنوات.", "مدة العقد خمس سنوات.", ("ثلاث سنوات", "خمس سنوات")),
        ("خلال ٣٠ يوما.", "خلال ٦٠ يوما.", ("٣٠ يوما", "٦٠ يوما")),
        (
            "A zahlt 5 Euro, B zahlt 9 Euro.",
            "A zahlt 9 Euro, B zahlt 5 Euro.",
            ("5 Euro, 9 Euro", "9 Euro, 5 Euro"),
        ),
    ],
)
def test_figures_dates_and_number_words_of_other_languages_are_of_substance(
    before: str, after: str, expected: tuple[str, str]
) -> None:
    (change,) = changes([before], [after])
    assert change.became == Became.CHANGED
    assert change.meaning == [expected]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("§ 2 Die Vergütung ist fällig.", "§ 3 Die Vergütung ist sofort fällig."),
        ("Er zahlt 12.500,00 € im Jahr.", "Er zahlt im Jahr 12.500,00 Euro."),
        (
            "Jede Partei kann einem Dritten etwas mitteilen.",
            "Jede Partei darf einem Dritten etwas mitteilen.",
        ),
        ("Es wird binnen dreißig Tagen gezahlt.", "Es ist binnen 30 Tagen zu zahlen."),
    ],
)
def test_the_number_of_a_clause_and_another_way_to_write_a_figure_are_none(before: str, after: str) -> None:
    (change,) = changes([before], [after])
    assert change.became == Became.CHANGED
    assert change.meaning == []

"""Two texts statement by statement: what was changed, in words and in meaning."""

import pytest

from digest.comparing import Became, Change, Statement, compared


def changes(before: list[str], after: list[str]) -> list[Change]:
    def side(texts: list[str]) -> list[Statement]:
        return [Statement(text=text, page=1, offset=place) for place, text in enumerate(texts)]

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


def test_nothing_in_common_and_nothing_at_all() -> None:
    assert became([], []) == []
    assert became([PAY], []) == [Became.REMOVED]
    assert became([], [PAY]) == [Became.ADDED]


def test_long_texts_without_anything_in_common_come_to_an_end() -> None:
    before = [f"alpha {number} beta gamma delta" for number in range(4_000)]
    after = [f"alpha x{number} beta gamma delta" for number in range(4_000)]
    assert len(became(before, after)) <= 8_000

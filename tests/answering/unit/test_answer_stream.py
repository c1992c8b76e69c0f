"""The answer as it is shown while a model writes it: text at once, a quotation when its tag is complete."""

import time

from hypothesis import given
from hypothesis import strategies as st

from answering.answer_stream import AnswerStream, Delta
from citations.parse import Quotation

RAW = "Sixty days /citation[c3, not less than sixty (60) days]. A cap /citation[c1, capped at [EUR] 9] too."
SHOWN = "Sixty days ⟦1⟧. A cap ⟦2⟧ too."


def test_a_tag_becomes_a_quotation_and_its_mark() -> None:
    new = AnswerStream().receive(RAW, complete=True)
    assert [one for one in new if isinstance(one, Quotation)] == [
        Quotation(n=1, claim="Sixty days", key="c3", quote="not less than sixty (60) days"),
        Quotation(n=2, claim="A cap too", key="c1", quote="capped at [EUR] 9"),
    ]
    assert "".join(one.text for one in new if isinstance(one, Delta)) == SHOWN


def test_a_tag_that_is_not_complete_is_held_back() -> None:
    stream = AnswerStream()
    stream.receive("Sixty days /citation[c3, not less than si")
    assert stream.shown == "Sixty days "
    stream.receive("Sixty days /citation[c3, not less than sixty] or more")
    assert stream.shown == "Sixty days "  # the rest of the sentence belongs to the claim
    new = stream.receive("Sixty days /citation[c3, not less than sixty] or more. Then")
    assert [one.claim for one in new if isinstance(one, Quotation)] == ["Sixty days or more"]
    assert stream.shown == "Sixty days ⟦1⟧ or more. Then"


def test_a_tag_that_never_ends_is_taken_at_the_end() -> None:
    new = AnswerStream().receive("Sixty days /citation[c3, not less than sixty", complete=True)
    assert [one.quote for one in new if isinstance(one, Quotation)] == ["not less than sixty"]


def test_a_mark_in_what_a_model_writes_is_no_mark() -> None:
    stream = AnswerStream()
    for end in range(1, len(raw := "Trust me ⟦1⟧. Sixty /citation[c3, not less ⟦2⟧ than]. ⟦1⟧") + 1):
        stream.receive(raw[:end])
    stream.receive(raw, complete=True)
    assert stream.shown == "Trust me [1]. Sixty ⟦1⟧. [1]"


def test_many_quotations_are_read_in_moments() -> None:
    line = "It ends in sixty days /citation[c1, sixty (60) days].\n"
    raw, stream = line * 150, AnswerStream()
    begun = time.thread_time()
    for end in range(0, len(raw), 12):
        stream.receive(raw[:end])
    stream.receive(raw, complete=True)
    assert time.thread_time() - begun < 2.0
    assert stream.shown.count("⟦") == 150


def test_nothing_is_given_twice() -> None:
    stream = AnswerStream()
    assert stream.receive(RAW)
    assert stream.receive(RAW) == []


@given(st.lists(st.integers(min_value=0, max_value=len(RAW)), max_size=8))
def test_it_comes_to_the_same_however_it_is_cut(cuts: list[int]) -> None:
    stream, shown, quotations = AnswerStream(), "", []
    for cut in [*sorted(cuts), len(RAW)]:
        for new in stream.receive(RAW[:cut], complete=cut == len(RAW)):
            if isinstance(new, Quotation):
                quotations.append(new.n)
            else:
                assert new.offset == len(shown)
                shown += new.text
    assert (shown, quotations) == (SHOWN, [1, 2])

"""A model that goes round in circles is noticed; tables, lists and leaders are left alone."""

import random

import pytest

from providers.openai.repetition import Watch, loop_in

SENTENCE = "The Supplier shall notify the Customer of the delay without undue delay. "
PROSE = "The notice period is sixty days. It begins when the notice is received. "
RNG = random.Random(7)
WORDS = ["rent", "notice", "lease", "page", "clause", "term", "party"]
AT_RANDOM = " ".join(RNG.choice(WORDS) for _ in range(400))

LOOPS = [
    PROSE + " " * 400,
    PROSE + "\n" * 400,
    PROSE + SENTENCE * 8,
    PROSE + "".join(f"{number}. {SENTENCE}\n" for number in range(1, 10)),
    '{"answer": "Sixty' + "\\n" * 300,
    PROSE + "ha" * 300,
]
GOOD = [
    PROSE,
    "| Year | Rent |\n|---|---|\n"
    + "".join(f"| {1990 + n} | {RNG.randrange(10**6)} {RNG.choice(WORDS)} |\n" for n in range(40)),
    "|" + "---|" * 30,
    "Rent " + "." * 120 + " 7",
    AT_RANDOM,
    "",
]


@pytest.mark.parametrize("number", range(len(LOOPS)))
def test_loops_are_noticed_and_say_where_they_begin(number: int) -> None:
    at = loop_in(LOOPS[number])
    assert at is not None
    assert at < len(LOOPS[number]) / 2
    watch = Watch()
    assert any(watch.add(LOOPS[number][start : start + 7]) for start in range(0, len(LOOPS[number]), 7))


@pytest.mark.parametrize("number", range(len(GOOD)))
def test_text_that_repeats_for_a_reason_is_none(number: int) -> None:
    watch = Watch()
    assert not any(watch.add(GOOD[number][start : start + 7]) for start in range(0, len(GOOD[number]), 7))

"""The claims that the benchmark makes of a sentence: contradictions contradict it, restatements don't."""

import os
import subprocess
import sys
from random import Random

import pytest

from benchmarks.perturbations import tables
from benchmarks.perturbations.pairs import Pair, Sentence
from benchmarks.perturbations.registry import KINDS

MAKERS = {kind.name: kind.make for kind in KINDS}


def made(kind: str, text: str, **around: str) -> Pair | None:
    sentence = Sentence(
        text=text,
        before=around.get("before", ""),
        following=around.get("following", ""),
        other=around.get("other", ""),
        names=("Hallowmere", "Tarnbeck"),
    )
    return MAKERS[kind](sentence, Random(1))


@pytest.mark.parametrize(
    ("kind", "text", "claim"),
    [
        ("antonym", "Costs increased in the spring.", "Costs decreased in the spring."),
        ("able / unable", "It was unable to repay its loans.", "It was able to repay its loans."),
        ("negation put in", "The Supplier shall keep a log.", "The Supplier shall not keep a log."),
        ("negation taken out", "The fee is not repeated.", "The fee is repeated."),
        ("may / must", "The Customer may ask for it.", "The Customer must ask for it."),
        ("million / billion", "It cost $5 million.", "It cost $5 billion."),
        ("at least / at most", "At least ten people came.", "At most ten people came."),
        ("before / after", "It ends before 1 March.", "It ends after 1 March."),
        ("condition dropped", "Either party may end it, unless a fee is due.", "Either party may end it."),
        ("parties swapped", "The Supplier shall pay the Customer.", "The Customer shall pay the Supplier."),
        ("parties swapped", "Tarnbeck has acquired Hallowmere.", "Hallowmere has acquired Tarnbeck."),
        ("head noun dropped", "The sale of the bank was delayed.", "The bank was delayed."),
        ("restriction dropped under all or no", "All staff in Leeds have keys.", "All staff have keys."),
        (
            "attribution dropped",
            "The plaintiff alleged that the company had hidden its losses.",
            "The company had hidden its losses.",
        ),
        ("from ... to turned", "It fell from 31 to 28 days.", "It fell from 28 to 31 days."),
        (
            "word order",
            "In July 2022, we completed an assessment of our servers.",
            "We completed an assessment of our servers in July 2022.",
        ),
        (
            "active / passive",
            "The Supplier shall repair the platform within four hours.",
            "The platform shall be repaired by the Supplier within four hours.",
        ),
        ("active / passive", "The film was directed by Jane Doe.", "Jane Doe directed the film."),
        ("dates written differently", "It began on July 1, 2023.", "It began on 1 July 2023."),
        ("shortened", "The fee (see the schedule) is due on Monday.", "The fee is due on Monday."),
    ],
)
def test_a_claim_is_what_a_person_would_write(kind: str, text: str, claim: str) -> None:
    pair = made(kind, text)
    assert pair is not None
    assert (pair.claim, pair.quote) == (claim, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("antonym", "Prices increased in May and decreased in June."),  # both words are there
        ("million / billion", "The Billion Bank was founded in May."),  # a name
        ("may / must", "May 26 is a holiday in both countries."),  # the month
        ("may / must", "The Customer may only ask once a year."),
        ("parties swapped", "The Supplier and the Customer shall meet."),  # it is the same
        ("figure changed", "It was made on 3 February 2025."),  # no figure but a date
        ("word order", "In addition, the company sold its shares in the bank."),
        ("shortened", "The fee is due (unless it was waived) on Monday."),  # the bracket limits what is said
    ],
)
def test_a_sentence_that_gives_no_sure_claim_is_left_out(kind: str, text: str) -> None:
    assert made(kind, text) is None


def test_a_quote_cut_before_its_condition_keeps_the_passage() -> None:
    pair = made("quote cut before its condition", "Either party may end it, unless a fee is due.")
    assert pair == Pair(
        claim="Either party may end it.",
        quote="Either party may end it",
        context="Either party may end it, unless a fee is due.",
    )


def test_kinds_give_the_same_claims_whatever_the_order_of_hashes() -> None:
    program = (
        "from random import Random\n"
        "from benchmarks.perturbations.pairs import Sentence\n"
        "from benchmarks.perturbations.registry import KINDS\n"
        "text = 'The Supplier shall pay the Customer at least $5 million before 1 July, if costs rise'\n"
        "rest = dict(before='', following='It is sold.', other='Rain fell.', names=('Hall', 'Tarn'))\n"
        "sentence = Sentence(text=text, **rest)\n"
        "print([(kind.name, kind.make(sentence, Random(1))) for kind in KINDS])\n"
    )
    told = [
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert told[0] == told[1]
    assert told[0].count("Pair(") >= 15


def test_a_row_s_figure_belongs_to_its_column() -> None:
    rows = [("Operating income", "(71)", "68"), ("Cost of sales", "(5)", "(6)"), ("Net sales", "120", "110")]
    claims = {(kind, faithful): pair for kind, faithful, pair in tables.claims(rows, Random(1))}
    right = claims["table row restated", True]
    wrong = claims["figure of the other column", False]
    assert right.quote == wrong.quote
    assert "120" in right.claim
    assert wrong.claim == right.claim.replace("120", "110")
    assert claims["loss of a row without its sign", False].claim.startswith("Operating income was 71 in")

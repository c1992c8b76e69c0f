"""The worth and kind of a piece of text: good passages score above fragments and noise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingestion.chunks.chunk_quality import (
    completeness,
    information_density,
    kind,
    quality,
    vocabulary_richness,
)

PROSE = (
    "Revenue of the cloud segment rose by 24 percent to 25.7 billion dollars, driven by Azure. "
    "Operating costs grew more slowly, because datacentre capacity had been bought in the year before. "
    "Management expects both trends to last through the second half of the fiscal year."
)
LINES = PROSE.replace(". ", ".\n")
FRAGMENT = "and of the same, which the same of the other was to be, and the other of the"
TABLE = "Revenue 2022 2021\nCloud 25,699 20,713\nDevices 4,996 4,776\nTotal $ 30,695 $ 25,489"
CONTENTS = "Introduction ............ 3\nMethods .............. 17\nResults . . . . . . . . 24"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PROSE, "prose"),
        (TABLE, "table"),
        ("Name\tImogen Varley\tMarguerite Ashdown\nPosition\tDirector\tChief\nSigned\tyes\tyes", "table"),
        ("(a)\tThe tenant pays on time.\n(b)\tThe tenant keeps no dogs.\n(c)\tThe tenant is quiet.", "list"),
        (CONTENTS, "boilerplate"),
        ("Page 4 of 18", "boilerplate"),
        ("© 2023 Example Press. All rights reserved.", "boilerplate"),
        ("* * *", "boilerplate"),
        ("Item 2. Management's Discussion and Analysis", "heading"),
        ("NOTE 5 — INVESTMENTS", "heading"),
        ("3. What a proof must show", "heading"),
        ("2.3 The arithmetic and the geometric means", "heading"),
        ("2.3 The Supplier must keep the data", "clause"),
        ("3.1 When an estimator agrees with the mean", "heading"),
        ("2. What must hold for a set to be open? We look at three examples of it.", "prose"),
        (f"2. The inverted index\n\n{LINES}\nAn index must fit into memory.", "prose"),
        ("2. Passwords\nPasswords must have 12 letters.\nThey must be changed each year.", "clause"),
        (f"2. Fees\n\n{LINES}\nThe Customer shall pay them.", "clause"),
        ("6.1 When the term ends, the Supplier shall return the data.", "clause"),
        ("7. The tenant must sign before moving in. Which form is used?", "clause"),
        ("4.2 The tenant shall not sublet the flat without the landlord's consent.", "clause"),
        ("(b) Confidential Information means all that is marked so when it is given.", "clause"),
        ("The parts are:\n• a pump\n• a valve\n• a filter", "list"),
        ("1. Open the lid.\n2. Fill in water.\n3. Close the lid.", "list"),
    ],
)
def test_kind(text, expected):
    assert kind(text) == expected


def test_a_passage_scores_above_fragments_tables_of_contents_and_nothing():
    assert quality(PROSE) > 0.9
    assert quality(PROSE) > quality(TABLE) > quality(CONTENTS)
    assert quality(PROSE) > quality(FRAGMENT) + 0.4
    assert quality("") == 0
    assert quality("... --- ...") < 0.2


def test_the_parts_are_weighed_as_documented():
    parts = 0.3 * vocabulary_richness(PROSE) + 0.4 * information_density(PROSE) + 0.3 * completeness(PROSE)
    assert quality(PROSE) == pytest.approx(parts)


def test_repetition_lowers_richness_and_function_words_lower_density():
    assert vocabulary_richness("alpha beta gamma delta") > vocabulary_richness("alpha alpha alpha alpha")
    assert information_density("turbine output doubled") > information_density("it was of the one")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The pump stops when the tank is full.", 1.0),
        ("pump stops when the tank is full.", 0.6),
        ("The pump stops when the tank is", 0.4),
        ("stops when the", 0.0),
    ],
)
def test_completeness(text, expected):
    assert completeness(text) == pytest.approx(expected)


@given(st.text(max_size=300))
def test_any_text_has_a_kind_and_a_quality_between_0_and_1(text):
    assert 0 <= quality(text) <= 1
    assert kind(text) in {"heading", "prose", "clause", "list", "table", "boilerplate"}

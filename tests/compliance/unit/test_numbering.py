"""A regulation is cut by its numbering; numbers in the midst of sentences begin nothing."""

import time

import pytest

from desks.compliance.frameworks.numbering import cut
from desks.compliance.frameworks.reading.draft import checked
from formats.base.errors import ExtractionError

LAW = """Whereas:
(1) In the digital age, much has changed.
CHAPTER I
General provisions
Article 1
Subject matter
1. This Regulation lays down requirements
that refer to
Article 28 of another law, as follows:
(a) the first point; and
(b) the second point, which has
(i) an inner point;
(ii) another one.
2. It is binding.
Article 2 - Scope
This Regulation applies to everybody.
CHAPTER II
Duties
Article 3
Notice
1. The provider shall give notice.
"""


def test_chapters_articles_paragraphs_and_points() -> None:
    draft = checked(cut("Law", [LAW]))
    assert [(node.depth, node.ref, node.title) for node in draft.nodes] == [
        (0, "Chapter I", "General provisions"),
        (1, "Article 1", "Subject matter"),
        (2, "1.1", ""),
        (3, "1.1.a", ""),
        (3, "1.1.b", ""),
        (4, "1.1.b.i", ""),
        (4, "1.1.b.ii", ""),
        (2, "1.2", ""),
        (1, "Article 2", "Scope"),
        (0, "Chapter II", "Duties"),
        (1, "Article 3", "Notice"),
        (2, "3.1", ""),
    ]
    words = {node.ref: node.text for node in draft.nodes}
    assert words["1.1"].endswith("that refer to Article 28 of another law, as follows:")
    assert words["Article 2"] == "This Regulation applies to everybody."
    assert [node.ref for node in draft.nodes if node.is_assessable] == [
        "1.1.a",
        "1.1.b.i",
        "1.1.b.ii",
        "1.2",
        "Article 2",
        "3.1",
    ]


def test_decimal_clauses_and_running_heads() -> None:
    pages = [
        f"House rules\n{n}. Topic {n}\n{n}.1 The first duty.\n{n}.2 The second duty.\n{n} of 5"
        for n in range(1, 6)
    ]
    draft = checked(cut("Rules", pages))
    assert [(node.depth, node.ref) for node in draft.nodes[:4]] == [
        (0, "1"),
        (1, "1.1"),
        (1, "1.2"),
        (0, "2"),
    ]
    assert all("House rules" not in node.text and "of 5" not in node.text for node in draft.nodes)


def test_points_go_on_behind_the_letter_h() -> None:
    points = "\n".join(f"({letter}) point {letter} is here" for letter in "abcdefghij")
    draft = cut("Law", [f"Article 1\nDuties\n1. The contract has:\n{points}"])
    assert [node.ref for node in draft.nodes[-3:]] == ["1.1.h", "1.1.i", "1.1.j"]


def test_a_text_without_numbers_is_refused() -> None:
    with pytest.raises(ExtractionError, match="no numbered"):
        cut("Poem", ["The rose is red.\nThe violet is blue."])


def test_a_number_of_thousands_of_digits_begins_nothing() -> None:
    draft = cut("Law", [f"Article 1\nDuties\nArticle {'9' * 5000}\nChapter {'i' * 5000}"])
    assert [node.ref for node in draft.nodes] == ["Article 1"]


def test_twenty_thousand_clauses_and_long_pages_are_cut_within_seconds() -> None:
    """Each clause is compared with the last ones, each line with those that most pages have."""
    clauses = "\n".join(f"{number % 900 + 1}.1 Clause {number} in words." for number in range(20_000))
    pages = [f"Rules\n{clauses[start : start + 100_000]}" for start in range(0, len(clauses), 100_000)]
    begun = time.process_time()
    assert len(cut("Rules", pages).nodes) > 19_000
    assert time.process_time() - begun < 5

"""The numbers in a memo's text, and what files make of them."""

from typing import Any

from memos.citing import cited_in, in_order, marked, uncited, with_words


def source(n: int) -> dict[str, Any]:
    return {"n": n, "document": 1, "title": "Lease", "pages": [1], "where": "page 1", "quote": f"q{n}"}


SOURCES = [source(n) for n in (1, 2, 3)]


def test_files_count_the_sources_in_the_order_of_the_text() -> None:
    cited = cited_in("Rent [3], deposit [1], rent again [3].", SOURCES)
    assert [each["n"] for each in in_order(SOURCES, cited)] == [3, 1]
    assert [each["n"] for each in uncited(SOURCES, cited)] == [2]
    assert with_words(marked("Rent [3], deposit [1]."), cited) == "Rent [1], deposit [2]."


def test_a_number_without_a_source_says_so() -> None:
    cited = cited_in("Due [9]. Paid [2].", SOURCES)
    assert cited.missing == [9]
    assert with_words(marked("Due [9]. Paid [2]."), cited) == "Due (9: no source). Paid [1]."


def test_what_is_escaped_cites_nothing() -> None:
    text = r"Exhibit \[1\], [1a] and [a]."
    assert cited_in(text, SOURCES).shown == {}
    assert cited_in(r"A backslash \\[1]", SOURCES).shown == {1: 1}

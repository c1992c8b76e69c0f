"""Under which headings a part of a document stands."""

import pytest

from formats.base.layout import NOTHING_SAID
from ingestion.structure.headings import Outline, paths
from ingestion.structure.numbered_headings import numbered_headings as headings

CONTRACT = """Agreement
1. Definitions
In this Agreement "Fee" means the fee.
2. Term
2.1 Start
The Agreement starts on 1 May 2024.
2.2 End
It ends after
12 Months have passed.
3. Charges
The Customer shall pay within 30 days.
Schedule 1: Prices
1. Licences
Each costs 5 euro.
"""


def path_at(text: str, offset: int) -> str:
    outline = Outline()
    outline.add(text, 0, NOTHING_SAID, [], "")
    before = [path for heading, path in paths(outline.headings()) if heading.start <= offset]
    return before[-1] if before else ""


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("Agreement\n", ""),
        ('"Fee" means', "1. Definitions"),
        ("starts on", "2. Term › 2.1 Start"),
        ("have passed", "2. Term › 2.2 End"),
        ("within 30 days", "3. Charges"),
    ],
)
def test_numbered_headings_make_the_path(words: str, path: str) -> None:
    assert path_at(CONTRACT, CONTRACT.index(words)) == path


def test_the_items_of_a_list_are_no_headings() -> None:
    text = "1. Scope\n2. Term\n\n1. Scope\nThe fee:\n1. Basic rent\n2. Extra rent\n2. Term\nOne year"
    assert [heading.name for heading in headings(text)] == ["1. Scope", "2. Term"]
    assert path_at(text, text.index("One year")) == "2. Term"
    assert path_at(text, text.index("Extra rent")) == "1. Scope"


def test_a_schedule_begins_to_count_again() -> None:
    assert path_at(CONTRACT, CONTRACT.index("Schedule 1") + 5) == "Schedule 1: Prices"
    assert path_at(CONTRACT, CONTRACT.index("Each costs")) == "Schedule 1: Prices › 1. Licences"


def test_markdown_and_letters() -> None:
    text = "# Guide\nHello.\n## Setup\nDo it.\n# Use\nUse it.\n"
    assert path_at(text, text.index("Do it")) == "Guide › Setup"
    assert path_at(text, text.index("Use it")) == "Use"
    text = "A. Organisation\nWho?\nB. Where data is kept\nHere.\n"
    assert path_at(text, text.index("Here")) == "B. Where data is kept"


@pytest.mark.parametrize(
    "line",
    [
        "2023 Annual report",
        "12 Months have passed",
        "3.1 The Customer shall pay the fee.",
        "7\t8\t9",
        "1 Total\t2.1\t3.4",
        "A customer pays",
        "5. Fees",
    ],
)
def test_other_lines_are_no_headings(line: str) -> None:
    assert not list(headings(f"Text\n{line}\nmore"))


@pytest.mark.parametrize(
    "text",
    [
        "The meeting was short.\n3 Directors were elected\n4 Members resigned\nAll agreed.",
        "1. Elections\nThe meeting was short.\n2 Directors were elected\n3 Members resigned\nAll agreed.",
    ],
)
def test_figures_in_running_text_are_no_headings(text: str) -> None:
    assert [heading.name for heading in headings(text)] in ([], ["1. Elections"])


def test_a_part_of_a_document_may_begin_with_any_number_that_has_a_dot() -> None:
    text = "3. Charges\nPay.\n3.1 Invoices\nMonthly.\n4. Term\nOne year."
    assert path_at(text, text.index("Monthly")) == "3. Charges › 3.1 Invoices"
    assert path_at(text, text.index("One year")) == "4. Term"

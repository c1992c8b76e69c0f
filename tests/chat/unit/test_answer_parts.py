"""An answer's Markdown as the parts that Word and PDF files are made of."""

from chat.web.files.answer_parts import PartKind, Run, parts_of


def test_headings_keep_their_level_and_words_their_emphasis() -> None:
    heading, paragraph = parts_of("## Rent\n\nIt is **900\neuro** a *month*, paid\nearly.")
    assert (heading.kind, heading.level, heading.text) == (PartKind.HEADING, 2, "Rent")
    assert paragraph.text == "It is 900 euro a month, paid early."
    assert [run for run in paragraph.stretches if run.text != " "] == [
        Run(text="It is"),
        Run(text="900 euro", strong=True),
        Run(text="a"),
        Run(text="month", emphasis=True),
        Run(text=", paid early."),
    ]


def test_each_numbered_list_begins_at_one() -> None:
    parts = list(parts_of("1. a\n2. b\n\nthen\n\n1. c"))
    assert [part.number for part in parts] == [1, 2, 0, 1]


def test_a_row_that_is_quoted_stays_a_row_under_its_heads() -> None:
    quoted, table = parts_of("> As it says:\n>\n> | Europe | 2023 |\n> | --- | --- |\n> | Net sales | $20 |")
    assert (quoted.kind, quoted.text) == (PartKind.QUOTE, "As it says:")
    assert (table.kind, table.rows) == (PartKind.TABLE, [["Europe", "2023"], ["Net sales", "$20"]])

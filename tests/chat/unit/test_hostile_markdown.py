"""Text that somebody wrote to be slow: a page or a file of it takes seconds, not minutes."""

import time
from collections.abc import Callable

import pytest

from chat.web.answers.rendering import SPACE_BEFORE_MARK, blocks
from chat.web.files.answer_parts import parts_of
from chat.web.files.word_paper import WordPaper
from citations.marks import mark, numbered
from text.normal_forms.verbatim import inert

LONGEST = 100_000  # characters of a memo
SECONDS = 20.0  # of a processor; what is quadratic takes minutes


def shown(text: str) -> None:
    for block in blocks(text):
        SPACE_BEFORE_MARK.sub("", block)


def as_markdown(text: str) -> None:
    inert(numbered(text, ["a quote"]))


def as_word(text: str) -> None:
    paper = WordPaper("Memo", "")
    paper.parts(parts_of(text))
    paper.file()


@pytest.mark.parametrize(
    "text",
    [
        "```\na" + " " * LONGEST + "b\n```",
        "\\" * LONGEST,
        "\\" * LONGEST + "[1]",
        "[1, " * LONGEST,
        "</a>" * LONGEST,
        "![" * LONGEST,
        (" " * 50 + mark(1)) * LONGEST,
    ],
    ids=["spaces", "backslashes", "backslashes and a number", "numbers", "tags", "pictures", "marks"],
)
@pytest.mark.parametrize("act", [shown, as_markdown])
def test_signs_without_end_take_seconds(act: Callable[[str], None], text: str) -> None:
    began = time.process_time()
    act(text[:LONGEST])
    assert time.process_time() - began < SECONDS


def test_a_word_file_of_many_headings_takes_seconds() -> None:
    began = time.process_time()
    as_word("# a\n" * (LONGEST // 20))
    assert time.process_time() - began < SECONDS / 3

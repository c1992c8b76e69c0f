"""What documents say is shown letter by letter, whatever Markdown would make of it."""

import re
from html import unescape

import pytest
from markdown_it import MarkdownIt

from answering.answer_stream import AnswerStream
from answering.extractive.candidates import Candidate, Passage
from answering.extractive.choice import Choice
from answering.extractive.model import written
from chat.web.answers.rendering import blocks
from citations.marks import MARK, numbered
from text.normal_forms.verbatim import inert, verbatim

SAID = [
    "12. The Tenant shall pay the rent on the first day.",
    "5) The Landlord shall repair the roof.",
    "- The keys are handed over at noon.",
    "+ 4 % on the year before, in all shops.",
    "# 7 is the number of the flat.",
    "> The keys were lost, as you write.",
    "Freezing helps, as others have shown [12], [3, 4] and [ 7 ].",
    "[1] is the first of the notes.",
    "AT&amp;T writes &lt;b&gt; and &copy; where others do not.",
    "The effect was small (p <a) and x<!y in <b>all</b> cases.",
    "Put it into C:\\temp\\[x], as A*B*C, __init__ or ~~x~~ with `code`.",
    "See ![the picture](x.png) and [the page](http://example.org) for 5 \\& 6.",
    "Some write F #, and others C ##",
    "--- marks the end of a part in these files.",
]


def quoting(text: str) -> str:
    """The answer without a language model that quotes the text, as it is stored."""
    passage = Passage(key="c1", document="Lease", text=text, score=0.5)
    quote = Candidate(
        passage=passage, start=0, end=len(text), text=text, around="", beside="", kind="sentence"
    )
    stream = AnswerStream()
    stream.receive(written(Choice(quotes=(quote,), found="all")), complete=True)
    return stream.shown


def words(html: str) -> str:
    return unescape(re.sub(r"<[^>]+>", "", html)).strip()


def rendered(markdown: str) -> str:
    return words(MarkdownIt("gfm-like", {"html": True, "linkify": False}).render(markdown))


@pytest.mark.parametrize("said", SAID)
def test_a_quote_is_exact_on_the_page(said: str) -> None:
    assert MARK.sub("", words("".join(blocks(quoting(said))))).strip() == said


@pytest.mark.parametrize("said", SAID)
def test_a_quote_is_exact_where_it_leaves(said: str) -> None:
    answer = quoting(said)
    assert rendered(numbered(answer, [said])) == f"{said} [1]"
    assert rendered(numbered(inert(answer), [said])) == f"{said} [1]"
    assert rendered(inert(verbatim(said))) == said


@pytest.mark.parametrize("said", SAID)
def test_only_the_source_has_its_number_in_plain_brackets(said: str) -> None:
    assert re.findall(r"(?<!\\)\[[\d, ]+\]", numbered(quoting(said), [said])) == ["[1]"]


def test_what_a_model_adds_to_a_quote_or_writes_as_one_looks_like_no_source() -> None:
    quote = "Backups are kept for thirty days [12]."
    answer = f"> {quote} So it is [1].\n\n> Nothing of the kind [2].\n\nAll is well [3].\n\n> {quote} ⟦1⟧"
    told = numbered(answer, [quote])
    assert rendered(told).split("\n")[-1] == f"{quote} [1]"
    assert re.findall(r"\[\d+\]", rendered(told)) == ["[12]", "[1]"]

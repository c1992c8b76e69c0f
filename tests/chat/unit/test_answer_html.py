"""An answer as HTML: nothing of it can act, and each chip stands behind the claim that it proves."""

import re

import pytest

from chat.models import Citation, Conversation, Turn
from chat.web.answers.rendering import blocks, growing_blocks, with_chips, with_unsourced
from citations.choices import OnPage, Support
from citations.marks import mark
from citations.unsourced import sentences_without_source


def turn() -> Turn:
    return Turn(conversation=Conversation(datasource_id=7), number=1)


def cited(
    claim: str, on_page: OnPage = OnPage.EXACT, support: Support = Support.SUPPORTED, n: int = 1
) -> dict[int, Citation]:
    citation = Citation(n=n, claim=claim, document_title="Lease", pages=[1], on_page=on_page, support=support)
    return {n: citation}


# --- blocks ----------------------------------------------------------------------------------------------
def test_each_paragraph_list_and_table_is_a_block() -> None:
    found = blocks("One.\n\n- a\n- b\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n> said")
    assert [re.match(r"<(\w+)", block)[1] for block in found] == ["p", "ul", "table", "blockquote"]  # type: ignore[index]


def test_headings_stay_below_those_of_the_page() -> None:
    assert blocks("# Top\n\n### Third\n\n###### Sixth") == [
        "<h3>Top</h3>",
        "<h5>Third</h5>",
        "<h6>Sixth</h6>",
    ]


@pytest.mark.parametrize(
    "answer",
    [
        "<script>alert(1)</script>",
        '<img src="https://evil.example/x.png">',
        "![x](https://evil.example/x.png)",
        "[click](https://evil.example)",
        "[click](javascript:alert(1))",
        '<p onclick="alert(1)">x</p>',
        '<a href="https://evil.example">x</a>',
    ],
)
def test_nothing_in_an_answer_can_act_or_call_a_server(answer: str) -> None:
    html = "".join(blocks(answer))
    assert not re.search(r"<(?:script|img|a|iframe)\b|<\w+ ", html)


def test_emphasis_that_is_still_open_is_shown_as_emphasis() -> None:
    assert growing_blocks("This is **impor") == ["<p>This is <strong>impor</strong></p>"]
    assert growing_blocks("This is **important**.") == ["<p>This is <strong>important</strong>.</p>"]


def test_an_empty_answer_has_no_block() -> None:
    assert blocks("") == []


# --- chips -----------------------------------------------------------------------------------------------
def test_the_claim_before_a_chip_is_marked_and_no_more() -> None:
    html = with_chips(
        f"<p>First. Kept for thirty days. {mark(1)}</p>", turn(), cited("Kept for thirty days.")
    )
    assert "First. <span data-claim>Kept for thirty days.\u2060</span>" in html


def test_a_claim_with_emphasis_keeps_its_tags_whole() -> None:
    block = f"<p>So: <strong>thirty days</strong> at most {mark(1)}.</p>"
    html = with_chips(block, turn(), cited("thirty days at most"))
    assert "<span data-claim><strong>thirty days</strong> at most\u2060</span>" in html


def test_a_claim_without_source_is_marked_as_such() -> None:
    html = with_chips(
        f"<p>Free pizza {mark(1)}</p>", turn(), cited("Free pizza", OnPage.ABSENT, Support.NONE)
    )
    assert '<span data-claim class="unsourced">Free pizza\u2060</span>' in html


@pytest.mark.parametrize(
    ("answer", "underlined"),
    [
        (f"Dogs are great. The moon is cheese {mark(1)}.", ["Dogs are great."]),
        (f"**Dogs** are *great*. It is so {mark(1)}.", ["<strong>Dogs</strong> are <em>great</em>."]),
        (f"It is kept for years {mark(1)}. - It is so and so.", ["- It is so and so."]),
        (f"So it is that dogs are great {mark(1)}.", []),
        (f"Notice is given. {mark(1)} No.", ["No."]),
        (f"It is not so. {mark(1)} p click more", ["p click more"]),
        ("# Dogs must be great", ["Dogs must be great"]),
        ("```\nDogs are great. Cats are, too.\n```", ["Dogs are great.", "Cats are, too."]),
        ("    Dogs are great", ["Dogs are great"]),
        (f"*So it is {mark(1)}. Dogs are* very *great. It is so {mark(2)}.*", []),
    ],
)
def test_a_sentence_that_cites_nothing_is_underlined(answer: str, underlined: list[str]) -> None:
    (block,) = blocks(answer)
    html = with_unsourced(block, sentences_without_source(answer))
    found = [each.partition("</span>")[0] for each in html.split('<span class="unsourced">')[1:]]
    assert [each.lstrip("- ") for each in found] == [each.lstrip("- ") for each in underlined]
    assert html.replace('<span class="unsourced">', "").replace("</span>", "") == block


def test_a_chip_stays_on_the_line_of_the_word_before_it() -> None:
    html = with_chips(f"<p>Kept {mark(1)}</p>", turn(), cited("Kept"))
    assert "Kept\u2060</span><a" in html


def test_a_citation_that_is_not_checked_yet_has_a_chip_and_no_claim() -> None:
    html = with_chips(f"<p>Kept {mark(1)}</p>", turn(), {})
    assert "data-claim" not in html
    assert mark(1) not in html


def test_the_caret_stands_inside_the_last_element() -> None:
    html = with_chips("<ul><li>Kept</li></ul>", turn(), {}, caret=True)
    assert html == '<ul><li>Kept<span class="caret"></span></li></ul>'


@pytest.mark.parametrize(
    "forged", ["&#10214;1&#10215;", "&#x27E6;1&#x27e7;", "&lobrk;1&robrk;", "&#10214;&#49;⟧"]
)
def test_only_code_makes_chips(forged: str) -> None:
    answer = f"Trust me {forged}. Kept {mark(1)}."
    html = "".join(with_chips(block, turn(), cited("Kept")) for block in blocks(answer))
    assert html.count("<a class=") == 1
    assert "Trust me [1" in html


def test_a_whole_answer_has_its_chips_in_order() -> None:
    citations = cited("One", n=1) | cited("Two", n=2)
    html = "".join(
        with_chips(block, turn(), citations) for block in blocks(f"One {mark(1)}\n\nTwo {mark(2)}")
    )
    assert html.index("Source 1") < html.index("Source 2")

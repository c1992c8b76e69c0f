"""An answer's Markdown as safe HTML, block by block: sanitised first, then with citation chips."""

import re
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

import nh3
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from chat.citation_rows.newer_version import Since
from chat.models import Citation, Turn
from chat.web.answers import badges
from citations.marks import MARK, mark, unmarked
from citations.parse import WORD_JOINER
from text.normal_forms.spaceless import LETTERS

# No links and no images: the words of a document must not lead to other sites or call a server.
TAGS = {
    *("p", "br", "hr", "strong", "em", "del", "code", "pre", "blockquote", "ul", "ol", "li"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
INLINE = {"strong", "em", "del", "code"}
HEADING = re.compile(r"(</?h)([1-6])>")
SPACE_BEFORE_MARK = re.compile(rf"(?<!\s)\s*({MARK.pattern})")  # from the first space on, in linear time
CLOSING_TAGS = re.compile(r"(?:</\w+>\s*)*$")
LOOKS = {badges.ABSENT: "unsourced", badges.CONTRADICTED: "contradicted"}  # of a claim
CARET = '<span class="caret"></span>'
OPENING_TAG = re.compile(r"<(?:strong|em|del|code)>$")
SIGNS_AND_CLOSING_TAGS = re.compile(r"(?:[.!?”’)]|</(?:strong|em|del|code)>)*")
BESIDE_WITHIN_WORD = re.compile(rf"[^\W{LETTERS}]")  # a letter of a script that parts words by spaces
PIECE = re.compile(r"</?(\w+)[^>]*>|&[^;\s]+;|[^<&]|.", re.DOTALL)

_markdown = MarkdownIt("commonmark", {"html": False, "breaks": False}).enable(["table", "strikethrough"])


def anchor(turn: Turn) -> str:
    """What the ids of a turn's elements begin with."""
    return f"t{turn.pk.hex[:8]}"


def turn_address(turn: Turn) -> str:
    """The page of the conversation, in the branch of the turn and at its question."""
    conversation = turn.conversation
    page = reverse("conversation", args=[conversation.datasource_id, conversation.pk])
    return f"{page}?turn={turn.number}#{anchor(turn)}"


def source_address(turn: Turn, n: int) -> str:
    """The page of the conversation with that source open beside it."""
    conversation = turn.conversation
    page = reverse("conversation", args=[conversation.datasource_id, conversation.pk])
    return f"{page}?turn={turn.number}&cite={n}"


def blocks(answer: str) -> list[str]:
    """Sanitised HTML of each paragraph, list, table and so on, with the citation marks still in it.

    Markdown also turns entities such as &#10214; into brackets; only real marks carry a seal.
    """
    seal = secrets.token_hex(8)
    environment: dict[str, object] = {}
    tokens = _markdown.parse(MARK.sub(rf"⟦{seal}\1⟧", answer), environment)
    html_blocks, begun, depth = [], 0, 0
    for position, token in enumerate(tokens):
        depth += token.nesting
        if depth == 0:
            html = _markdown.renderer.render(tokens[begun : position + 1], _markdown.options, environment)
            safe = nh3.clean(_lower_headings(html), tags=TAGS, attributes={}).strip()
            html_blocks.append(_opened(safe, seal))
            begun = position + 1
    return html_blocks


def _opened(html: str, seal: str) -> str:
    """Remove the seal from the marks that carry it, and all other marks."""
    pieces = re.split(rf"⟦{seal}(\d+)⟧", html)
    return "".join(mark(int(piece)) if place % 2 else unmarked(piece) for place, piece in enumerate(pieces))


def growing_blocks(answer: str) -> list[str]:
    """The same for an answer that is still being written: open emphasis is shown as emphasis."""
    last = answer.rstrip()
    paragraph = last.rpartition("\n\n")[2]
    if paragraph.count("**") % 2 and not last.endswith("*"):
        answer = f"{last}**"
    return blocks(answer)


def marks_in(html: str) -> list[int]:
    """The numbers of the citations in a block, in order."""
    return [int(n) for n in MARK.findall(html)]


def with_chips(
    html: str,
    turn: Turn,
    citations: Mapping[int, Citation],
    *,
    caret: bool = False,
    since: Mapping[int, Since] | None = None,
) -> SafeString:
    """A block with its claims and chips; a mark whose citation is not stored yet is a chip being checked."""
    newer = since or {}
    html = SPACE_BEFORE_MARK.sub(rf"{WORD_JOINER}\1", html)
    parts = []
    end = 0
    for match in MARK.finditer(html):
        n = int(match[1])
        citation = citations.get(n)
        parts += [_with_claim(html[end : match.start()], citation), chip(n, turn, citation, newer)]
        end = match.end()
    done = "".join(parts) + html[end:]
    if caret:
        closing = CLOSING_TAGS.search(done)
        assert closing  # it may be empty
        done = done[: closing.start()] + CARET + closing[0]
    return mark_safe(done)  # nh3 has cleaned it, the chip's template escapes


def with_unsourced(html: str, sentences: Iterable[str]) -> str:
    """The block, marks included, with these sentences underlined, except where one crosses an element."""
    for sentence in sentences:
        letters, places = "", []
        for match in PIECE.finditer(MARK.sub(lambda found: "\0" * len(found[0]), html)):
            if not match[1] and (match[0].isalnum() or match[0] == "\0"):
                letters += match[0]
                places.append(match.start())
        sought = "".join(filter(str.isalnum, sentence))
        found = _whole_words(html, letters, places, sought)
        if found is None:
            continue
        start, end = found
        end += len(SIGNS_AND_CLOSING_TAGS.match(html[end:])[0])  # type: ignore[index]  # matches nothing too
        inner = start
        while opened := OPENING_TAG.search(html[:start]):
            start = opened.start()
        start = next((at for at in (start, inner) if _is_balanced(html[at:end])), end)
        if start < end:
            html = f'{html[:start]}<span class="unsourced">{html[start:end]}</span>{html[end:]}'
    return html


def _whole_words(html: str, letters: str, places: Sequence[int], sought: str) -> tuple[int, int] | None:
    """Where these letters stand in the block, neither within words nor as the end of a sentence that has a
    source.
    """
    at = letters.find(sought) if sought else -1
    while at >= 0:
        last = at + len(sought) - 1
        start, end = places[at], places[last] + 1
        around = html[start - 1 : start] + html[end : end + 1]
        if letters[last + 1 : last + 2] != "\0" and not BESIDE_WITHIN_WORD.search(around):
            return start, end
        at = letters.find(sought, at + 1)
    return None


def _is_balanced(html: str) -> bool:
    """Whether each inline element that begins in it ends in it, and no other one does."""
    tags = [(tag, -1 if piece.startswith("</") else 1) for tag, piece in _pieces(html) if tag]
    depths = list(accumulate((step for _, step in tags), initial=0))
    return INLINE.issuperset(tag for tag, _ in tags) and min(depths) == depths[-1] == 0


def _lower_headings(html: str) -> str:
    """The page has its own h1 and h2: an answer begins at h3."""
    return HEADING.sub(lambda tag: f"{tag[1]}{min(int(tag[2]) + 2, 6)}>", html)


def chip(
    n: int, turn: Turn, citation: Citation | None, since: Mapping[int, Since] | None = None
) -> SafeString:
    """A citation's number as a link to its source; without a citation, a sign that it is being checked.
    since: what became of the documents of citations, by primary key.
    """
    context: dict[str, Any] = {"n": n, "turn": turn, "citation": citation, "id": f"c{anchor(turn)}-{n}"}
    if citation:
        context |= {"address": source_address(turn, n), "badge": badges.of(citation)}
        context["since"] = (since or {}).get(citation.pk)
    return mark_safe(render_to_string("chat/_chip.html", context).strip())  # the template escapes


def _with_claim(html: str, citation: Citation | None) -> str:
    """Put the claim at the end of `html`, as far as it is in this part, into a span of its own."""
    if citation is None:
        return html
    start = _claim_start(html, sum(letter.isalnum() for letter in citation.claim))
    claim = html[start:]
    if not any(piece.isalnum() for tag, piece in _pieces(claim) if not tag):
        return html
    css = f' class="{LOOKS[badge]}"' if (badge := badges.of(citation)) in LOOKS else ""
    return f"{html[:start]}<span data-claim{css}>{claim}</span>"


def _pieces(html: str) -> Iterator[tuple[str, str]]:
    """(name of the tag or "", the piece) for each tag, entity and letter."""
    for piece in PIECE.finditer(html):
        yield piece[1] or "", piece[0]


def _claim_start(html: str, letters: int) -> int:
    """Where the last so many letters of the text begin, in one block and with every inline tag whole."""
    pieces = list(_pieces(html))
    position = best = len(html)
    depth = 0  # of inline elements that begin before `position`
    for tag, piece in reversed(pieces):
        if tag and tag not in INLINE:
            break
        if letters <= 0 and depth == 0 and not tag:
            break
        position -= len(piece)
        if tag:
            depth += 1 if piece.startswith("</") else -1
            if depth < 0:  # the element ends after the mark: the claim begins inside it
                break
        elif piece.isalnum():
            letters -= 1
        if depth == 0:
            best = position
    return best

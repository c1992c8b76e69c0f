"""answer.html: a pack for people, on one page that needs no other file and no network."""

import base64
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from chat.exports import told_in_answer
from chat.models import Citation, Turn, TurnStatus
from chat.web.answers import badges, rendering
from chat.web.answers.badges import Badge
from chat.web.answers.source import Source
from chat.web.answers.verdict_line import VerdictLine, line_of
from chat.web.files.quote_pictures import Picture
from chat.wording import unsourced
from citations.marks import MARK
from exchange.packs.content import Content, claim_of, says_more, shown_citations, summary
from exchange.packs.keys import PublicKey
from exchange.packs.page_frame import policy, style
from exchange.packs.pictures import PackPictures

_ANSWERS = "\0answers\0"  # where they stand in the page


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownPicture:
    """address: the picture itself as a data URL, or where it is. whole: where its whole page is, if shown."""

    page: int
    width: int
    height: int
    address: str
    whole: str = ""

    @classmethod
    def of(cls, picture: Picture) -> "ShownPicture":
        address = f"data:image/png;base64,{base64.b64encode(picture.png).decode()}"
        return cls(page=picture.page, width=picture.width, height=picture.height, address=address)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownQuote:
    """told: what pack.json says of it. badges: about the quote, and about the claim where one was judged.
    says, quotes: whether what the answer says, and the quote, are to be told: each once.
    """

    told: dict[str, Any]
    source: Source
    says: bool
    quotes: bool
    badges: list[Badge]
    pictures: Sequence[ShownPicture]


def answer_page(
    content: Content, facts: dict[str, Any], pictures: PackPictures, key: PublicKey, written: datetime
) -> Iterator[str]:
    """The page in pieces, one for each answer, so that the pictures of all are never in memory together."""
    values = {
        "content": content,
        "facts": facts,
        "key": key,
        "written": written,
        "summary": summary(content),
        "style": style(),
        "policy": policy(),
        "answers": _ANSWERS,
        "path": reverse("pack_verifier"),
    }

    def shown(citation: Citation) -> list[ShownPicture]:
        return [ShownPicture.of(each) for each in pictures.of(citation)]

    head, _, foot = render_to_string("packs/page.html", values).partition(_ANSWERS)
    yield head
    for turn, told in zip(content.turns, facts["answers"], strict=True):
        yield answer_html(content, turn, told, shown)
    yield foot


def answer_html(
    content: Content,
    turn: Turn,
    told: dict[str, Any],
    pictures: Callable[[Citation], Sequence[ShownPicture]],
) -> str:
    """One answer with its quotes. told: its facts. pictures: of each quote."""
    citations, in_answer = shown_citations(turn), told_in_answer(turn)
    values = {
        "told": told,
        "turn": turn,
        "alone": content.kind == "answer",
        "line": _verdict_line(turn, citations),
        "blocks": [] if turn.status == TurnStatus.NOT_FOUND else list(_blocks(turn, citations)),
        "quotes": [
            ShownQuote(
                told=quote,
                source=content.source(citation),
                says=bool(claim_of(turn, content.source(citation))),
                quotes=says_more(content.source(citation), in_answer),
                badges=_badges(content.source(citation)),
                pictures=pictures(citation),
            )
            for citation, quote in zip(citations, told["citations"], strict=True)
        ],
    }
    return render_to_string("packs/_answer.html", values)


def _badges(source: Source) -> list[Badge]:
    """Nobody outside can ask who judged: a model that judged its own answer is named so at once."""
    is_own = bool(source.citation.judge.get("writer"))
    return [badges.BY_WRITER if is_own and each is badges.BY_READER else each for each in source.badges]


def _verdict_line(turn: Turn, citations: Sequence[Citation]) -> VerdictLine | None:
    return None if turn.quotes_only else line_of(citations, unsourced(turn))


def _blocks(turn: Turn, citations: Sequence[Citation]) -> Iterator[SafeString]:
    """The answer's paragraphs, each number a link to its quote below."""
    looks = {citation.n: badges.of(citation).chip for citation in citations}
    for block in rendering.blocks(turn.answer):
        html = rendering.with_unsourced(block, unsourced(turn))
        yield mark_safe(  # nh3 has cleaned it; numbers and classes are ours
            MARK.sub(
                lambda found: _link(turn, int(found[1]), looks),
                html,
            )
        )


def _link(turn: Turn, n: int, looks: Mapping[int, str]) -> str:
    return f'<a class="chip {looks.get(n, "")}" href="#a{turn.number}-c{n}">{n}</a>'

"""Answers as they leave SVQ: documented JSON, and Markdown with its sources, in the language of its taker."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import prefetch_related_objects
from django.http import HttpResponse
from django.utils.translation import gettext as _

from chat.models import Citation, Conversation, Turn, TurnStatus
from chat.nearest_passages import Passages, nearest_of
from chat.one_clause import OneClause, in_order, one_clause
from chat.queue_places import place_of
from chat.two_sides import UNRANKED, TwoSides, two_sides
from chat.wording import (
    IMPORTED,
    headline,
    noticed,
    reason,
    remarks,
    statements,
    unsourced,
    withheld,
    without_source,
)
from citations.choices import OnPage
from citations.marks import numbered
from citations.where import on_pages
from datasources.web.downloads import saved_as
from localization.lists import in_quotes, joined
from localization.lists import remarks as between
from text.normal_forms.verbatim import inert, verbatim

MARKDOWN = "text/markdown"
# No sign of a figure is among these: "-3.5 %" is not "35".
_AROUND_WORDS = re.compile(r"[\\\"“”„«»]|\*\*")
_BETWEEN_WORDS = re.compile(r"(?:[\s|]|^>\s)+", re.MULTILINE)


def citation_json(citation: Citation) -> dict[str, Any]:
    """start and end are offsets in the document's text; null when no source was found."""
    return {
        "n": citation.n,
        "document": {"id": citation.document_id, "title": citation.document_title},
        "cited_as": citation.cited_as,
        "pages": citation.pages,
        "place_in_file": citation.place_in_file,
        "quote": citation.quote or citation.written,
        "start": citation.start,
        "end": citation.end,
        "before": citation.before,
        "after": citation.after,
        "on_page": citation.on_page,
        "read_elsewhere": citation.read_elsewhere,
        "support": citation.support,
        "confirmed_by": citation.confirmed_by,
        "reader": citation.reader,
        "reason": citation.reason,
        "checks": citation.checks,
        "judge": citation.judge,
        "masked": citation.masked,
        "claim": citation.claim,
    }


def quotes_of(turn: Turn) -> list[str]:
    return [citation.quote or citation.written for citation in turn.citations.all()]


def answer_of(turn: Turn) -> str:
    """Markdown with [n] where citation n stands."""
    return numbered(turn.answer, quotes_of(turn))


def as_json(turn: Turn, nearest: Mapping[UUID, Passages] | None = None) -> dict[str, Any]:
    """The documented shape of an answer, for the command line and REST alike. nearest: of several turns."""
    prefetch_related_objects([turn], "citations__document")
    nothing = turn.status == TurnStatus.NOT_FOUND
    return {
        "id": str(turn.pk),
        "conversation": str(turn.conversation_id),
        "number": turn.number,
        "question": turn.question,
        "answer": "" if nothing else answer_of(turn),
        "standalone": turn.standalone,
        "intent": turn.intent,
        "status": turn.status,
        "ahead": place_of(turn),
        "missing": turn.missing,
        "notices": turn.notices,
        "verdict": turn.verdict,
        "withheld": answer_of(turn) if withheld(turn) else "",
        "reused_from": turn.reused_from_id and str(turn.reused_from_id),
        "differ": differ_json(turn),
        "citations": [] if nothing else [citation_json(citation) for citation in turn.citations.all()],
        "unsourced": len(unsourced(turn)),
        "nearest": (nearest or nearest_of([turn]))[turn.pk],
        "search": turn.search,
        "steps": turn.steps,
        "model": turn.model,
        "stopped_by": turn.stopped_by,
        "usage": turn.usage,
        "money": None if turn.money is None else str(turn.money),
        "seconds": turn.seconds,
        "error": turn.error,
    }


def differ_json(turn: Turn) -> dict[str, Any] | None:
    """Two documents that answer differently."""
    found = two_sides(turn)
    if found is None:
        return None
    return {
        "kind": found.kind,
        "sides": [{"citation": side.citation.n, "value": side.value} for side in found.sides],
        "ranked_by": found.ranked_by and found.ranked_by.n,
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What a file says beside an answer, in sentences, and below each of its quotes."""

    answer: Sequence[str] = ()
    quotes: Mapping[int, Sequence[str]] = field(default_factory=dict)  # by their numbers


NOTHING_BESIDE = Beside()


def as_markdown(
    turn: Turn, beside: Beside = NOTHING_BESIDE, nearest: Mapping[UUID, Passages] | None = None
) -> str:
    """Question, answer and sources, to be kept outside SVQ. Unproven answers are left out, and nothing in it
    runs or calls a server wherever it is shown. nearest: of several turns.
    """
    prefetch_related_objects([turn], "citations__document")
    near = [_nearest(passage) for passage in (nearest or nearest_of([turn]))[turn.pk]]
    lines = [f"# {on_a_line(turn.question)}", "", *_introduction(turn)]
    lines += [line for said in beside.answer for line in (on_a_line(said), "")]
    if turn.status == TurnStatus.NOT_FOUND:
        return "\n".join([*lines, *near]).rstrip() + "\n"
    if turn.answer:
        lines += [numbered(inert(turn.answer), quotes_of(turn)), ""]
    if said := without_source(turn):
        lines += [f"*{said}.*", ""]
    if said := differing(turn):
        lines += [said, ""]
    lines += [line for notice in turn.notices for line in (f"*{on_a_line(noticed(notice))}*", "")]
    if near:  # the model has failed, or nothing proves what it wrote
        lines += [*near, ""]
    citations = list(turn.citations.all())
    if citations:
        lines += [f"## {_('Sources')}", ""]
    told = told_in_answer(turn)
    for citation in citations:
        lines.append(_source(citation, is_told=citation.n in told))
        lines += [f"   - {on_a_line(said)}" for said in beside.quotes.get(citation.n, ())]
    return "\n".join(lines).rstrip() + "\n"


def _introduction(turn: Turn) -> list[str]:
    """The status of anything but a complete answer."""
    if turn.status == TurnStatus.ANSWERED:
        return []
    return [f"*{headline(turn)}.* {on_a_line(reason(turn))}".rstrip(), ""]


def said_beside(turn: Turn) -> list[str]:
    """What a reader must know beside the answer, and where two documents answer differently."""
    return [*remarks(turn), *filter(None, [differing(turn)])]


def differing(turn: Turn, cited: Callable[[int], str] = "[{}]".format) -> str:
    """Where two documents answer differently, in a few sentences; else empty. cited: a citation's mark."""
    found = two_sides(turn)
    if found is None:
        return ""
    clause = one_clause(found.one.citation, found.other.citation)
    sides = in_order(found, clause)
    values = joined([f"{in_quotes(on_a_line(side.value))} {cited(side.citation.n)}" for side in sides])
    return _("{what}: {values}. {ranked}").format(
        what=_("One clause, two versions") if clause else _(found.title),
        values=values,
        ranked=" ".join(_ranked(found, clause, cited)),
    )


def _ranked(found: TwoSides, clause: OneClause | None, cited: Callable[[int], str]) -> list[str]:
    """Which of the two governs, as far as their words say: what the page says of it."""
    by = found.ranked_by
    is_side = by is not None and by.n in {side.citation.n for side in found.sides}
    said = []
    if clause:
        names = {"amendment": on_a_line(clause.amendment), "number": clause.number}
        said.append(_("%(amendment)s says itself that it changes clause %(number)s.") % names)
        said.append(
            _("SVQ found that by its words. Whether the change is in force, and for what, is yours to judge.")
        )
    elif by and is_side:
        said.append(_("%(title)s says itself that it changes the other.") % {"title": on_a_line(by.name)})
        said.append(_("SVQ found that by its words. Whether it is in force is yours to judge."))
    if by and not is_side:
        said.append(_("A sentence that may rank them: {source}.").format(source=cited(by.n)))
    return said or [_(UNRANKED)]


def _nearest(passage: dict[str, Any]) -> str:
    where, imported = on_pages(passage["pages"]), _(IMPORTED)
    return "- " + _("Closest: {title}, {where}: {quote}").format(
        title=on_a_line(passage["title"]),
        where=f"{where} ({imported})" if passage["read_elsewhere"] else where,
        quote=in_quotes(on_a_line(passage["text"])),
    )


def told_in_answer(turn: Turn) -> set[int]:
    """The numbers of the citations whose quotes are in the answer already, word for word: where SVQ has
    copied passages. They need not be said again beside their places.
    """
    if not turn.quotes_only:
        return set()
    answer = f" {same_words(answer_of(turn))} "
    quotes = ((citation.n, same_words(citation.quote)) for citation in turn.citations.all())
    return {n for n, quote in quotes if quote and f" {quote} " in answer}


def same_words(text: str) -> str:
    """The same for two texts that say the same in the same words and figures: a row of a table and its cells
    in a line, say.
    """
    return _BETWEEN_WORDS.sub(" ", _AROUND_WORDS.sub("", text)).strip()


def _source(citation: Citation, *, is_told: bool) -> str:
    place = on_a_line(statements(citation))
    if citation.on_page != OnPage.ABSENT:
        where = between(on_a_line(citation.name), on_a_line(citation.where))
        place = f"{where} ({place})"
    if is_told:
        return f"{citation.n}. {place}"
    return f"{citation.n}. {place}: {in_quotes(on_a_line(citation.quote or citation.written))}"


def on_a_line(text: str) -> str:
    """Text that is not Markdown, without line breaks, so that it is shown letter for letter."""
    return inert(verbatim(text))


def conversation_file(conversation: Conversation) -> HttpResponse:
    """All questions, answers and sources of a conversation."""
    turns = conversation.turns.order_by("number").prefetch_related("citations__document")
    nearest = nearest_of(turns)
    return markdown_file("\n".join(as_markdown(turn, nearest=nearest) for turn in turns), str(conversation))


def markdown_file(text: str, title: str) -> HttpResponse:
    """Markdown to be kept as a file."""
    disposition = saved_as(f"{title}.md")
    headers = {"Content-Disposition": disposition}
    return HttpResponse(text, content_type=f"{MARKDOWN}; charset=utf-8", headers=headers)

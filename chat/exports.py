"""Answers in the forms in which they leave SVQ: documented JSON, and Markdown with its sources."""

from typing import Any

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from chat.marks import numbered
from chat.models import Citation, Conversation, OnPage, Support, Turn

MARKDOWN = "text/markdown"


def citation_json(citation: Citation) -> dict[str, Any]:
    """start and end are offsets in the document's text; null when no source was found."""
    return {
        "n": citation.n,
        "document": {"id": citation.document_id, "title": citation.document_title},
        "pages": citation.pages,
        "quote": citation.quote or citation.written,
        "start": citation.start,
        "end": citation.end,
        "before": citation.before,
        "after": citation.after,
        "on_page": citation.on_page,
        "support": citation.support,
        "reason": citation.reason,
        "checks": citation.checks,
        "judge": citation.judge,
        "claim": citation.claim,
    }


def as_json(turn: Turn) -> dict[str, Any]:
    """The documented shape of an answer, for the command line and REST alike."""
    return {
        "id": str(turn.pk),
        "conversation": str(turn.conversation_id),
        "question": turn.question,
        "answer": numbered(turn.answer),
        "status": turn.status,
        "citations": [citation_json(citation) for citation in turn.citations.all()],
        "nearest": turn.nearest,
        "steps": turn.steps,
        "model": turn.model,
        "usage": turn.usage,
        "seconds": turn.seconds,
        "error": turn.error,
    }


def as_markdown(turn: Turn) -> str:
    """Question, answer and its sources, to be kept outside SVQ."""
    lines = [
        f"# {turn.question}",
        "",
        numbered(turn.answer) or f"*{turn.get_status_display()}.*",
        "",
    ]
    citations = list(turn.citations.all())
    if citations:
        lines += ["## Sources", ""]
    for citation in citations:
        quote = " ".join((citation.quote or citation.written).split())
        place = statements(citation)
        if citation.on_page != OnPage.ABSENT:
            pages = ", ".join(map(str, citation.pages))
            place = f"{citation.document_title}, page {pages} ({place})"
        lines.append(f"{citation.n}. {place}: “{quote}”")
    return "\n".join(lines).rstrip() + "\n"


def statements(citation: Citation) -> str:
    """What is known about the quote, and, where it was judged, about its claim: “on the page; ...”."""
    if citation.on_page == OnPage.ABSENT:
        return "no source found"
    if citation.support == Support.NONE:
        return "on the page"
    return f"on the page; {citation.get_support_display().lower()}"


def conversation_file(conversation: Conversation) -> HttpResponse:
    """All questions, answers and sources of a conversation."""
    turns = conversation.turns.order_by("number").prefetch_related("citations")
    return markdown_file("\n".join(as_markdown(turn) for turn in turns), str(conversation))


def markdown_file(text: str, title: str) -> HttpResponse:
    """Markdown to be kept as a file."""
    disposition = content_disposition_header(True, f"{title}.md") or "attachment"
    headers = {"Content-Disposition": disposition, "Cache-Control": "private, no-cache"}
    return HttpResponse(text, content_type=f"{MARKDOWN}; charset=utf-8", headers=headers)

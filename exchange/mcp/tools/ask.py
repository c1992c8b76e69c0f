"""An answer with checked citations, by the same agent that answers in the chat."""

import asyncio
import time
from collections.abc import Collection
from typing import Any, Literal
from uuid import UUID

import anyio
from django.http import Http404
from pydantic import Field

from accounts.models import TokenScope, User
from chat import services
from chat.api.rag_query import scope_of
from chat.api.waiting import Answer, TokenEnded, wait_for
from chat.exports import answer_of, as_json, differing
from chat.models import Citation, Conversation, Mode, Turn, TurnStatus
from chat.nearest_passages import nearest_of
from chat.scope import UNCHANGED, Unchanged
from chat.wording import IMPORTED, beside, documents_counted, explanation, headline, statements
from citations.choices import OnPage
from datasources.models import Datasource, Role
from events.hub import hub
from exchange.mcp import links, outputs
from exchange.mcp.hints import HINTS
from exchange.mcp.threads import CALLS, search
from exchange.mcp.tool import Arguments, Documents, Link, Progress, Tool, ToolResult
from retrieval.api.refusals import Code, Refusal

SIGN_OF_LIFE = 5.0  # seconds between two


class Ask(Arguments):
    """Ask the documents a question and get a written answer in which every claim has a quote, checked against
    its page. Slower than finding passages; it searches as often as it needs to."""

    question: str = Field(min_length=1, max_length=services.MAX_QUESTION)
    datasource: int | None = Field(
        default=None, ge=1, description="Ask this datasource; left out, the one whose passages come nearest."
    )
    documents: Documents | None = Field(default=None, description="Ask these documents of it alone.")
    conversation: UUID | None = Field(default=None, description="Go on in this one, from an earlier result.")
    mode: Literal["agent", "fast"] = Field(default="agent", description="“fast” searches only once.")


async def run(person: User, arguments: Ask, progress: Progress) -> ToolResult:
    # To the end, so that a question that is written down is known and can be stopped.
    turn = await search(person, asked, arguments, to_the_end=True)
    answering = asyncio.create_task(wait_for(turn, person, outcome))
    begun = time.monotonic()
    try:
        while not (await asyncio.wait({answering}, timeout=SIGN_OF_LIFE))[0]:
            await progress(round(time.monotonic() - begun), "Searching and writing")
        answer = answering.result()
    except TokenEnded:
        raise
    except Turn.DoesNotExist:
        raise Http404("The datasource is gone, or no longer shared with you.") from None
    except asyncio.CancelledError:
        if not hub.is_closed:  # the program has hung up; where the server ends, the worker goes on
            with anyio.CancelScope(shield=True):
                await CALLS.run(services.give_up, turn)
        raise
    finally:
        answering.cancel()
    if answer is None:
        return await CALLS.run(unfinished, turn)
    return as_result(answer)


def asked(person: User, arguments: Ask) -> UUID:
    """The number of the turn. Raises what `services.ask` does, Refusal and Http404."""
    conversation = None
    documents: Collection[int] | Unchanged | None
    if arguments.conversation:
        mine = Conversation.objects.changeable_by(person).select_related("datasource")
        conversation = mine.filter(pk=arguments.conversation).first()
        if conversation is None:
            raise Http404("There is no such conversation of yours.")
        datasource, documents = conversation.datasource, arguments.documents or UNCHANGED
    else:
        scope = scope_of(person, arguments.question, arguments.documents, arguments.datasource, HINTS)
        datasource, documents = Datasource.objects.get(pk=scope.datasource_id), scope.document_ids
    mode = Mode(arguments.mode)
    turn = services.ask(
        person, datasource, arguments.question, conversation=conversation, document_ids=documents, mode=mode
    )
    return UUID(str(turn.pk))


def outcome(turn: Turn, _: User) -> Answer:
    """What is handed on of a turn that has ended."""
    if turn.status == TurnStatus.FAILED:
        return 502, {"message": turn.error_message, "hint": turn.error_hint}
    datasource = turn.conversation.datasource_id
    page = links.conversation(datasource, turn.conversation_id)
    found = turn.status != TurnStatus.NOT_FOUND
    cited = list(turn.citations.all()) if found else []
    data = as_json(turn)
    for row, citation in zip(data["citations"], cited, strict=False):
        row["link"] = links.source(turn.pk, citation.n)
    said = " ".join(filter(None, [f"{headline(turn)}.", explanation(turn)]))
    lines = [said, answer_of(turn)] if found else [said]
    lines += [*beside(turn), differing(turn)]
    lines += ["Sources:", *map(in_words, cited)] if cited else []
    lines += map(near_in_words, nearest_of([turn])[turn.pk])
    text = "\n\n".join(filter(None, [*lines, f"All of it: {page}"]))
    kept = (
        "answer",
        "status",
        "notices",
        "citations",
        "differ",
        "nearest",
        "model",
        "seconds",
        "conversation",
        "error",
    )
    shown = {name: data[name] for name in kept} | {"turn": data["id"], "link": page}
    return 200, {"text": text, "data": shown, "links": pages_of(turn, cited)}


def pages_of(turn: Turn, cited: Collection[Citation]) -> list[tuple[str, str]]:
    """The address and the name of each page that is cited, and of the first of each document counted; none
    where the asker may not read on there.
    """
    if not turn.conversation.datasource.has_role(turn.conversation.user, Role.VIEWER):
        return []
    places = [
        (each.document_id, each.pages[0], each.document_title)
        for each in cited
        if each.on_page != OnPage.ABSENT and each.document_id and each.pages
    ]
    known = {document for document, _, _ in places}
    places += [
        (each["document"], each["page"], each["title"])
        for each in documents_counted(turn)
        if each["document"] not in known
    ]
    return list(
        {
            links.PAGE.format(document=document, page=page): f"{title}, page {page}"
            for document, page, title in places
        }.items()
    )


def as_result(answer: Answer) -> ToolResult:
    """Raises Refusal."""
    status, given = answer
    if status != 200:
        raise Refusal(Code.GENERATION_FAILED, given["message"], given["hint"])
    named = tuple(Link(uri=uri, name=name) for uri, name in given["links"])
    return ToolResult(text=given["text"], data=given["data"], links=named)


def unfinished(turn_id: UUID) -> ToolResult:
    turn = Turn.objects.select_related("conversation").get(pk=turn_id)
    page = links.conversation(turn.conversation.datasource_id, turn.conversation_id)
    data = {"turn": str(turn_id), "status": turn.status, "link": page}
    return ToolResult(text=f"The answer is still being written. It will be at {page}", data=data)


def in_words(citation: Citation) -> str:
    quote = citation.quote or citation.written
    if citation.on_page == OnPage.ABSENT:
        return f"[{citation.n}] {statements(citation)}: “{quote}”"
    place = f"{citation.name}, {citation.where} ({statements(citation)})"
    return f"[{citation.n}] {place}: “{quote}”\n{links.source(citation.turn_id, citation.n)}"


def near_in_words(near: dict[str, Any]) -> str:
    place = f"{near['title']}, page {near['pages'][0]}" + (f" ({IMPORTED})" if near["read_elsewhere"] else "")
    return f"Near this: {place}: “{near['text']}”"


ASK = Tool(name="ask", title="Ask", scope=TokenScope.ASK, arguments=Ask, output=outputs.Answer, run=run)

"""One run of a turn: the agent's events go to the log, its answer and citations to the database."""

import asyncio
import logging
import time
from dataclasses import asdict
from typing import Any
from uuid import UUID, uuid4

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from chat import events, trace
from chat.answering import agent, history
from chat.answering.answer_stream import AnswerStream
from chat.answering.stages.registry import VERIFYING
from chat.answering.stages.stage import Work
from chat.answering.tools.runner import ToolRunner
from chat.citations.parse import Quotation
from chat.citations.store import checked
from chat.models import UNFINISHED, Citation, Conversation, Turn, TurnStatus, Verdict
from events import log
from formats import ExtractionError
from jobs.threads import RENDERING, TURN_WRITES
from providers.protocols import ChatModel, Embedder, Message, ProviderError
from reader import page_images
from retrieval.query import Scope

logger = logging.getLogger(__name__)

FLUSH = 0.1  # seconds between two pieces of a streaming answer
MAX_ATTEMPTS = 4  # runs of one turn: a worker that dies, a model server that is busy
NEAREST = 3  # passages shown when nothing answers the question


class Superseded(Exception):
    """The turn was stopped, deleted, or taken over by another run: this one must say no more."""


class TurnRun:
    """Everything one run knows. Created by `begin`."""

    def __init__(self, turn: Turn, token: UUID, model: ChatModel, embedder: Embedder) -> None:
        self.turn = turn
        self.token = token
        self.model = model
        conversation = turn.conversation
        ids = frozenset(turn.document_ids) or None
        scope = Scope(
            user_id=conversation.user_id, datasource_id=conversation.datasource_id, document_ids=ids
        )
        self.embedder = embedder
        self.tools = ToolRunner(scope, embedder)
        self.answer = AnswerStream()
        self.verdicts: list[str] = []
        self.calls: dict[str, dict[str, Any]] = {}  # of tools, as the turn's JSON has them
        self.begun = time.monotonic()
        self.flushed = 0.0  # when the answer was last sent on
        self.previews: list[asyncio.Task[None]] = []

    def log(self, event: events.TurnEvent) -> None:
        try:
            event.append_to(self.turn.channel, self.token)
        except log.Fenced:
            raise Superseded from None

    async def emit(self, event: events.TurnEvent) -> None:
        match event:
            case events.ToolCalled():
                call = {"tool": event.tool, "arguments": event.arguments, "hits": 0, "ms": 0}
                self.calls[event.step.id] = call
            case events.ToolReturned():
                self.calls[event.step.id] |= {"hits": event.hits, "ms": event.ms}
        await TURN_WRITES.run(self.log, event)

    async def show(self, raw: str, complete: bool) -> None:
        """Send on what is new in the answer, now and then as it grows; a citation is checked and stored."""
        if not complete and time.monotonic() - self.flushed < FLUSH:
            return
        for citation in await TURN_WRITES.run(_advance, self, raw, complete):
            self.previews.append(asyncio.create_task(RENDERING.run(_make_preview, citation)))
        self.flushed = time.monotonic()


def begin(turn_id: UUID, model: ChatModel, embedder: Embedder) -> TurnRun | None:
    """Take a turn over from whichever run had it; None when it has ended or is gone."""
    token = uuid4()
    with transaction.atomic():
        turn = Turn.objects.select_for_update().filter(pk=turn_id, status__in=UNFINISHED).first()
        if turn is None:
            return None
        turn.attempts += 1
        turn.status, turn.run_token, turn.model = TurnStatus.RUNNING, token, model.name
        turn.save()
        turn.citations.all().delete()
        log.open_channel(turn.channel, token)
        run = TurnRun(turn, token, model, embedder)
        if turn.attempts > MAX_ATTEMPTS:
            message = "Answering was tried several times and never came to an end."
            hint = "The question is kept. Ask it again; the worker's log names the cause."
            fail(run, "gave_up", message, hint)
            return None
        kind = events.TurnStarted if turn.attempts == 1 else events.TurnRestarted
        run.log(kind(attempt=turn.attempts, model=model.name))
    return run


async def run_turn(turn_id: UUID, model: ChatModel, embedder: Embedder) -> None:
    """Answer a turn to its end.

    Raises ProviderError and django's OperationalError while another try may help, and CancelledError.
    """
    run = await TURN_WRITES.run(begin, turn_id, model, embedder)
    if run is None:
        return
    try:
        await _answer(run)
    except Superseded:
        return
    except ProviderError as error:
        if error.transient and run.turn.attempts < MAX_ATTEMPTS:
            raise
        await TURN_WRITES.run(fail, run, "model", error.message, "The question is kept. Ask it again later.")
    except (OperationalError, InterfaceError):  # the database is away: the job is tried again
        raise
    except Exception as error:  # a fault of ours must not leave the turn without an end
        logger.exception("answering turn %s", turn_id)
        message = f"Answering stopped at a fault in SVQ ({type(error).__name__})."
        await TURN_WRITES.run(
            fail, run, "internal", message, "The question is kept. Ask it again; the log has details."
        )
    finally:
        await asyncio.gather(*run.previews, return_exceptions=True)


async def _answer(run: TurnRun) -> None:
    earlier = await TURN_WRITES.run(_history, run.turn)
    rounds = agent.ROUNDS[run.turn.mode]
    work = Work(
        emit=run.emit, show=run.show, model=run.model, tools=run.tools, rounds=rounds, verdicts=run.verdicts,
        messages=agent.first_messages(earlier, run.turn.question, rounds),
    )  # fmt: skip
    await agent.run(work)
    await TURN_WRITES.run(finish, run, work)


def _history(turn: Turn) -> list[Message]:
    before = Turn.objects.filter(conversation=turn.conversation_id, number__lt=turn.number)
    return history.messages(reversed(before.order_by("-number")[: history.TURNS]))


def _advance(run: TurnRun, raw: str, complete: bool) -> list[Citation]:
    """Store and log what the raw text newly allows to show; returns the new citations that have a page."""
    located = []
    for new in run.answer.receive(raw, complete=complete):
        if isinstance(new, Quotation):
            citation = checked(run.turn, new, run.tools.by_key, run.embedder)
            run.verdicts.append(citation.verdict)
            with transaction.atomic():
                run.log(_checked(run, citation))  # first, as it raises when the turn is no longer ours
                citation.save()
            if citation.verdict != Verdict.NO_SOURCE and page_images.has_pages(citation.document):
                located.append(citation)
        elif new.text:
            run.log(events.AnswerDelta(offset=new.offset, text=new.text))
    return located


def _checked(run: TurnRun, citation: Citation) -> events.CitationChecked:
    return events.CitationChecked(
        n=citation.n, document=citation.document_id, title=citation.document_title, pages=citation.pages,
        quote=citation.quote or citation.written, start=citation.start, end=citation.end,
        verdict=citation.verdict, reason=citation.reason, step=VERIFYING.counted(run.verdicts),
    )  # fmt: skip


def _make_preview(citation: Citation) -> None:
    """Hovering must not wait: render the crop as soon as the quote is located."""
    assert citation.document is not None
    try:
        page_images.crop(citation.document, citation.pages[0], citation.boxes_on(citation.pages[0]))
    except (OSError, ExtractionError) as error:
        logger.warning("no preview of citation %s: %s", citation.pk, error)


def finish(run: TurnRun, work: Work) -> None:
    """Record the answer and how it ended, and say so."""
    assert work.outcome is not None
    _close(
        run, work.outcome, answer=run.answer.shown.strip(), usage=asdict(work.usage),
        nearest=_nearest(run) if work.outcome == TurnStatus.NOT_FOUND else [],
    )  # fmt: skip


def fail(run: TurnRun, code: str, message: str, hint: str) -> None:
    """Record that there is no answer, and why."""
    failed = events.TurnFailed(code=code, message=message[:500], hint=hint)
    _close(
        run, TurnStatus.FAILED, failed, answer=run.answer.shown.strip(),
        error_code=code, error_message=message[:500], error_hint=hint,
    )  # fmt: skip


def _close(run: TurnRun, status: TurnStatus, *before: events.TurnEvent, **values: Any) -> None:
    """Write the turn's last state and its last events together, unless it is no longer this run's."""
    seconds = round(time.monotonic() - run.begun, 3)
    with transaction.atomic():
        mine = Turn.objects.filter(pk=run.turn.pk, run_token=run.token)
        if not mine.update(
            status=status, run_token=None, seconds=seconds, finished=timezone.now(),
            steps=list(run.calls.values()), **values,
        ):  # fmt: skip
            return
        for event in before:
            run.log(event)
        if "usage" in values:
            run.log(
                events.AnswerCompleted(
                    answer=values["answer"], status=status, usage=values["usage"], seconds=seconds
                )
            )
        run.log(events.TurnFinished(status=status))
        trace.keep(run.turn)
        Conversation.objects.filter(pk=run.turn.conversation_id).update(updated=timezone.now())


def _nearest(run: TurnRun) -> list[dict[str, Any]]:
    """The best passages that were seen, for the reader to judge."""
    best = sorted(run.tools.by_key.values(), key=lambda passage: -passage.score)[:NEAREST]
    return [
        {
            "document": passage.document_id, "title": passage.document_title, "chunk": passage.chunk_id,
            "pages": list(range(passage.first_page, passage.last_page + 1)),
            "text": passage.text, "score": passage.score,
        }
        for passage in best
    ]  # fmt: skip

"""One run of a turn: what it knows, and what it writes to the log and the database."""

import asyncio
import logging
import time
from collections.abc import Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from answering.answer_stream import AnswerStream
from answering.cleaning.cleaner import Cleaner
from answering.models import Models, models_for
from answering.nearest import Near, still_there
from answering.prompts_used import prompts_sha256
from answering.stages.registry import CHECKING
from answering.state.work import Earlier
from answering.tools.relations import Relations, beginnings_of
from answering.tools.runner import ToolRunner
from answering.values.events import AnswerEvent, Notice, Step, ToolCalled, ToolReturned
from answering.values.outcome import Outcome
from answering.values.personal_data import PersonalData
from chat import events, trace
from chat.citation_rows import proof
from chat.citation_rows.store import quote_of, revise, row_of, store, write
from chat.masking import mask_if_missed
from chat.models import AnswerSettings, Budget, Citation, Conversation, PaidReply, Turn, TurnStatus
from chat.queue_places import others_wait
from chat.scope import remaining_choice
from chat.turns import recall
from chat.turns.kept_replies import Kept
from citations.checked import CheckedQuote
from citations.checking import check
from citations.entailed import looked_up_once
from citations.parse import Quotation
from datasources.models import Document
from datasources.refusals import sentence_of
from events import log
from formats import ExtractionError
from jobs.failures import Failure
from jobs.fair_slots import Busy
from jobs.runs import FencedRun, Stopped, claim
from jobs.threads import CITATION_CHECKS, RENDERING, SEARCHES, TURN_WRITES
from localization.stored import said
from metrics import ANSWER_SECONDS, ANSWERS, traces
from providers.protocols import ProviderError, Usage
from providers.roles import ModelRole, name_of
from providers.spending.allowance import Allowance
from reader import page_images
from retrieval.query import Scope
from retrieval.tools.tool import Tool
from text.counted import counted
from text.personal.personal_data import masked_in

logger = logging.getLogger(__name__)

# Seconds between two pieces of a streaming answer: ten times as long as sending the last one took, within
# these bounds, so that many answers at once are sent in fewer pieces.
FLUSH, LONGEST_FLUSH = 0.1, 1.0
LONGEST_QUESTION = 300.0  # seconds that somebody waits for a busy server where a question has no time limit
NO_ACCESS = "no_access"
SMALLEST = Decimal("0.000000001")  # of money: 0 is no limit


class TurnRun(FencedRun[Turn]):
    """The state of one run. Created by `begin`."""

    max_attempts = 4
    safe = gettext_noop("The question is kept.")

    def __init__(self, turn: Turn, models: Models) -> None:
        super().__init__(turn)
        self.turn = turn
        self.kept = Kept(turn, self.keep_reply)
        self.models = self.kept.models(models)
        self.use(AnswerSettings(), ())
        self.quotes: list[CheckedQuote] = []  # of the answer so far
        self.citations: dict[int, Citation] = {}  # by number, the rows of these
        self.entailment = looked_up_once()
        self.calls: dict[str, dict[str, Any]] = {}  # of tools, as the turn's JSON has them
        self.begun = time.monotonic()
        self.next_flush = 0.0  # when more of the answer may be sent on
        self.previews: list[asyncio.Task[None]] = []
        self.replied = Usage()  # tokens of whole replies, where nobody is charged
        self.is_charged = False  # to the turn
        self.charged = Usage(), Decimal(0)  # of it, to the turn already
        self.near: Sequence[Near] = ()  # passages that are shown where nothing answers the question
        self.cache_key = ""
        self.lacking: Sequence[str] = ()  # outside programs that want a token of who asks
        self.repeats: Turn | None = None
        self.unread: Notice | None = None  # documents that were being read when it began
        self.failure: ProviderError | None = None  # of the language model, where others answered instead

    def use(self, settings: AnswerSettings, tools: Sequence[Tool]) -> None:
        """Set the answer settings and the tools."""
        conversation, chosen = self.turn.conversation, self.turn.document_ids
        scope = Scope(
            user_id=conversation.user_id,
            datasource_id=conversation.datasource_id,
            document_ids=None if chosen is None else frozenset(chosen),
        )
        self.settings = settings
        self.tools = ToolRunner(scope, self.models.embedder, tools, Relations(beginnings_of))
        self.cleaner = Cleaner(policy=settings.personal_data, markup=not self.quotes_only)
        self.answer = AnswerStream(self.cleaner)

    def allowance(self) -> Allowance:
        """What the settings let a question cost, less the cost of its earlier runs."""
        before, paid = Usage(**self.turn.usage).tokens, self.turn.money or Decimal(0)
        tokens, money = self.settings.tokens, Decimal(str(self.settings.money))
        return Allowance(
            tokens=max(1, tokens - before) if tokens else 0,
            money=max(SMALLEST, money - paid) if money else Decimal(0),
        )

    def longest_wait(self) -> float:
        """What is left of the seconds that a question may take."""
        return (self.settings.seconds or LONGEST_QUESTION) - self.seconds

    @property
    def prompts(self) -> str:
        """The fingerprint of the prompts that its model is given; empty without a language model."""
        return "" if self.quotes_only else prompts_sha256()

    @property
    def quotes_only(self) -> bool:
        """Whether the model only copies passages."""
        return self.models.answers.quotes_only

    @property
    def seconds(self) -> float:
        return round(time.monotonic() - self.begun, 3)

    def log(self, event: AnswerEvent) -> None:
        """Append to the turn's channel, which is this run's while the turn is. Raises Stopped."""
        try:
            events.append(event, self.turn.channel, self.token)
        except log.Fenced:
            raise Stopped from None

    async def emit(self, event: AnswerEvent) -> None:
        event = self.cleaner.event(event)
        match event:
            case ToolCalled():
                call = {"tool": event.tool, "arguments": event.arguments, "hits": 0, "ms": 0}
                self.calls[event.step.id] = call
            case ToolReturned():
                self.calls[event.step.id] |= {"hits": event.hits, "ms": event.ms}
        await TURN_WRITES.run(self.log, event)

    async def show(self, raw: str, complete: bool) -> None:
        """Send what is new in the growing answer, at intervals; check and store each citation."""
        begun = time.monotonic()
        if not complete and begun < self.next_flush:
            return
        for new in self.answer.receive(raw, complete=complete):
            if isinstance(new, Quotation):
                await self.cite(new)
            elif new.text:
                await TURN_WRITES.run(self.log, events.AnswerDelta(offset=new.offset, text=new.text))
        took = time.monotonic() - begun
        self.next_flush = begun + took + min(max(FLUSH, 10 * took), LONGEST_FLUSH)

    async def rewrite(self, raw: str) -> None:
        """Show another answer in the place of one that has no citation."""
        self.answer = AnswerStream(self.cleaner)
        await self.show(raw, True)

    async def cite(self, quotation: Quotation) -> None:
        """Check a quotation and store it as a citation; its picture is drawn meanwhile."""
        found = await CITATION_CHECKS.run(self._checked, quotation)
        quote = self.cleaner.cited(found)
        self.quotes.append(quote)
        citation = self.citations[quote.n] = row_of(self.turn, quote)
        await TURN_WRITES.run(store, citation, self._counted(), self.log)
        if quote.is_on_page and not await TURN_WRITES.run(others_wait):
            self.previews.append(asyncio.create_task(RENDERING.run(_make_preview, citation)))

    def _checked(self, quotation: Quotation) -> CheckedQuote:
        passages, scope = self.tools.by_key, self.tools.scope
        return check(quotation, passages, scope, self.entailment, claims=not self.turn.quotes_only)

    def _counted(self) -> Step:
        return CHECKING.counted(self.quotes, quotes_only=self.quotes_only)

    async def revise(self, quotes: Sequence[CheckedQuote]) -> None:
        """Store and announce what a second opinion has changed."""
        changed = {quote.n: self.cleaner.judged(quote) for quote in quotes}
        self.quotes[:] = [changed.get(quote.n, quote) for quote in self.quotes]
        step = self._counted()
        for quote in changed.values():
            citation = self.citations[quote.n]
            write(citation, quote)
            await TURN_WRITES.run(revise, citation, step, self.log)

    async def recall(self, question: str, alone: bool) -> Earlier | None:
        """Show an earlier answer, if there is one with the same basis."""
        return await TURN_WRITES.run(self._recalled, question, alone)

    def _recalled(self, question: str, alone: bool) -> Earlier | None:
        judge = self.models.judge
        models = {
            "agent": self.models.answers.name,
            "judge": judge.name if judge else "",
            "embeddings": self.models.embedder.name,
            "rerank": name_of(ModelRole.RERANK),
            "entailment": name_of(ModelRole.ENTAILMENT),
        }
        models |= {tool.name: tool.spec.description for tool in self.tools.tools if tool.outside}
        self.cache_key = recall.key_of(
            self.turn, question, self.tools.scope, self.settings, models, alone=alone
        )
        earlier = None if self.turn.fresh else recall.earlier_answer(self.turn, self.cache_key)
        if earlier is None:
            return None
        step = CHECKING.counted([*map(quote_of, earlier.citations.all())], quotes_only=self.quotes_only)
        self.quotes += map(quote_of, recall.repeat(earlier, self.turn, step, self.log))
        self.answer.shown, self.repeats = earlier.answer, earlier
        notices = [Notice(**notice) for notice in earlier.notices]
        return Earlier(
            outcome=Outcome(earlier.status),
            intent=earlier.intent,
            missing=earlier.missing,
            notices=notices,
            label=recall.label(earlier, self.turn.conversation.user_id),
        )

    async def titles(self, most: int) -> tuple[Sequence[str], int]:
        """The first documents that the question searches, with how long they are, and how many all are."""
        return await SEARCHES.run(_titles, self.tools.scope, most)

    def withdraw(self) -> None:
        """Remove what was written: its reader has lost access."""
        self.answer = AnswerStream(self.cleaner)
        self.turn.citations.all().delete()

    def close(self, **values: Any) -> bool:
        answer, calls = self.answer.shown.strip(), list(self.calls.values())
        costs, near = self.costs(*self.spent()), still_there(self.near)
        if self.settings.personal_data == PersonalData.MASK:
            near = masked_in(near)
        closed = super().close(
            answer=answer,
            steps=calls,
            nearest=near,
            seconds=self.seconds,
            finished=timezone.now(),
            **costs,
            **values,
        )
        if closed:
            self.turn.usage, self.is_charged = costs["usage"], True
            PaidReply.objects.filter(turn=self.turn.pk).delete()
            Conversation.objects.filter(pk=self.turn.conversation_id).update(updated=timezone.now())
        return closed

    def spent(self) -> tuple[Usage, Decimal | None]:
        """What this run has cost; the money is None while no price is known."""
        payer = self.models.payer
        return max(payer.usage, self.replied, key=lambda usage: usage.tokens), payer.money

    def costs(self, usage: Usage, money: Decimal | None) -> dict[str, Any]:
        """What the turn has cost with what this run has, as its columns; for the transaction that writes
        them.
        """
        charged, paid = self.charged
        before = (
            Turn.objects.select_for_update().filter(pk=self.turn.pk).values_list("usage", "money").first()
        )
        if before is not None:
            usage += Usage(**before[0])
            usage = Usage(
                prompt_tokens=usage.prompt_tokens - charged.prompt_tokens,
                completion_tokens=usage.completion_tokens - charged.completion_tokens,
            )
            money = before[1] if money is None else money - paid + (before[1] or 0)
        return {"usage": asdict(usage), "money": money}

    def charge(self) -> None:
        """Record what the run has cost so far: its worker may be killed, or it was stopped or will be
        retried.
        """
        usage, money = self.spent()
        try:
            with transaction.atomic():
                Turn.objects.filter(pk=self.turn.pk).update(seconds=self.seconds, **self.costs(usage, money))
        except DatabaseError:
            logger.exception("what turn %s has cost was not recorded", self.turn.pk)
        else:
            self.charged = usage, money or Decimal(0)

    def keep_reply(self, key: str, reply: dict[str, Any]) -> None:
        """Keep a reply for the next run, should this one be killed. Raises Stopped."""
        with self.writing():
            PaidReply.keep(key, reply, turn=self.turn)
            self.charge()

    def announce(self, failure: Failure) -> None:
        self.log(events.TurnFailed(code=failure.code, message=failure.message, hint=failure.hint))
        self.log_end(TurnStatus.FAILED)

    def log_end(self, status: TurnStatus) -> None:
        ANSWERS.labels(status).inc()
        ANSWER_SECONDS.observe(self.seconds)
        traces.whole("turn", self.turn.pk, self.turn.created, status=status)
        self.log(events.TurnFinished(status=status))
        trace.keep(self.turn)
        if self.settings.personal_data != PersonalData.MASK:
            mask_if_missed(self.turn)


@transaction.atomic
def begin(turn_id: UUID, models: Models | None = None) -> TurnRun | None:
    """Take a turn over from any earlier run and announce that; None if it has ended or was deleted."""
    turns = Turn.objects.select_related("conversation__user", "conversation__datasource")
    turn = claim(turns.filter(pk=turn_id))
    if turn is None:
        return None
    log.open_channel(turn.channel, turn.run_token)
    models = models or _models_for(turn)
    run = TurnRun(turn, models)
    if run.gives_up():
        return None
    if forbidden := refusal(turn):
        run.fail(forbidden)
        return None
    if turn.attempts == 1:
        traces.waited("queue", turn.created)
    kind = events.TurnRestarted if turn.status == TurnStatus.RUNNING else events.TurnStarted
    run.log(kind(attempt=turn.attempts, model=models.answers.name))
    turn.citations.all().delete()
    turn.write(
        status=TurnStatus.RUNNING,
        model=models.answers.name,
        quotes_only=run.quotes_only,
        prompts=run.prompts,
        stopped_by=Budget.of(models.over_budget),
        document_ids=turn.document_ids,
    )
    return run


def _models_for(turn: Turn) -> Models:
    conversation = turn.conversation
    return models_for(conversation.datasource, conversation.user_id, turn.chosen_model)


def refusal(turn: Turn) -> Failure | None:
    """Why the turn may not read its documents any more, else None."""
    person, datasource = turn.conversation.user, turn.conversation.datasource
    if not Turn.objects.visible_to(person).filter(pk=turn.pk).exists():
        return Failure(
            code=NO_ACCESS,
            message=said("You can no longer read this datasource. Nothing was answered."),
            hint=said("The owner of the datasource can share it with you again."),
        )
    try:
        turn.document_ids = remaining_choice(datasource, turn.document_ids)
    except ValidationError as gone:
        return Failure(code="no_documents", message=sentence_of(gone), hint="")
    return None


def _titles(scope: Scope, most: int) -> tuple[list[str], int]:
    documents = Document.objects.current().filter(datasource=scope.datasource_id)
    if scope.document_ids is not None:
        documents = documents.filter(pk__in=scope.document_ids)
    rows = documents.order_by("title", "pk").values_list("title", "page_count")[:most]
    titles = [f"{title} ({counted(pages, 'page')})" if pages else title for title, pages in rows]
    return titles, documents.count()


def _make_preview(citation: Citation) -> None:
    """Draw the page and the crop as soon as the quote is located, so that opening a source need not wait."""
    document = citation.document
    if document is None or not page_images.has_pages(document):
        return
    try:
        page_images.page_image(document, citation.pages[0], asker=proof.asker_of(citation))
        proof.crop(citation, citation.pages[0])
    except (OSError, ExtractionError, Busy) as error:
        logger.warning("no preview of citation %s: %s", citation.pk, error)

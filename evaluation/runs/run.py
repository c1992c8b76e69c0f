"""A run under way: question after question, each written down with its scores as soon as it is answered.

It goes on from what is written, so a worker that is killed costs the questions it was at, and no reply of a
model twice.
"""

import contextlib
import logging
from collections.abc import Callable, Iterator
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import transaction
from django.utils import timezone

from chat.models import TurnStatus
from citations.judge import judge_of
from datasources.editors import no_editor
from datasources.models import Document
from evaluation.models import (
    GoldQuote,
    PaidReply,
    PaidVector,
    Question,
    Result,
    Run,
    RunStatus,
    Schedule,
)
from evaluation.questions.gold import find_again
from evaluation.reports.falls import fallen
from evaluation.reports.thresholds import parse_all
from evaluation.runs.announcing import tell_end
from evaluation.runs.answering import WORK, Answered, answer, citation_json
from evaluation.runs.budget import Budget, UsedUp
from evaluation.runs.forgetting import without_documents
from evaluation.runs.frozen import (
    answer_settings,
    cutting_of,
    embedder_of,
    helper_of,
    model_of,
    payer_of,
    prices_of,
)
from evaluation.runs.judging import judged
from evaluation.runs.masking import mask_result
from evaluation.runs.queueing import defer_run
from evaluation.runs.recut import Recut, drop, recut_for
from evaluation.runs.replies import Kept
from evaluation.runs.scoring import Needed, answer_scores, passages_json, search_scores
from evaluation.runs.variants import Variant
from jobs.failures import Explained, Failure, is_transient
from jobs.runs import FencedRun, Stopped, claim
from jobs.slices import is_over, side_by_side, work_a_slice
from providers.protocols import StructuredModel, UnreadableReply
from retrieval.query import Scope
from text.normal_forms.storable import storable

P = ParamSpec("P")
R = TypeVar("R")

logger = logging.getLogger(__name__)

AT_ONCE = 4  # questions with a model, which waits most of the time; one without keeps a core busy
IN_A_ROW = 3  # questions that fail one after the other: then the run does
OTHER_MODEL = Failure(
    code="other_model",
    message="The models that this run began with are not available: others are set, or a budget is used up.",
    hint="What was answered is kept. Go on once they are back, or start another run.",
)
FAULT = "It stopped at a fault in SVQ ({})."


class EvaluationRun(FencedRun[Run]):
    """Created by `begin`."""

    activity = "Evaluating"
    advice = "What was answered is kept. Go on with the run"
    deadly = "This stopped its worker several times, so it is not tried again."
    max_deaths = 5

    def __init__(self, row: Run) -> None:
        super().__init__(row)
        self.variant = Variant.parse(row.variant)
        datasource = row.datasource
        person = row.asked_by_id or datasource.owner_id
        payer = payer_of(datasource, person)
        self.model = model_of(datasource, self.variant, person)
        self.embedder = embedder_of(datasource)
        self.judge = judge_of(datasource, payer) if row.frozen["judge"] else None
        self.settings = answer_settings(row)
        self.prices, self.judge_prices = prices_of(row.frozen), prices_of(row.frozen, "judge_prices")
        self.recut: Recut | None = None  # while questions are asked of other chunks than the datasource's
        self.has_graph = bool(row.frozen.get("graph"))
        self.scope = Scope(user_id=person, datasource_id=datasource.pk)
        self.budget = Budget(
            row.token_budget,
            row.money_budget,
            (row.spent_tokens, row.spent_money),
            (row.dearest_tokens, row.dearest_money),
        )
        self.failed_in_a_row = 0

    @property
    def at_once(self) -> int:
        return 1 if self.model.quotes_only or not self.variant.answers else AT_ONCE

    async def search(self, function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
        """Call it where the run's chunks are found."""
        if self.recut is None:
            return await WORK.run(function, *args, **kwargs)
        return await WORK.run(partial(self.recut.call, function, *args, **kwargs))

    def announce(self, failure: Failure) -> None:
        tell_end(self.row, RunStatus.FAILED)

    def helper(self, kept: Kept) -> StructuredModel | None:
        """The model for small questions about a question, and for ranking; one for each that is asked at the
        same time.
        """
        model = helper_of(self.row.datasource, self.scope.user_id)
        return kept.structured(model, self.prices) if model else None


@transaction.atomic
def begin(run_id: int) -> EvaluationRun | None:
    """Take over the run from any other worker; None if it has ended or was deleted."""
    rows = Run.objects.select_related("datasource__owner", "asked_by", "question_set")
    row = claim(rows.filter(pk=run_id).order_by())
    if row is None:
        return None
    run = EvaluationRun(row)
    if run.gives_up():
        return None
    if refused := no_editor(row.datasource, row.asked_by, "Another editor can start a run."):
        run.fail(refused)
        return None
    if run.model.name != row.frozen["model"] or bool(run.judge) != bool(row.frozen["judge"]):
        run.fail(OTHER_MODEL)
        return None
    row.write(status=RunStatus.RUNNING)
    if not row.question_results.exists():  # a change of documents finds their quotes again by itself
        find_again(GoldQuote.objects.filter(question__in=row.questions()))
    return run


async def carry_on(run_id: int, seconds: float | None = None) -> None:
    """Go on with a run: for so many seconds, then its job is queued again and others have a turn. None: to
    its end. Raises what `FencedRun.settle` raises while another attempt may help, and CancelledError.
    """
    await work_a_slice(WORK, partial(begin, run_id), _ask_all, _end, seconds)


async def _ask_all(run: EvaluationRun, deadline: float | None) -> None:
    if run.variant.chunking is None:
        await _ask_waiting(run, deadline)
        return
    with recut_for(run.row, lambda: Recut(run.row, cutting_of(run.row.frozen), run.embedder)) as run.recut:
        if await WORK.run(run.recut.fill, deadline):
            await WORK.run(_count_chunks, run)
            await _ask_waiting(run, deadline)


def _count_chunks(run: EvaluationRun) -> None:
    """Record among the settings how many chunks there are."""
    assert run.recut is not None
    with run.writing() as row:
        row.write(frozen=row.frozen | {"chunks": run.recut.chunks})


async def _ask_waiting(run: EvaluationRun, deadline: float | None) -> None:
    waiting = iter(await WORK.run(_waiting, run))
    async with run.judge or contextlib.nullcontext():
        await side_by_side(run.at_once, lambda: _ask_in_turn(run, waiting, deadline))


def _waiting(run: EvaluationRun) -> list[Question]:
    answered = run.row.question_results.values("question")
    return list(run.row.questions().exclude(pk__in=answered).prefetch_related("gold").order_by("pk"))


async def _ask_in_turn(run: EvaluationRun, waiting: Iterator[Question], deadline: float | None) -> None:
    for question in waiting:
        if is_over(deadline):
            return
        try:
            await _ask(run, question)
        except UsedUp:
            return


async def _ask(run: EvaluationRun, question: Question) -> None:
    """A question that fails is a result too, unless several do in a row.

    Raises UsedUp where the budget ends within it: what was paid is kept for when the run goes on.
    """
    kept = Kept(run.row, question, run.budget)
    result = Result(run=run.row, question=question, outcome="searched")
    try:
        needed = await run.search(Needed.of, question)
        await _search(run, question, needed, result, kept)
        if run.variant.answers:
            await _fill(run, question, needed, result, kept)
    except Stopped:
        raise
    except Exception as error:
        run.failed_in_a_row += 1
        is_answered = isinstance(error, UnreadableReply)  # and kept: asked again it would answer the same
        if (is_transient(error) and not is_answered) or run.failed_in_a_row >= IN_A_ROW:
            raise
        known = isinstance(error, Explained)
        logger.warning("question %s of run %s", question.pk, run.row.pk, exc_info=None if known else error)
        message = error.message if isinstance(error, Explained) else FAULT.format(type(error).__name__)
        result = Result(run=run.row, question=question, outcome=TurnStatus.FAILED, error=message[:500])
    else:
        run.failed_in_a_row = 0
    if kept.is_cut_short:  # whatever became of it without the model
        raise UsedUp
    usage = kept.usage
    result.prompt_tokens, result.completion_tokens = usage.prompt_tokens, usage.completion_tokens
    result.money = kept.money
    await WORK.run(_record, run, result)


async def _search(run: EvaluationRun, question: Question, needed: Needed, result: Result, kept: Kept) -> None:
    reader = partial(run.helper, kept)
    result.legs = await run.search(
        search_scores, question, needed, run.scope, run.variant, run.embedder, reader, graph=run.has_graph
    )
    result.scores = {
        name: result.legs["fused"][name]
        for name in ("relevance_at_5", "recall_at_5", "hit_at_5", "mrr", "ndcg_at_10", "pages")
        if result.legs and name in result.legs["fused"]
    }


async def _fill(run: EvaluationRun, question: Question, needed: Needed, result: Result, kept: Kept) -> None:
    model, helper, reader = run.model, None, partial(run.helper, kept)
    if not model.quotes_only:  # what is made here costs nothing
        model = kept.chat(model, run.prices)
        helper = await WORK.run(reader)
    answered = await answer(
        question.text,
        run.scope,
        run.variant,
        model,
        run.embedder,
        run.settings,
        helper,
        reader,
        run.recut,
    )
    _write_answer(result, answered, needed)
    if run.judge is not None:
        told = await judged(kept.structured(run.judge, run.judge_prices), question, answered)
        result.judged = told.as_json() if told else {}


def _write_answer(result: Result, answered: Answered, needed: Needed) -> None:
    result.outcome = answered.outcome
    result.answer = storable(answered.answer)
    result.citations = storable([citation_json(each) for each in answered.citations])
    result.passages = passages_json(answered, needed)
    result.trace = storable(list(answered.trace))
    result.scores |= answer_scores(answered, needed)
    result.seconds, result.searches = answered.seconds, answered.searches


def _record(run: EvaluationRun, result: Result) -> None:
    """Write the result, without what was quoted from a document that has been purged meanwhile."""
    with run.writing():
        if not Question.objects.filter(pk=result.question_id).exists():
            return
        named = {each["document"] for each in (*result.citations, *result.passages)} - {None}
        locked = Document.objects.select_for_update(no_key=True).filter(pk__in=named).order_by("pk")
        gone = named - set(locked.values_list("pk", flat=True))
        without_documents(result, gone)
        mask_result(result)
        result.save()
        PaidReply.objects.filter(run=run.row, question=result.question_id).delete()


def _end(run: EvaluationRun) -> None:
    """Done, held by its budget, or queued again for another turn."""
    is_done = not _waiting(run)
    if is_done:
        drop(run.row.pk)
    worse = _fallen(run.row) if is_done and run.row.is_scheduled else []
    with run.writing():
        values: dict[str, object] = {"attempts": 0, "unended": 0}
        if is_done:
            values |= {"status": RunStatus.DONE, "finished": timezone.now(), "fallen": worse}
        elif run.budget.is_used_up:
            values |= {"status": RunStatus.HELD, "finished": timezone.now()}
        else:
            values |= {"job_id": defer_run(run.row)}
        if is_done:
            PaidVector.objects.filter(run=run.row).delete()
        run.close(**values)
        if "status" in values:
            tell_end(run.row, str(values["status"]), fallen=bool(worse))


def _fallen(row: Run) -> list[str]:
    plan = Schedule.objects.filter(question_set=row.question_set_id).first()
    return fallen(row, parse_all(plan.thresholds) if plan else [])

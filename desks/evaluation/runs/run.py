"""A run under way: question after question, each written down with its scores as soon as it is answered.

It goes on from what is written, so a worker that is killed costs the questions it was at, and no reply of a
model twice.
"""

import contextlib
import logging
from collections.abc import Callable
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from batches.budget import UsedUp, prices_now
from batches.replies import Replies
from batches.run import BatchRun, each
from batches.run import begin as begin_batch
from citations.judge import judge_of
from datasources.editors import no_editor
from datasources.models import Document
from desks.evaluation.models import (
    GoldQuote,
    PaidReply,
    PaidVector,
    Question,
    Result,
    Run,
    RunStatus,
    Schedule,
)
from desks.evaluation.questions.gold import find_again
from desks.evaluation.reports.falls import fallen
from desks.evaluation.reports.thresholds import parse_all
from desks.evaluation.runs.announcing import tell_end
from desks.evaluation.runs.answering import WORK, Answered, answer, citation_json
from desks.evaluation.runs.forgetting import without_documents
from desks.evaluation.runs.frozen import (
    answer_settings,
    cutting_of,
    embedder_of,
    helper_of,
    model_of,
    prices_of,
    roles_asked,
)
from desks.evaluation.runs.judging import judged
from desks.evaluation.runs.masking import mask_result
from desks.evaluation.runs.queueing import defer_run
from desks.evaluation.runs.recut import Recut, drop, recut_for
from desks.evaluation.runs.scoring import Needed, answer_scores, passages_json, search_scores
from desks.evaluation.runs.variants import Variant
from jobs.failures import Explained, Failure
from jobs.runs import Stopped, fault
from jobs.slices import work_a_slice
from localization.stored import LONGEST, words_of
from providers.protocols import StructuredModel
from providers.spending.models import Purpose
from retrieval.query import Scope
from text.normal_forms.storable import storable

P = ParamSpec("P")
R = TypeVar("R")

logger = logging.getLogger(__name__)

AT_ONCE = 4  # questions with a model, which waits most of the time; one without keeps a core busy
REPLY_TOKENS = 800  # that a reply is expected to have
OTHER_MODEL = Failure(
    code="other_model",
    message=gettext_noop(
        "The models that this run began with are not available: others are set, or a budget is used up."
    ),
    hint=gettext_noop("What was answered is kept. Go on once they are back, or start another run."),
)


class EvaluationRun(BatchRun[Run]):
    """Created by `begin`."""

    safe = gettext_noop("What was answered is kept.")
    purpose = Purpose.EVALUATION

    def __init__(self, row: Run) -> None:
        datasource = row.datasource
        person = row.asked_by_id or datasource.owner_id
        self.variant = Variant.parse(row.variant)
        asked = roles_asked([self.variant], judged=bool(row.frozen["judge"]))
        prices = prices_now(datasource, *asked)
        super().__init__(row, person=person, datasource=datasource.pk, reply=REPLY_TOKENS, prices=prices)
        self.model = model_of(datasource, self.variant, self.payer)
        self.embedder = embedder_of(datasource)
        self.judge = judge_of(datasource, self.payer) if row.frozen["judge"] else None
        self.settings = answer_settings(row)
        self.prices, self.judge_prices = prices_of(row.frozen), prices_of(row.frozen, "judge_prices")
        self.recut: Recut | None = None  # while questions are asked of other chunks than the datasource's
        self.has_graph = bool(row.frozen.get("graph"))
        self.scope = Scope(user_id=person, datasource_id=datasource.pk)

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

    def refusal(self) -> Failure | None:
        row = self.row
        if refused := no_editor(
            row.datasource, row.asked_by, gettext_noop("Another editor can start a run.")
        ):
            return refused
        is_other = self.model.name != row.frozen["model"] or bool(self.judge) != bool(row.frozen["judge"])
        return OTHER_MODEL if is_other else None

    def replies(self, question: Question) -> Replies:
        return Replies(PaidReply, run=self.row, question=question)

    def helper(self, kept: Replies) -> StructuredModel | None:
        """The model for small questions about a question, and for ranking; one for each that is asked at the
        same time.
        """
        model = helper_of(self.row.datasource, self.payer)
        return kept.structured(model, self.prices) if model else None


@transaction.atomic
def begin(run_id: int) -> EvaluationRun | None:
    """Take over the run from any other worker; None if it has ended or was deleted."""
    rows = Run.objects.select_related("datasource__owner", "asked_by", "question_set")
    run = begin_batch(rows.filter(pk=run_id).order_by(), EvaluationRun)
    # Later, a change of documents finds the quotes again by itself.
    if run and not run.row.question_results.exists():
        find_again(GoldQuote.objects.filter(question__in=run.row.questions()))
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
    waiting = await WORK.run(_waiting, run)
    total = await WORK.run(run.row.questions().count)
    async with run.judge or contextlib.nullcontext():
        await each(run, WORK, waiting, partial(_ask, run), deadline, total)


def _waiting(run: EvaluationRun) -> list[Question]:
    answered = run.row.question_results.values("question")
    return list(run.row.questions().exclude(pk__in=answered).prefetch_related("gold").order_by("pk"))


async def _ask(run: EvaluationRun, question: Question) -> None:
    """A question that fails is a result too, unless several do in a row.

    Raises UsedUp where the budget ends within it: what was paid is kept for when the run goes on.
    """
    kept = run.replies(question)
    result = Result(run=run.row, question=question, outcome="searched")
    try:
        needed = await run.search(Needed.of, question)
        await _search(run, question, needed, result, kept)
        if run.variant.answers:
            await _fill(run, question, needed, result, kept)
    except Stopped:
        raise
    except Exception as error:
        run.failed(error)
        known = isinstance(error, Explained)
        logger.warning("question %s of run %s", question.pk, run.row.pk, exc_info=None if known else error)
        message = error.message if isinstance(error, Explained) else fault(error)
        result = Result(run=run.row, question=question, outcome="failed")
        result.error, result.error_words = message[:LONGEST], words_of(message)
    else:
        run.succeeded()
    if kept.is_cut_short:  # whatever became of it without the model
        raise UsedUp
    usage = kept.usage
    result.prompt_tokens, result.completion_tokens = usage.prompt_tokens, usage.completion_tokens
    result.money = kept.money
    await WORK.run(_record, run, result, kept)


async def _search(
    run: EvaluationRun, question: Question, needed: Needed, result: Result, kept: Replies
) -> None:
    reader = partial(run.helper, kept)
    result.legs = await run.search(
        search_scores, question, needed, run.scope, run.variant, run.embedder, reader, graph=run.has_graph
    )
    result.scores = {
        name: result.legs["fused"][name]
        for name in ("relevance_at_5", "recall_at_5", "hit_at_5", "mrr", "ndcg_at_10", "pages")
        if result.legs and name in result.legs["fused"]
    }


async def _fill(
    run: EvaluationRun, question: Question, needed: Needed, result: Result, kept: Replies
) -> None:
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


def _record(run: EvaluationRun, result: Result, kept: Replies) -> None:
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
        kept.forget()


def _end(run: EvaluationRun) -> None:
    """Done, held by its budget, or queued again for another turn."""
    is_done = not _waiting(run)
    if is_done:
        drop(run.row.pk)
    worse = _fallen(run.row) if is_done and run.row.is_scheduled else []
    with run.writing():
        ended: dict[str, object] = {"finished": timezone.now()}
        if is_done:
            PaidVector.objects.filter(run=run.row).delete()
            ended |= {"fallen": worse}
        status = run.end(is_done, defer_run, **ended)
        if status != RunStatus.QUEUED:
            tell_end(run.row, status, fallen=bool(worse))


def _fallen(row: Run) -> list[str]:
    plan = Schedule.objects.filter(question_set=row.question_set_id).first()
    return fallen(row, parse_all(plan.thresholds) if plan else [])

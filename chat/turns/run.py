"""Answers a turn from beginning to end: takes it over, runs the agent, and records the outcome."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_noop

from answering import agent, unanswered
from answering.models import Models
from answering.nearest import Near, nearest
from answering.prose.model import Declined
from answering.stages.registry import ORDER
from answering.stages.stage import Unsearched
from answering.state.work import Asked, Means, Work
from answering.unanswered import Unanswered
from answering.values.outcome import Outcome
from answering.values.personal_data import PersonalData
from answering.whole.library import Library
from chat import events
from chat.branches import branches_of
from chat.instructions import instructions_of
from chat.models import AnswerSettings, Mode, Turn, TurnStatus
from chat.queue_places import announce_places
from chat.turns import history
from chat.turns.turn_run import NO_ACCESS, TurnRun, begin, refusal
from chat.unread import CODE, still_being_read
from citations.unsourced import sentences_without_source
from citations.verdict import verdict_of
from jobs.fair_slots import Busy
from jobs.runs import Stopped
from jobs.threads import SEARCHES, TURN_STARTS, TURN_WRITES, work_for
from localization.stored import said
from providers.cross_encoders import reranker
from providers.minilm.loaded import local_embedder
from providers.protocols import Message, ProviderError, UnreadableReply
from providers.spending.allowance import OverLimit
from retrieval.tools.registry import lacking, tools_of
from text.personal.personal_data import masked_in

logger = logging.getLogger(__name__)

OVER_LIMIT = gettext_noop(
    "The limit of a question leaves the language model no room for an answer. These are the documents' own "
    "words. The owner can raise the limit under Settings, Answers."
)
NO_TOKEN = gettext_noop(
    "Tools of {programs} were not offered to the language model, as you have entered no token of your own. "
    "You can do so under Settings, Outside tools."
)
INSTEAD = "These are the documents' own words."
# Of an answer that might be better the next time.
PASSING = frozenset(
    {
        *("stalled", "broken_off", "cut_off", "tokens_spent", "seconds_spent", "money_spent", "over_limit"),
        *("model_failed", "unsearched", "outside", CODE),
        *(f"{stage.name}_skipped" for stage in ORDER.stages),
    }
)
PREVIEWS_WAIT = 1.0  # seconds after the answer for pictures of its citations; the next question waits so long


async def run_turn(turn_id: UUID, models: Models | None = None) -> None:
    """Answer a turn to its end, with the models of its datasource where none are given. That it has begun is
    told before anything else is read or searched, whatever other turns do.

    Raises what `FencedRun.settle` raises while another attempt may help, and CancelledError.
    """
    run = await TURN_STARTS.run(begin, turn_id, models)
    if run is None:
        return
    work_for(run.turn.conversation.user_id)
    telling = asyncio.create_task(TURN_STARTS.run(announce_places))  # the others have come nearer
    try:
        await _answer_or_look(run)
    except Stopped:  # whoever has the turn now says the rest
        return
    except asyncio.CancelledError:  # the worker shuts down, or a person has stopped the turn
        await TURN_WRITES.run(run.forget_attempt)
        raise
    except Exception as error:  # noqa: BLE001 - settle tells them apart
        if isinstance(error, UnreadableReply):
            await TURN_WRITES.run(run.kept.forget_latest)
        await TURN_WRITES.run(run.settle, error)
    finally:
        if not run.is_charged:
            await TURN_WRITES.run(run.charge)
        await _end_previews(run)
        await asyncio.gather(telling, return_exceptions=True)


async def _end_previews(run: TurnRun) -> None:
    """Give the pictures that are still being made a moment; hovering makes those that are left out."""
    if run.previews:
        _, late = await asyncio.wait(run.previews, timeout=PREVIEWS_WAIT)
        for preview in late:
            preview.cancel()
        await asyncio.gather(*run.previews, return_exceptions=True)


async def _answer_or_look(run: TurnRun) -> None:
    try:
        await _answer(run)
    except ProviderError as error:
        if not run.is_tried_again(error):  # the language model has failed for good
            await _look_without_model(run)
        raise


async def _look_without_model(run: TurnRun) -> None:
    """What came nearest is shown in place of an answer, or beside one that nothing proves."""
    try:
        near = await SEARCHES.run(nearest, run.tools.scope, run.turn.question, run.models.embedder)
        run.near = await TURN_WRITES.run(_readable, run, near)
    except (ProviderError, Busy):  # then the failure stands alone
        logger.warning("no passages are shown for turn %s", run.turn.pk)


def _readable(run: TurnRun, near: Sequence[Near]) -> Sequence[Near]:
    """None of them where the asker may not read them any more."""
    return () if refusal(run.turn) else near


async def _answer(run: TurnRun) -> None:
    earlier, wishes = await TURN_WRITES.run(_prepare, run)
    work = _work(run, earlier, wishes)
    asked, failure = run.models, None
    while True:
        try:
            await agent.run(work)
            break
        except ProviderError as error:
            models, notice = await TURN_WRITES.run(_instead, run, error)
            failure = None if isinstance(error, OverLimit | Unsearched | Declined) else error
        await TURN_WRITES.run(_go_on, run, models)
        work = _work(run, earlier, wishes)
        work.notice(*notice)
    nothing = work.outcome == Outcome.NOT_FOUND
    if nothing and failure is not None:  # the documents' own words are no answer either
        await TURN_WRITES.run(_go_on, run, asked)
        raise failure
    run.failure = failure
    if work.outcome == Outcome.UNPROVEN:
        await _look_without_model(run)
    await TURN_WRITES.run(finish, run, work, await SEARCHES.run(look, run) if nothing else None)


def _instead(run: TurnRun, error: ProviderError) -> tuple[Models, tuple[str, str]]:
    """The models that answer in the place of those that have failed, and what is said about it. Raises the
    error again where another attempt may help, or where no model was asked.
    """
    if run.quotes_only:
        raise error
    if isinstance(error, OverLimit):
        return run.models.quotes_alone, ("over_limit", OVER_LIMIT)
    if isinstance(error, Declined):
        return run.models.quotes_alone, ("declined", f"{error.message} {INSTEAD}")
    if isinstance(error, Unsearched):
        run.models.remember_unsearched()
        return run.models.without_search, ("unsearched", error.message)
    if run.is_tried_again(error):
        raise error
    return run.models.quotes_alone, ("model_failed", f"{error.message} {INSTEAD}")


def _go_on(run: TurnRun, models: Models) -> None:
    """Begin anew with other models; nothing of what was written stays."""
    run.models = models
    run.quotes, run.citations, run.calls = [], {}, {}
    run.use(run.settings, run.tools.tools)
    with transaction.atomic():
        run.turn.citations.all().delete()
        run.turn.write(model=run.models.answers.name, quotes_only=run.quotes_only, prompts=run.prompts)
        run.log(events.TurnRestarted(attempt=run.turn.attempts, model=run.models.answers.name))


def _work(run: TurnRun, earlier: Sequence[Message], wishes: str) -> Work:
    asked = Asked(
        question=run.turn.question,
        rounds=agent.ROUNDS[run.turn.mode],
        history=earlier,
        instructions=wishes,
        settings=run.settings.as_value(),
        has_model=run.models.is_connected,
    )
    return Work(asked=asked, means=_means(run), citations=run.quotes)


def _means(run: TurnRun) -> Means:
    models = run.models
    return Means(
        emit=run.emit,
        show=run.show,
        rewrite=run.rewrite,
        revise=run.revise,
        model=models.answers,
        tools=run.tools,
        cleaner=run.cleaner,
        helper=models.helper,
        judge=models.judge,
        judge_wrote=models.judge_wrote,
        judge_window=models.judge_window,
        window=models.window,
        payer=models.payer,
        titles=run.titles,
        library=Library(scope=run.tools.scope) if run.turn.mode == Mode.AGENT else None,
        recall=run.recall if run.settings.remember else None,
        reranker=partial(reranker, models.payer),
        local_embedder=local_embedder,
    )


def look(run: TurnRun) -> Unanswered:
    """How far the question was searched, and what came nearest."""
    scope, question = run.tools.scope, run.turn.question
    return unanswered.look(scope, question, run.models.embedder, searched=bool(run.calls))


def _prepare(run: TurnRun) -> tuple[list[Message], str]:
    """The conversation so far, and the asker's instructions."""
    conversation = run.turn.conversation
    settings = AnswerSettings.objects.of(conversation.datasource)
    run.use(settings, tools_of(conversation.datasource_id, conversation.user_id))
    run.lacking = lacking(conversation.datasource_id, conversation.user_id)
    run.unread = still_being_read(run.tools.scope)
    run.models.payer.allowance = run.allowance()
    return _history(run.turn), instructions_of(conversation.user_id, conversation.datasource_id)


def _history(turn: Turn) -> list[Message]:
    earlier = branches_of(turn.conversation).earlier(turn.number)
    before = Turn.objects.filter(conversation=turn.conversation_id, number__in=earlier)
    heard = history.as_messages(reversed(before.order_by("-number")[: history.TURNS]))
    return [*heard, *history.as_sent(turn.earlier)]


def finish(run: TurnRun, work: Work, nothing: Unanswered | None) -> None:
    """Record and announce the answer and its outcome. `nothing`: what is known if nothing answers it.

    Searches nothing: that would keep other turns from writing.
    """
    assert work.outcome is not None
    assert work.written is not None
    search, run.replied = asdict(nothing.search) if nothing else {}, work.usage
    run.near = nothing.near if nothing else run.near
    if forbidden := refusal(run.turn):
        run.near = ()
    if forbidden and (nothing or forbidden.code == NO_ACCESS):
        with run.writing():
            run.withdraw()
            run.fail(forbidden)
        return
    if run.lacking and not (run.quotes_only or work.written.greeted):
        work.notice("outside_token", said(NO_TOKEN, programs=run.lacking))
    if run.unread and not (nothing or work.written.greeted):  # where nothing was found, the search says it
        work.notices.append(run.unread)
    with transaction.atomic():
        masks = run.settings.personal_data == PersonalData.MASK
        missing = masked_in(work.written.missing) if masks else work.written.missing
        notices = [notice.as_json() for notice in work.notices]
        if run.close(
            status=TurnStatus(work.outcome),
            search=search,
            notices=notices,
            standalone=work.question,
            intent=work.intent,
            missing=missing,
            verdict=_verdict(run, work),
            differ=run.repeats.differ if run.repeats else work.differ,
            quotes_only=run.quotes_only and not work.written.greeted,
            reused_from=run.repeats,
            prompts=run.repeats.prompts if run.repeats else run.prompts,
            **(run.explain(run.failure).columns() if run.failure else {}),
            cache_key="" if any(notice.code in PASSING for notice in work.notices) else run.cache_key,
        ):
            answer, seconds, usage = run.answer.shown.strip(), run.seconds, run.turn.usage
            run.log(
                events.AnswerCompleted(
                    answer=answer, status=work.outcome, usage=usage, seconds=seconds, notices=notices
                )
            )
            run.log_end(TurnStatus(work.outcome))


def _verdict(run: TurnRun, work: Work) -> dict[str, Any]:
    """Of an answer that claims something."""
    if run.repeats is not None:
        return run.repeats.verdict
    if work.new_answer is None or run.quotes_only or not work.citations:
        return {}
    unsourced = len(sentences_without_source(run.answer.shown))
    return verdict_of(work.citations, unsourced, work.judged.answers).as_json()

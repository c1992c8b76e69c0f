"""The loop of an answer: runs its stages one after the other. Knows no database and no request."""

import asyncio
import logging
import time
from collections.abc import Sequence

from django.utils.translation import gettext_noop

from answering.stages.registry import ORDER, Order
from answering.stages.stage import Stage
from answering.state.work import Work
from answering.values.events import StageFinished, StageSkipped
from jobs.failures import is_transient
from jobs.runs import Stopped
from localization.stored import said, sentences
from metrics import STAGE_SECONDS
from metrics.traces import span
from providers.protocols import ProviderError

logger = logging.getLogger(__name__)

FAULT = gettext_noop("There was a fault in SVQ.")
ROUNDS = {"agent": 5, "fast": 2}


async def run(work: Work, order: Order = ORDER) -> None:
    """Run each stage of the order that is due when its turn comes. A stage that the settings switch off is
    skipped; so is an optional one that fails.

    Raises ProviderError, and what `work.means.emit` and `work.means.show` raise.
    """
    try:
        await _one_after_the_other(work, order.first)
        while work.reply is None and work.written is None:
            if not await _one_after_the_other(work, order.each_round):
                break
        await _one_after_the_other(work, order.last)
    finally:
        for reply in {id(reply): reply for reply in (work.reply, work.held) if reply}.values():
            await reply.close()


async def _one_after_the_other(work: Work, stages: Sequence[Stage]) -> bool:
    """Whether any of them was due."""
    any_ran = False
    for stage in stages:
        if stage.is_on(work) and stage.is_due(work):
            await _timed(work, stage)
            any_ran = True
    return any_ran


async def _timed(work: Work, stage: Stage) -> None:
    begun, before = time.monotonic(), work.used.tokens
    with span(f"stage {stage.name}"):
        await (stage.run(work) if stage.time_limit is None else _within_limits(stage, work))
    seconds = time.monotonic() - begun
    STAGE_SECONDS.labels("answering", stage.name).observe(seconds)
    tokens = work.used.tokens - before
    await work.means.emit(StageFinished(stage=stage.name, ms=round(seconds * 1000, 2), tokens=tokens))


async def _within_limits(stage: Stage, work: Work) -> None:
    """Run an optional stage; report it if it was skipped."""
    try:
        async with asyncio.timeout(stage.time_limit):
            await stage.run(work)
    except TimeoutError:
        assert stage.time_limit is not None
        await _skip(
            stage,
            work,
            said("It took more than {seconds} seconds.", seconds=round(stage.time_limit)),
            "too_slow",
        )
    except ProviderError as error:
        logger.warning("%s left out: %s", stage.name, error.message)
        await _skip(stage, work, error.message, error.code)
    except Stopped:
        raise
    except Exception as error:
        if is_transient(error):
            raise
        logger.exception("stage %s", stage.name)
        await _skip(stage, work, FAULT, "fault")


async def _skip(stage: Stage, work: Work, why: str, code: str) -> None:
    """why: a sentence."""
    stage.give_up(work)
    work.notice(f"{stage.name}_skipped", sentences(stage.without, why))
    step = stage.step(stage.name, f"Left out: {why}", state="w")
    await work.means.emit(StageSkipped(stage=stage.name, code=code, reason=str(why), step=step))

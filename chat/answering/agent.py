"""The loop of an answer: runs its stages one after the other. Knows no database and no request."""

import asyncio
import logging
import time
from collections.abc import Sequence

from chat.answering.stages.registry import STAGES
from chat.answering.stages.stage import Stage, Work
from chat.events import StageFinished, StageSkipped
from jobs.failures import is_transient
from jobs.runs import Stopped
from metrics import STAGE_SECONDS
from metrics.traces import span
from providers.protocols import ProviderError

logger = logging.getLogger(__name__)

ROUNDS = {"agent": 5, "fast": 2}


async def run(work: Work, stages: Sequence[Stage] = STAGES) -> None:
    """Run the first stage that is due, until none is. A stage that isn't in `stages`, or that the settings
    switch off, is skipped; so is an optional one that fails.

    Raises ProviderError, and what `work.emit` and `work.show` raise.
    """
    on = [stage for stage in stages if stage.is_on(work)]
    try:
        while stage := next((stage for stage in on if stage.is_due(work)), None):
            begun, before = time.monotonic(), work.used.tokens
            with span(f"stage {stage.name}"):
                await (stage.run(work) if stage.time_limit is None else _within_limits(stage, work))
            work.done.add(stage.name)
            seconds = time.monotonic() - begun
            STAGE_SECONDS.labels("answering", stage.name).observe(seconds)
            tokens = work.used.tokens - before
            await work.emit(StageFinished(stage=stage.name, ms=round(seconds * 1000, 2), tokens=tokens))
    finally:
        for reply in {id(reply): reply for reply in (work.reply, work.held) if reply}.values():
            await reply.close()


async def _within_limits(stage: Stage, work: Work) -> None:
    """Run an optional stage; report it if it was skipped."""
    try:
        async with asyncio.timeout(stage.time_limit):
            await stage.run(work)
    except TimeoutError:
        await _skip(stage, work, f"it took more than {stage.time_limit:.0f} seconds", "too_slow")
    except ProviderError as error:
        logger.warning("%s left out: %s", stage.name, error.message)
        await _skip(stage, work, error.message.partition(". ")[0].rstrip("."), error.code)
    except Stopped:
        raise
    except Exception as error:
        if is_transient(error):
            raise
        logger.exception("stage %s", stage.name)
        await _skip(stage, work, "a fault in SVQ", "fault")


async def _skip(stage: Stage, work: Work, why: str, code: str) -> None:
    stage.give_up(work)
    work.notice(f"{stage.name}_skipped", f"{stage.without} ({why}).")
    step = stage.step(stage.name, f"Left out: {why}", state="w")
    await work.emit(StageSkipped(stage=stage.name, code=code, reason=why, step=step))

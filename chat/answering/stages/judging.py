"""The model in the role of the judge looks at each claim and quote, after the check by code."""

import asyncio
import logging

from chat.answering.stages.stage import Stage, Work
from chat.citations import judge
from chat.citations.judge import Judgement
from chat.events import ClaimsJudged, StageStarted
from chat.models import Citation, Support
from providers.protocols import ProviderError
from text.counted import counted

logger = logging.getLogger(__name__)

TIME_LIMIT = 20.0  # seconds for all quotes of an answer, which is on the page meanwhile
AT_ONCE = 4  # requests
NO_TIME = (
    "No second opinion was asked for: the time of a question was used up. The check by code stands alone."
)


class Judging(Stage):
    """Skipped if no model has the role. Without an answer in time, the verdict of the code stands."""

    name = "judging"
    label = "Second opinion"
    icon = "scale"
    doing = "Asking a second model about the claims"
    switch = "judge"

    def is_due(self, work: Work) -> bool:
        asked = work.judge is not None and self.name not in work.done
        return work.is_new and asked and bool(_claims(work))

    async def run(self, work: Work) -> None:
        claims = _claims(work)
        left = TIME_LIMIT if work.seconds_left is None else min(TIME_LIMIT, work.seconds_left)
        if left <= 0:
            work.notice("judging_skipped", NO_TIME)
            return
        asking = f"Asking about {counted(len(claims), 'claim')}"
        await work.emit(StageStarted(stage=self.name, step=self.step(self.name, asking)))
        opinions = await _opinions(work, claims, left)
        changed = []
        for citation, opinion in zip(claims, opinions, strict=True):
            if opinion is not None:
                work.usage += opinion.usage
                citation.judge = opinion.as_json()
                citation.support, citation.reason = judge.settled(citation.support, citation.reason, opinion)
                changed.append(citation)
        await work.revise(changed)
        await work.emit(_told(self, opinions))


async def _opinions(work: Work, claims: list[Citation], seconds: float) -> list[Judgement | None]:
    """One for each claim; None where the judge failed or was too slow."""
    assert work.judge is not None
    room = asyncio.Semaphore(AT_ONCE)
    async with work.judge:
        tasks = [asyncio.create_task(_opinion(work, citation, room)) for citation in claims]
        try:
            await asyncio.wait(tasks, timeout=seconds)
        finally:
            for task in tasks:
                task.cancel()
            opinions = await asyncio.gather(*tasks, return_exceptions=True)
    for opinion in opinions:
        if isinstance(opinion, Exception):  # being cancelled is none
            logger.error("the judge could not be asked", exc_info=opinion)
    return [opinion if isinstance(opinion, Judgement) else None for opinion in opinions]


async def _opinion(work: Work, citation: Citation, room: asyncio.Semaphore) -> Judgement | None:
    assert work.judge is not None
    passage = citation.context or f"{citation.before} {citation.quote} {citation.after}".strip()
    async with room:
        try:
            return await judge.ask(work.judge, citation.claim, citation.quote, passage)
        except ProviderError as error:
            logger.warning("no second opinion: %s", error.message)
            return None


def _claims(work: Work) -> list[Citation]:
    return [citation for citation in work.citations if citation.support != Support.NONE]


def _told(stage: Judging, opinions: list[Judgement | None]) -> ClaimsJudged:
    """The line of the trace, and the counts behind it."""
    given = [opinion for opinion in opinions if opinion is not None]
    supported = sum(opinion.supported for opinion in given)
    text = "No answer; the check by code stands alone"
    if given:
        text = f"{given[0].model} finds {supported} of {counted(len(given), 'claim')} supported"
        if missing := len(opinions) - len(given):
            text += f"; no answer about {missing}, where the check by code stands alone"
    agrees = len(given) == len(opinions) == supported
    step = stage.step(stage.name, text, state="" if agrees else "w")
    return ClaimsJudged(asked=len(opinions), answered=len(given), supported=supported, step=step)

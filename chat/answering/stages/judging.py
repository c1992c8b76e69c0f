"""A second reader reads all claims with their quotes in one call, after the check by code."""

import asyncio
import logging

from chat.answering.stages.stage import Stage, Work
from chat.citation_rows.second_opinion import statements_of, take_opinion
from chat.events import ClaimsJudged, StageStarted
from chat.models import Citation
from citations.choices import Support
from citations.marks import mark
from citations.opinion import Answers, Reading, Says
from citations.parse import Tag, parse
from citations.second_reader import read
from citations.unsourced import sentences_without_source
from providers.protocols import ProviderError
from text.counted import counted

logger = logging.getLogger(__name__)

TIME_LIMIT = 60.0  # seconds for an answer, which is on the page meanwhile
NO_TIME = "No second reader was asked: the time of a question was used up. The check by code stands alone."
ALONE = "the check by code stands alone"


class Judging(Stage):
    """Skipped if no model has the role. Without a reply in time, the verdict of the code stands."""

    name = "judging"
    label = "Second reader"
    icon = "eye"
    doing = "A second reader reads the claims"
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
        asking = f"Reading {counted(len(claims), 'statement')}"
        await work.emit(StageStarted(stage=self.name, step=self.step(self.name, asking)))
        reading, why = await _read(work, claims, left)
        if reading is None:
            await self._go_on_alone(work, len(claims), why)
            return
        work.usage += reading.usage
        work.answers, work.lacks = reading.answers, reading.missing
        read_by = [citation for citation in claims if citation.n in reading.opinions]
        for citation in read_by:
            take_opinion(citation, reading.opinions[citation.n])
        await work.revise(read_by)
        if told := _to_the_point(work):
            work.notice(f"answers_{reading.answers}", told)
        await work.emit(self._told(work, claims, reading))

    async def _go_on_alone(self, work: Work, asked: int, why: str) -> None:
        assert work.judge is not None
        work.notice("judging_skipped", f"The second reader, {work.judge.name}, {why}: {ALONE}.")
        step = self.step(self.name, f"{why[:1].upper()}{why[1:]}; {ALONE}", state="w")
        await work.emit(ClaimsJudged(asked=asked, answered=0, supported=0, calls=0, answers="", step=step))

    def _told(self, work: Work, claims: list[Citation], reading: Reading) -> ClaimsJudged:
        """The line of the trace, and the counts behind it."""
        supported = sum(each.says == Says.SUPPORTS for each in reading.opinions.values())
        times = "One call" if reading.calls == 1 else f"{reading.calls} calls"
        text = f"{times} of {reader(work)} read {counted(len(claims), 'statement')}"
        text += f" and found {supported} supported"
        if missing := len(claims) - len(reading.opinions):
            text += f"; nothing usable about {missing}, where {ALONE}"
        agrees = len(claims) == supported and reading.answers in (Answers.WHOLLY, Answers.UNKNOWN)
        return ClaimsJudged(
            asked=len(claims),
            answered=len(reading.opinions),
            supported=supported,
            calls=reading.calls,
            answers=reading.answers.value,
            step=self.step(self.name, text, state="" if agrees else "w"),
        )


def reader(work: Work) -> str:
    """The name of the second reader, and that it wrote the answer if it did."""
    assert work.judge is not None
    return f"{work.judge.name}, the model that wrote the answer," if work.judge_wrote else work.judge.name


async def _read(work: Work, claims: list[Citation], seconds: float) -> tuple[Reading | None, str]:
    """What it says; else None, and why not."""
    assert work.judge is not None
    window = await asyncio.to_thread(work.judge_window)
    try:
        async with asyncio.timeout(seconds), work.judge:
            return await read(
                work.judge,
                work.standalone,
                statements_of(claims),
                sentences_without_source(_marked(work.text)),
                window=window,
                writer=work.judge_wrote,
            ), ""
    except TimeoutError:
        return None, f"did not answer within {seconds:.0f} seconds"
    except ProviderError as error:
        logger.warning("no second reader: %s", error.message)
        return None, "could not be asked, or did not answer in the form it was asked for"


def _to_the_point(work: Work) -> str:
    """What a reader of the answer must know first, if it does not answer the whole question."""
    match work.answers:
        case Answers.PARTLY:
            told = "This answers a part of the question"
        case Answers.NOT:
            told = "This does not answer the question"
        case _:
            return ""
    lacks = f" Missing: {work.lacks.rstrip('.')}." if work.lacks else ""
    return f"{told}, as {reader(work).rstrip(',')} reads it.{lacks}"


def _marked(text: str) -> str:
    """The answer with a mark in place of each citation tag."""
    pieces = parse(text)
    return "".join(mark(1) if isinstance(each, Tag) else text[each.start : each.end] for each in pieces)


def _claims(work: Work) -> list[Citation]:
    return [citation for citation in work.citations if citation.support != Support.NONE]

"""A second reader reads all claims with their quotes in one call, after the check by code."""

import asyncio
import logging

from django.utils.translation import gettext_noop

from answering.stages.stage import Stage
from answering.state.work import Judged, Work
from answering.values.events import ClaimsJudged, StageStarted
from citations.checked import CheckedQuote, statements_of
from citations.checking import with_opinion
from citations.choices import Support
from citations.marks import mark
from citations.opinion import Answers, Reading, Says
from citations.parse import Tag, parse
from citations.second_reader import read
from citations.unsourced import sentences_without_source
from localization.stored import said
from providers.protocols import ProviderError
from text.counted import counted

logger = logging.getLogger(__name__)

TIME_LIMIT = 60.0  # seconds for an answer, which is on the page meanwhile
NO_TIME = gettext_noop(
    "No second reader was asked: the time of a question was used up. The check by code stands alone."
)
ALONE = "the check by code stands alone"
TOO_LATE = "did not answer within {seconds} seconds"
UNUSABLE = "could not be asked, or did not answer in the form it was asked for"
NO_ANSWER = {  # beside the answer, by why there is none
    TOO_LATE: gettext_noop(
        "The second reader, {model}, did not answer within {seconds} seconds: the check by code stands alone."
    ),
    UNUSABLE: gettext_noop(
        "The second reader, {model}, could not be asked, or did not answer in the form it was asked for: "
        "the check by code stands alone."
    ),
}


class Judging(Stage):
    """Skipped if no model has the role. Without a reply in time, the verdict of the code stands."""

    name = "judging"
    label = gettext_noop("Second reader")
    icon = "eye"
    doing = gettext_noop("A second reader reads the claims")
    switch = "judge"

    def is_due(self, work: Work) -> bool:
        asked = work.means.judge is not None
        return work.new_answer is not None and asked and bool(_claims(work))

    async def run(self, work: Work) -> None:
        claims = _claims(work)
        left = TIME_LIMIT if work.seconds_left is None else min(TIME_LIMIT, work.seconds_left)
        if left <= 0:
            work.notice("judging_skipped", NO_TIME)
            return
        asking = f"Reading {counted(len(claims), 'statement')}"
        await work.means.emit(StageStarted(stage=self.name, step=self.step(self.name, asking)))
        reading, why = await _read(work, claims, left)
        if reading is None:
            await self._go_on_alone(work, len(claims), why, left)
            return
        work.usage += reading.usage
        work.judged = Judged(answers=reading.answers, lacks=reading.missing)
        opinions = reading.opinions
        await work.means.revise(
            [with_opinion(each, opinions[each.n]) for each in claims if each.n in opinions]
        )
        if told := _to_the_point(work):
            work.notice(f"answers_{reading.answers}", told)
        await work.means.emit(self._told(work, claims, reading))

    async def _go_on_alone(self, work: Work, asked: int, why: str, seconds: float) -> None:
        assert work.means.judge is not None
        told = said(NO_ANSWER[why], model=work.means.judge.name, seconds=round(seconds))
        work.notice("judging_skipped", told)
        why = why.format(seconds=round(seconds))
        step = self.step(self.name, f"{why[:1].upper()}{why[1:]}; {ALONE}", state="w")
        await work.means.emit(
            ClaimsJudged(asked=asked, answered=0, supported=0, calls=0, answers="", step=step)
        )

    def _told(self, work: Work, claims: list[CheckedQuote], reading: Reading) -> ClaimsJudged:
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
    assert work.means.judge is not None
    name = work.means.judge.name
    return f"{name}, the model that wrote the answer," if work.means.judge_wrote else name


async def _read(work: Work, claims: list[CheckedQuote], seconds: float) -> tuple[Reading | None, str]:
    """What it says; else None, and why not."""
    assert work.means.judge is not None
    assert work.written is not None
    window = await asyncio.to_thread(work.means.judge_window)
    try:
        async with asyncio.timeout(seconds), work.means.judge:
            return await read(
                work.means.judge,
                work.question,
                statements_of(claims),
                sentences_without_source(_marked(work.written.text)),
                window=window,
                writer=work.means.judge_wrote,
            ), ""
    except TimeoutError:
        return None, TOO_LATE
    except ProviderError as error:
        logger.warning("no second reader: %s", error.message)
        return None, UNUSABLE


def _to_the_point(work: Work) -> str:
    """What a reader of the answer must know first, if it does not answer the whole question."""
    match work.judged.answers:
        case Answers.PARTLY:
            told = "This answers a part of the question"
        case Answers.NOT:
            told = "This does not answer the question"
        case _:
            return ""
    lacks = f" Missing: {work.judged.lacks.rstrip('.')}." if work.judged.lacks else ""
    return f"{told}, as {reader(work).rstrip(',')} reads it.{lacks}"


def _marked(text: str) -> str:
    """The answer with a mark in place of each citation tag."""
    pieces = parse(text)
    return "".join(mark(1) if isinstance(each, Tag) else text[each.start : each.end] for each in pieces)


def _claims(work: Work) -> list[CheckedQuote]:
    return [citation for citation in work.citations if citation.support != Support.NONE]

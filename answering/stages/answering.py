"""The model writes the answer."""

from itertools import islice

from django.utils.translation import gettext_noop

from answering.stages.correcting import NOT_REPEATED
from answering.stages.stage import Stage
from answering.state.reply import ReplyStream
from answering.state.work import Work, Written
from answering.values.events import StageStarted
from citations.parse import TAG, stable_prefix
from providers.openai.repetition import loop_in
from providers.protocols import Looping, ProviderError
from providers.spending.allowance import OverLimit

STALLED = gettext_noop("The model server stopped in the middle of the answer. This is what it had written.")
BROKEN_OFF = gettext_noop(
    "The connection to the model server broke in the middle of the answer. This is what had come."
)
TOO_SLOW = gettext_noop(
    "The model took longer than its server is given for an answer. This is what it had written. Whoever "
    "connected it can give it more time."
)
NO_ROOM = gettext_noop(
    "The limit of a question was reached in the middle of the answer. This is what had been written."
)
LOOPS = gettext_noop("The model began to repeat itself and was stopped. This is what it had written before.")
CUT_OFF = gettext_noop("The model reached the length that a reply may have. This is what it had written.")
TOO_MUCH = gettext_noop("The answer was longer than can be checked. This is its beginning.")
LONGEST = 24_000  # characters of an answer that are shown and checked
MOST_TAGS = 150
CUT = " …"  # behind the last word, which may be half of one


class Answering(Stage):
    """Reads the reply that planning has opened. One that stalls or breaks off becomes a partial answer."""

    name = "answering"
    label = gettext_noop("Write")
    icon = "pencil"
    doing = gettext_noop("Writing the answer")

    def is_due(self, work: Work) -> bool:
        return work.reply is not None

    async def run(self, work: Work) -> None:
        reply = work.reply = await _better(work)
        if reply.text and not work.means.model.quotes_only:
            # In the place of the plan: the model had planned to write.
            step = self.step(f"round-{work.rounds.number}", "claims bound to quotes while writing")
            await work.means.emit(StageStarted(stage=self.name, step=step))
        try:
            await self._read(work, reply)
        except ProviderError as error:
            if not ((error.stalled or error.cut) and reply.text.strip()):
                raise
            text = reply.text[: loop_in(reply.text)] if isinstance(error, Looping) else reply.text
            await _end_in_part(work, text, *_why(error))

    async def _read(self, work: Work, reply: ReplyStream) -> None:
        """Show it as it grows, to its end. Raises ProviderError."""
        growing = True
        while growing:
            if longest := _longest(reply.text):
                await reply.close()
                await _end_in_part(work, reply.text[:longest], "too_much", TOO_MUCH)
                return
            if reply.text and _may_stand(work, reply.text):
                await work.means.show(reply.text, False)
            growing = await reply.grow()
        assert reply.whole is not None
        answer = reply.answer
        work.usage += reply.whole.usage
        if reply.whole.cut:
            await _end_in_part(work, reply.text, "cut_off", CUT_OFF)
            return
        if longest := _longest(answer.answer):
            await _end_in_part(work, answer.answer[:longest], "too_much", TOO_MUCH)
            return
        await _end(work, Written(text=answer.answer, found=answer.found, missing=answer.missing))


def _why(error: ProviderError) -> tuple[str, str]:
    """Why an answer ended in its middle, as a code and in words."""
    match error:
        case Looping():
            return "cut_off", LOOPS
        case OverLimit():
            return "tokens_spent", NO_ROOM
        case ProviderError(code="model_too_slow"):
            return "stalled", TOO_SLOW
    return ("stalled", STALLED) if error.stalled else ("broken_off", BROKEN_OFF)


async def _end_in_part(work: Work, text: str, code: str, told: str) -> None:
    work.notice(code, told)
    await _end(work, Written(text=f"{text[: stable_prefix(text)]}{CUT}", found="some"))


async def _end(work: Work, written: Written) -> None:
    work.written, work.reply = written, None
    if _may_stand(work, written.text):
        await work.means.show(written.text, True)


def _may_stand(work: Work, text: str) -> bool:
    """What cites nothing, and was written before anything was searched, is not proven but done anew."""
    return work.means.model.plans_here or bool(work.rounds.asked_before or TAG.search(text))


def _longest(text: str) -> int:
    """Where to cut an answer that is too long to be checked; 0 if it is not."""
    tags = islice(TAG.finditer(text), MOST_TAGS, MOST_TAGS + 1)
    end = next((tag.start() for tag in tags), len(text))
    end = min(end, LONGEST)
    return end if end < len(text) else 0


async def _better(work: Work) -> ReplyStream:
    """The reply, or the partial answer that was held back if the other search has brought less or its reply
    breaks off; the reply is therefore read whole before any of it is shown. Raises ProviderError.
    """
    reply, held = work.reply, work.held
    assert reply is not None
    if held is None or held is reply:
        return reply
    work.held = None
    assert held.whole is not None
    if held.says != "some":
        work.usage += held.whole.usage
        return reply
    try:
        while await reply.grow():
            pass
        says = reply.says
    except ProviderError:
        work.notice("correcting_skipped", NOT_REPEATED)
        await reply.close()
        return held
    assert reply.whole is not None
    if says == "none":
        work.usage += reply.whole.usage
        return held
    work.usage += held.whole.usage
    return reply

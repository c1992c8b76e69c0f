"""Finds the proof of an answer that a model has written without any."""

from pathlib import Path

from chat.answering.prose.attach import attached, quotable
from chat.answering.stages.conversation import messages
from chat.answering.stages.reply import ReplyStream, answer_spec
from chat.answering.stages.stage import Stage, Unsearched, Work
from chat.events import StageStarted
from citations.parse import TAG
from jobs.threads import QUOTING
from providers.protocols import Message, ProviderError
from text.prompt import render

PROMPT = Path(__file__).parent.parent / "prompts" / "prove.md"
ATTACHED = "The model named no sources. SVQ has looked for them in the passages that it was given."


class Proving(Stage):
    """First code looks for a quote of each sentence; if no sentence has one, the model is asked for quotes
    once. An answer from nothing is not proven: the question is searched for by code instead.
    """

    name = "proving"
    label = "Prove"
    icon = "quote"
    doing = "Looking for the sources of what was written"

    def is_due(self, work: Work) -> bool:
        if not work.is_new or work.model.plans_here or self.name in work.done:
            return False
        if work.found == "none" or not work.text.strip():
            return not work.asked_before
        return not TAG.search(work.text)

    async def run(self, work: Work) -> None:
        if not work.asked_before:
            raise Unsearched
        if not work.tools.by_key:
            return
        proven = await QUOTING.run(lambda: attached(work.text, quotable(work.tools.by_key)))
        if TAG.search(proven):
            work.notice("attached", ATTACHED)
            told = "sources found by code"
        else:
            proven = await _asked(work)
            told = "asked for quotes" if TAG.search(proven) else "asked for quotes; there are none"
        await work.emit(StageStarted(stage=self.name, step=self.step(self.name, told, state="w")))
        if TAG.search(proven):
            work.text = proven
            await work.rewrite(proven)


async def _asked(work: Work) -> str:
    """The answer as the model writes it when it is asked for quotes; without any if it fails again."""
    said = [Message(role="assistant", content=work.text), Message(role="user", content=render(PROMPT))]
    stream = work.model.stream([*messages(work), *said], [answer_spec()])
    reply = ReplyStream(stream, work.seconds_left)
    try:
        while await reply.grow():
            pass
        assert reply.whole is not None
        work.usage += reply.whole.usage
        return reply.answer.answer
    except ProviderError:
        return ""
    finally:
        await reply.close()

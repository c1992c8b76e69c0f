"""Finds the proof of an answer that a model has written without any."""

from dataclasses import replace
from pathlib import Path

from django.utils.translation import gettext_noop

from answering.prose.attach import attached, quotable
from answering.stages.stage import Stage, Unsearched
from answering.state.conversation import messages
from answering.state.reply import ReplyStream, answer_spec
from answering.state.work import Work
from answering.values.events import StageStarted
from citations.parse import TAG
from jobs.threads import QUOTING
from providers.protocols import Message, ProviderError
from text.prompt import render

PROMPT = Path(__file__).parent.parent / "prompts" / "prove.md"
ATTACHED = gettext_noop(
    "The model named no sources. SVQ has looked for them in the passages that it was given."
)


class Proving(Stage):
    """First code looks for a quote of each sentence; if no sentence has one, the model is asked for quotes
    once. An answer from nothing is not proven: the question is searched for by code instead.
    """

    name = "proving"
    label = gettext_noop("Prove")
    icon = "quote"
    doing = gettext_noop("Looking for the sources of what was written")

    def is_due(self, work: Work) -> bool:
        written = work.new_answer
        if written is None or work.means.model.plans_here:
            return False
        if written.found == "none" or not written.text.strip():
            return not work.rounds.asked_before
        return not TAG.search(written.text)

    async def run(self, work: Work) -> None:
        if not work.rounds.asked_before:
            raise Unsearched
        if not work.means.tools.by_key:
            return
        written = work.written
        assert written is not None
        proven = await QUOTING.run(lambda: attached(written.text, quotable(work.means.tools.by_key)))
        if TAG.search(proven):
            work.notice("attached", ATTACHED)
            told = "sources found by code"
        else:
            proven = await _asked(work, written.text)
            told = "asked for quotes" if TAG.search(proven) else "asked for quotes; there are none"
        await work.means.emit(StageStarted(stage=self.name, step=self.step(self.name, told, state="w")))
        if TAG.search(proven):
            work.written = replace(written, text=proven)
            await work.means.rewrite(proven)


async def _asked(work: Work, text: str) -> str:
    """The answer as the model writes it when it is asked for quotes; without any if it fails again."""
    said = [Message(role="assistant", content=text), Message(role="user", content=render(PROMPT))]
    stream = work.means.model.stream([*messages(work), *said], [answer_spec()])
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

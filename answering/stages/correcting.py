"""If the model says that its passages do not answer the question, it must search once more."""

from dataclasses import replace
from pathlib import Path

from django.utils.translation import gettext_noop

from answering.stages.stage import Stage
from answering.state.work import CallResult, Work
from answering.tools.runner import ToolResult
from answering.values.events import StageStarted
from providers.protocols import Message
from text.prompt import render

SEARCH_AGAIN = Path(__file__).parent.parent / "prompts" / "search_again.md"
SEARCH_FIRST = Path(__file__).parent.parent / "prompts" / "search_first.md"
NOT_REPEATED = gettext_noop("The search was not repeated to its end, as the model server failed.")
ROUNDS_NEEDED = 2  # to search, and to answer


class Correcting(Stage):
    """Holds the poor answer back; it is given after all if the other search brings nothing better."""

    name = "correcting"
    label = gettext_noop("Search again")
    icon = "refresh-cw"
    doing = gettext_noop("Searching in other words")
    switch = "correct"

    def is_due(self, work: Work) -> bool:
        reply = work.reply
        if reply is None or work.rounds.corrected or work.means.model.plans_here:
            return False
        poor = reply.says in ("some", "none") or _searched_nothing(work)
        return poor and work.rounds.most - work.rounds.number >= ROUNDS_NEEDED

    async def run(self, work: Work) -> None:
        reply = work.reply
        assert reply is not None
        while await reply.grow():
            pass
        assert reply.whole is not None
        answer, work.held, work.reply = reply.answer, reply, None
        missing = f": what is missing is {answer.missing}" if answer.missing else ""
        calls = reply.whole.tool_calls
        said = Message(role="assistant", content=reply.whole.content, tool_calls=calls)
        nothing = _searched_nothing(work)
        told = render(SEARCH_FIRST if nothing else SEARCH_AGAIN, **({} if nothing else {"missing": missing}))
        replied = [CallResult(call=call, result=ToolResult(refusal=told)) for call in calls]
        plain = [] if calls else [Message(role="user", content=told)]
        work.rounds = replace(
            work.rounds,
            said=(*work.rounds.said, said, *replied, *plain),
            must_search=True,
            corrected=True,
        )
        text = f"Missing: {answer.missing}" if answer.missing else "The passages do not answer the question"
        await work.means.emit(StageStarted(stage=self.name, step=self.step(self.name, text)))


def _searched_nothing(work: Work) -> bool:
    """Whether a model that could not be made to call a tool has just talked: no search, no call, no proof."""
    reply = work.reply or work.held
    talks = reply is not None and reply.whole is not None and not reply.whole.tool_calls
    return talks and not work.rounds.asked_before and "citation[" not in (reply.text if reply else "")

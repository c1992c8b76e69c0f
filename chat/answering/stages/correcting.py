"""If the model says that its passages do not answer the question, it must search once more."""

from pathlib import Path

from chat.answering.stages.stage import CallResult, Stage, Work
from chat.answering.tools.runner import ToolResult
from chat.events import StageStarted
from providers.protocols import Message
from text.prompt import render

SEARCH_AGAIN = Path(__file__).parent.parent / "prompts" / "search_again.md"
SEARCH_FIRST = Path(__file__).parent.parent / "prompts" / "search_first.md"
NOT_REPEATED = "The search was not repeated to its end, as the model server failed."
ROUNDS_NEEDED = 2  # to search, and to answer


class Correcting(Stage):
    """Holds the poor answer back; it is given after all if the other search brings nothing better."""

    name = "correcting"
    label = "Search again"
    icon = "refresh-cw"
    doing = "Searching in other words"
    switch = "correct"

    def is_due(self, work: Work) -> bool:
        reply = work.reply
        if reply is None or self.name in work.done or work.model.plans_here:
            return False
        poor = reply.says in ("some", "none") or _searched_nothing(work)
        return poor and work.rounds - work.round >= ROUNDS_NEEDED

    async def run(self, work: Work) -> None:
        reply = work.reply
        assert reply is not None
        while await reply.grow():
            pass
        assert reply.whole is not None
        answer, work.held, work.reply = reply.answer, reply, None
        work.must_search = True
        missing = f": what is missing is {answer.missing}" if answer.missing else ""
        work.said.append(
            Message(role="assistant", content=reply.whole.content, tool_calls=reply.whole.tool_calls)
        )
        nothing = _searched_nothing(work)
        told = render(SEARCH_FIRST if nothing else SEARCH_AGAIN, **({} if nothing else {"missing": missing}))
        calls = reply.whole.tool_calls
        work.said += [CallResult(call=call, result=ToolResult(refusal=told)) for call in calls]
        if not calls:
            work.said.append(Message(role="user", content=told))
        text = f"Missing: {answer.missing}" if answer.missing else "The passages do not answer the question"
        await work.emit(StageStarted(stage=self.name, step=self.step(self.name, text)))


def _searched_nothing(work: Work) -> bool:
    """Whether a model that could not be made to call a tool has just talked: no search, no call, no proof."""
    reply = work.reply or work.held
    talks = reply is not None and reply.whole is not None and not reply.whole.tool_calls
    return talks and not work.asked_before and "citation[" not in (reply.text if reply else "")

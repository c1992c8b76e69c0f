"""The model decides what to look up next, or that it can answer."""

from pathlib import Path

from chat.answering.stages.reply import ReplyStream, answer_spec
from chat.answering.stages.stage import Stage, Work
from chat.events import RoundStarted, Step
from providers.prompt import render
from providers.protocols import Message

LAST_ROUND = Path(__file__).parent.parent / "prompts" / "last_round.md"


class Planning(Stage):
    """One round. Leaves calls of tools; or, and in the last round always, the reply that answers."""

    name = "planning"
    label = "Plan"
    icon = "list-checks"

    def is_due(self, work: Work) -> bool:
        return work.round < work.rounds and not work.calls and work.reply is None and not work.answered

    async def run(self, work: Work) -> None:
        work.round += 1
        last = work.round == work.rounds
        await work.emit(RoundStarted(round=work.round, rounds=work.rounds, step=self._step(work)))
        add_results(work)
        if last and work.round > 1:
            work.messages.append(Message(role="user", content=render(LAST_ROUND)))
        specs = [answer_spec()] if last else [*work.tools.specs, answer_spec()]
        work.reply = ReplyStream(work.model.stream(work.messages, specs, tool_choice="required"))
        if await work.reply.grow():
            return  # it answers
        reply = work.reply.whole
        assert reply is not None
        if reply.tool_calls and not work.reply.answers and not last:
            work.messages.append(
                Message(role="assistant", content=reply.content, tool_calls=reply.tool_calls)
            )
            work.usage, work.calls, work.reply = work.usage + reply.usage, reply.tool_calls, None

    def _step(self, work: Work) -> Step | None:
        if work.model.quotes_only:
            return None
        doing = "Reading the question" if work.round == 1 else "Searching your documents"
        return self.step(f"round-{work.round}", f"Round {work.round} of at most {work.rounds}", doing=doing)


def add_results(work: Work) -> None:
    """Add the results of the calls to what the model reads, in the order in which it asked for them."""
    work.messages += [
        Message(role="tool", tool_call_id=call.id, content=work.tools.content(result))
        for call, result in work.results
    ]
    work.results = []

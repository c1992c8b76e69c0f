"""The model decides what to look up next, or that it can answer."""

import asyncio
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from chat.answering.prose.model import passage_tokens
from chat.answering.stages.compressing import shorten
from chat.answering.stages.conversation import messages, room_for_answer
from chat.answering.stages.correcting import NOT_REPEATED
from chat.answering.stages.reply import OverTime, ReplyStream, answer_spec
from chat.answering.stages.stage import Stage, Work
from chat.events import RoundStarted, Step
from providers.openai.tokens import estimated_request
from providers.protocols import Message, ProviderError, ToolSpec
from providers.spending.allowance import OverLimit
from text.prompt import render

LAST_ROUND = Path(__file__).parent.parent / "prompts" / "last_round.md"
LEAST_CONTEXT = 200  # tokens of passages; with fewer nothing can be answered

MOST_CALLS = 16  # of a round; more are a mistake of the model, and would hold all searches up
NEXT_ROUND = 2_000  # tokens that a round adds: a call, what frames its passages, and the answer

TOO_LONG = "The conversation and the passages were longer than {}. What matters least was left out."


class Planning(Stage):
    """One round. Results in tool calls or, always in the last round, in the reply that answers."""

    name = "planning"
    label = "Plan"
    icon = "list-checks"

    def is_due(self, work: Work) -> bool:
        return work.round < work.rounds and not work.calls and work.reply is None and not work.answered

    async def run(self, work: Work) -> None:
        work.round += 1
        last = work.round == work.rounds or (work.round > 1 and _is_nearly_spent(work))
        await work.emit(RoundStarted(round=work.round, rounds=work.rounds, step=self._step(work)))
        work.unread = []
        if last:
            work.rounds = work.round
        if last and work.round > 1:
            work.said.append(Message(role="user", content=render(LAST_ROUND)))
        try:
            await self._ask(work, last=last)
        except ProviderError:
            if work.held is None:
                raise
            work.reply, work.held = work.held, None
            work.notice("correcting_skipped", NOT_REPEATED)

    async def _ask(self, work: Work, *, last: bool) -> None:
        """Raises ProviderError."""
        answer = [] if work.must_search and not last else [answer_spec()]
        specs = answer if last else [*work.tools.specs, *answer]
        work.must_search = False
        reply, answers = await self._opened(work, specs)
        if answers:
            return
        whole = reply.whole
        assert whole is not None
        if whole.tool_calls and not reply.answers and not last:
            calls = whole.tool_calls if work.model.plans_here else whole.tool_calls[:MOST_CALLS]
            work.said.append(Message(role="assistant", content=whole.content, tool_calls=calls))
            work.usage, work.calls, work.reply = work.usage + whole.usage, calls, None

    async def _opened(self, work: Work, specs: Sequence[ToolSpec]) -> tuple[ReplyStream, bool]:
        """The reply up to the start of its answer, and whether it has one. The request is shortened if it is
        too long for the model. Raises ProviderError.
        """
        window = None if work.model.plans_here else await asyncio.to_thread(work.window)
        while window and _length(work, specs) > window - room_for_answer(window):
            if not _leave_out(work, f"the {window:,} units of text that the model reads at once"):
                break  # it is sent all the same: the length is estimated
        while True:
            stream = work.model.stream(messages(work), specs, tool_choice="required")
            reply = work.reply = ReplyStream(stream, None if work.model.plans_here else work.seconds_left)
            try:
                return reply, await reply.grow()
            except OverTime:
                raise
            except OverLimit:
                if not _leave_out(work, "the limit of a question allows"):
                    raise
            except ProviderError as error:
                if not (error.too_long and _leave_out(work, "the model reads at once")):
                    raise

    def _step(self, work: Work) -> Step | None:
        if work.round == 1 and (work.model.quotes_only or work.model.plans_here):
            return None
        if work.model.quotes_only:
            text = "Holds the passages found against the question"
            return self.step(f"round-{work.round}", text, label="Weigh", doing="Weighing the passages")
        doing = "Reading the question" if work.round == 1 else "Searching your documents"
        text = f"Round {work.round} of at most {work.rounds}"
        dialect = work.model.dialect
        if dialect.is_slow:
            tokens = passage_tokens(dialect) if work.model.plans_here else _length(work, work.tools.specs)
            doing = f"Reading {tokens:,} units of text, about {dialect.seconds_to_read(tokens):.0f} s"
            text = f"{text}. {doing}"
        return self.step(f"round-{work.round}", text, doing=doing)


def _is_nearly_spent(work: Work) -> bool:
    """Whether another search would leave too little time, tokens or money for the answer: then it is written
    with what there is. Not asked before the first search: nothing could be answered.
    """
    settings, used, money = work.settings, work.used.tokens, work.payer.money or Decimal(0)
    gone = settings.seconds - work.seconds_left if work.seconds_left is not None else 0.0
    average = gone / (work.round - 1)  # seconds of a round
    if settings.seconds and gone + 2 * average > settings.seconds:
        work.notice(
            "seconds_spent",
            f"Searching ended after {gone:.0f} seconds: a question may take {settings.seconds}.",
        )
        return True
    if work.model.quotes_only:
        return False
    ahead = 2 * _length(work, work.tools.specs) + NEXT_ROUND  # tokens of this round and the next
    if settings.tokens and used + ahead > settings.tokens:
        work.notice(
            "tokens_spent",
            f"Searching ended after {used:,} units of text: a question may take {settings.tokens:,}.",
        )
        return True
    if settings.money and used and money + money * ahead / used > settings.money:
        work.notice(
            "money_spent",
            f"Searching ended after a cost of {money:.4f}: a question may cost {settings.money:g}.",
        )
        return True
    return False


def _length(work: Work, specs: Sequence[ToolSpec]) -> int:
    """Of everything that would be sent, in tokens, estimated."""
    return estimated_request(messages(work), specs)


def _leave_out(work: Work, than: str) -> bool:
    """Whether the model can be given less: first of the conversation, then of the passages. `than`: what all
    of it was longer than.
    """
    if work.model.plans_here:
        return False
    if work.history:
        work.history = ()
        work.notice("too_long", TOO_LONG.format(than))
        return True
    work.too_long = True
    room = work.context_tokens
    while work.context_tokens >= LEAST_CONTEXT:
        work.context_tokens //= 2
        before, after = shorten(work)
        if after < before:
            work.notice("too_long", TOO_LONG.format(than))
            return True
    work.context_tokens = room  # no passage is there yet, or none can be shortened
    return False

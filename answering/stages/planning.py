"""The model decides what to look up next, or that it can answer."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from django.utils.translation import gettext_noop

from answering.prose.model import passage_tokens
from answering.stages.compressing import shorten
from answering.stages.correcting import NOT_REPEATED
from answering.stages.stage import Stage
from answering.state.conversation import messages, room_for_answer
from answering.state.reply import OverTime, ReplyStream, answer_spec
from answering.state.work import Work
from answering.values.events import RoundStarted, Step
from localization.stored import said
from providers.openai.tokens import estimated_request
from providers.protocols import Message, ProviderError, ToolSpec
from providers.spending.allowance import OverLimit
from text.prompt import render

LAST_ROUND = Path(__file__).parent.parent / "prompts" / "last_round.md"
LEAST_CONTEXT = 200  # tokens of passages; with fewer nothing can be answered

MOST_CALLS = 16  # of a round; more are a mistake of the model, and would hold all searches up
NEXT_ROUND = 2_000  # tokens that a round adds: a call, what frames its passages, and the answer

LONGER_THAN_READ = gettext_noop(
    "The conversation and the passages were longer than the model reads at once. What matters least was left "
    "out."
)
LONGER_THAN_ALLOWED = gettext_noop(
    "The conversation and the passages were longer than the limit of a question allows. What matters least "
    "was left out."
)


class Planning(Stage):
    """One round. Results in tool calls or, always in the last round, in the reply that answers."""

    name = "planning"
    label = gettext_noop("Plan")
    icon = "list-checks"

    def is_due(self, work: Work) -> bool:
        return (
            work.rounds.number < work.rounds.most
            and not work.rounds.calls
            and work.reply is None
            and work.written is None
        )

    async def run(self, work: Work) -> None:
        work.rounds = replace(work.rounds, number=work.rounds.number + 1)
        last = work.rounds.number == work.rounds.most or (work.rounds.number > 1 and _is_nearly_spent(work))
        await work.means.emit(
            RoundStarted(round=work.rounds.number, rounds=work.rounds.most, step=self._step(work))
        )
        most = work.rounds.number if last else work.rounds.most
        work.rounds = replace(work.rounds, unread=(), most=most)
        if last and work.rounds.number > 1:
            _say(work, Message(role="user", content=render(LAST_ROUND)))
        try:
            await self._ask(work, last=last)
        except ProviderError:
            if work.held is None:
                raise
            work.reply, work.held = work.held, None
            work.notice("correcting_skipped", NOT_REPEATED)

    async def _ask(self, work: Work, *, last: bool) -> None:
        """Raises ProviderError."""
        answer = [] if work.rounds.must_search and not last else [answer_spec()]
        specs = answer if last else [*work.means.tools.specs, *answer]
        work.rounds = replace(work.rounds, must_search=False)
        reply, answers = await self._opened(work, specs)
        if answers:
            return
        whole = reply.whole
        assert whole is not None
        if whole.tool_calls and not reply.answers and not last:
            calls = whole.tool_calls if work.means.model.plans_here else whole.tool_calls[:MOST_CALLS]
            _say(work, Message(role="assistant", content=whole.content, tool_calls=calls))
            work.rounds = replace(work.rounds, calls=calls)
            work.usage, work.reply = work.usage + whole.usage, None

    async def _opened(self, work: Work, specs: Sequence[ToolSpec]) -> tuple[ReplyStream, bool]:
        """The reply up to the start of its answer, and whether it has one. The request is shortened if it is
        too long for the model. Raises ProviderError.
        """
        window = None if work.means.model.plans_here else await asyncio.to_thread(work.means.window)
        while window and _length(work, specs) > window - room_for_answer(window):
            told = said(
                "The conversation and the passages were longer than the {n} units of text that the model "
                "reads at once. What matters least was left out.",
                n=window,
            )
            if not _leave_out(work, told):
                break  # it is sent all the same: the length is estimated
        while True:
            stream = work.means.model.stream(messages(work), specs, tool_choice="required")
            reply = work.reply = ReplyStream(
                stream, None if work.means.model.plans_here else work.seconds_left
            )
            try:
                return reply, await reply.grow()
            except OverTime:
                raise
            except OverLimit:
                if not _leave_out(work, LONGER_THAN_ALLOWED):
                    raise
            except ProviderError as error:
                if not (error.too_long and _leave_out(work, LONGER_THAN_READ)):
                    raise

    def _step(self, work: Work) -> Step | None:
        if work.rounds.number == 1 and (work.means.model.quotes_only or work.means.model.plans_here):
            return None
        if work.means.model.quotes_only:
            text = "Holds the passages found against the question"
            return self.step(
                f"round-{work.rounds.number}",
                text,
                label=gettext_noop("Weigh"),
                doing=gettext_noop("Weighing the passages"),
            )
        doing = gettext_noop("Reading the question")
        if work.rounds.number > 1:
            doing = gettext_noop("Searching your documents")
        text = f"Round {work.rounds.number} of at most {work.rounds.most}"
        dialect = work.means.model.dialect
        if dialect.is_slow:
            tokens = (
                passage_tokens(dialect)
                if work.means.model.plans_here
                else _length(work, work.means.tools.specs)
            )
            doing = f"Reading {tokens:,} units of text, about {dialect.seconds_to_read(tokens):.0f} s"
            text = f"{text}. {doing}"
        return self.step(f"round-{work.rounds.number}", text, doing=doing)


def _is_nearly_spent(work: Work) -> bool:
    """Whether another search would leave too little time, tokens or money for the answer: then it is written
    with what there is. Not asked before the first search: nothing could be answered.
    """
    settings, used, money = work.asked.settings, work.used.tokens, work.means.payer.money or Decimal(0)
    gone = settings.seconds - work.seconds_left if work.seconds_left is not None else 0.0
    average = gone / (work.rounds.number - 1)  # seconds of a round
    if settings.seconds and gone + 2 * average > settings.seconds:
        work.notice(
            "seconds_spent",
            said(
                "Searching ended after {seconds} seconds: a question may take {most}.",
                seconds=round(gone),
                most=settings.seconds,
            ),
        )
        return True
    if work.means.model.quotes_only:
        return False
    ahead = 2 * _length(work, work.means.tools.specs) + NEXT_ROUND  # tokens of this round and the next
    if settings.tokens and used + ahead > settings.tokens:
        work.notice(
            "tokens_spent",
            said(
                "Searching ended after {used} units of text: a question may take {most}.",
                used=used,
                most=settings.tokens,
            ),
        )
        return True
    if settings.money and used and money + money * ahead / used > settings.money:
        spent, most = f"{money:.4f}", f"{settings.money:g}"
        work.notice(
            "money_spent",
            said(
                "Searching ended after a cost of {money}: a question may cost {most}.", money=spent, most=most
            ),
        )
        return True
    return False


def _length(work: Work, specs: Sequence[ToolSpec]) -> int:
    """Of everything that would be sent, in tokens, estimated."""
    return estimated_request(messages(work), specs)


def _leave_out(work: Work, notice: str) -> bool:
    """Whether the model can be given less: first of the conversation, then of the passages. The notice is
    given where it can.
    """
    if work.means.model.plans_here:
        return False
    if work.asked.history and not work.rounds.history_left_out:
        work.rounds = replace(work.rounds, history_left_out=True)
        work.notice("too_long", notice)
        return True
    work.passages = replace(work.passages, too_long=True)
    room = work.passages.tokens
    while work.passages.tokens >= LEAST_CONTEXT:
        work.passages = replace(work.passages, tokens=work.passages.tokens // 2)
        before, after = shorten(work)
        if after < before:
            work.notice("too_long", notice)
            return True
    work.passages = replace(work.passages, tokens=room)  # no passage is there yet, or none can be shortened
    return False


def _say(work: Work, message: Message) -> None:
    work.rounds = replace(work.rounds, said=(*work.rounds.said, message))

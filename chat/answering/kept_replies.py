"""Models whose replies are kept until their turn ends, so that a turn that is killed pays for none again."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from chat.answering.models import Models
from chat.models import PaidReply, Turn
from jobs.threads import TURN_WRITES
from providers.protocols import (
    ChatModel,
    Message,
    Reply,
    StructuredModel,
    TextDelta,
    ToolCallDelta,
    ToolSpec,
    Usage,
)
from providers.protocols.in_front import StructuredInFront
from providers.spending.paid_replies import key_of, replayed

Keep = Callable[[str, dict[str, Any]], None]
NOTHING = asdict(Usage())  # was paid for a reply that is shown again


class Kept:
    """The replies to one turn. `keep` writes one down, with what the turn has cost by then."""

    def __init__(self, turn: Turn, keep: Keep) -> None:
        self._turn, self._keep = turn, keep
        self._latest = ""

    def models(self, models: Models) -> Models:
        """The same, with replies that are kept. What copies passages in this process costs nothing."""
        return replace(
            models,
            answers=models.answers if models.answers.quotes_only else KeptChat(models.answers, self),
            judge=KeptJson(models.judge, self) if models.judge else None,
            helper=KeptJson(models.helper, self) if models.helper else None,
        )

    async def get(self, key: str) -> dict[str, Any] | None:
        self._latest = key
        return await TURN_WRITES.run(partial(PaidReply.kept, key, turn=self._turn))

    async def put(self, key: str, reply: dict[str, Any]) -> None:
        """Raises Stopped."""
        await TURN_WRITES.run(self._keep, key, reply)

    def forget_latest(self) -> None:
        """It was of no use: the next run asks again."""
        PaidReply.objects.filter(turn=self._turn, key=self._latest).delete()


class KeptChat:
    """The model, but for requests of its turn that it has answered before: those are answered at once."""

    def __init__(self, model: ChatModel, kept: Kept) -> None:
        self._model, self._kept = model, kept
        self.name, self.quotes_only = model.name, model.quotes_only

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], *, tool_choice: str = "required"
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply]:
        """Raises ProviderError and Stopped."""
        key = key_of(self.name, list(messages), list(tools), tool_choice)
        if kept := await self._kept.get(key):
            for item in replayed({**kept, "usage": NOTHING}):
                yield item
            return
        whole: Reply | None = None
        async with aclosing(self._model.stream(messages, tools, tool_choice=tool_choice)) as pieces:
            async for item in pieces:
                if isinstance(item, Reply):
                    whole = item
                else:
                    yield item
        if whole is not None:  # and counted by now
            await self._kept.put(key, asdict(whole))
            yield whole


class KeptJson(StructuredInFront):
    """The same for a model whose answers are JSON."""

    def __init__(self, model: StructuredModel, kept: Kept) -> None:
        super().__init__(model)
        self._kept = kept

    async def complete(self, messages: Sequence[Message], schema: Mapping[str, Any]) -> tuple[str, Usage]:
        """Raises ProviderError and Stopped."""
        key = key_of(self.name, list(messages), schema)
        if kept := await self._kept.get(key):
            return kept["answer"], Usage()
        answer, usage = await self._model.complete(messages, schema)
        await self._kept.put(key, {"answer": answer})
        return answer, usage

"""Models whose replies are kept until their turn ends, so that a turn that is killed pays for none again."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from chat.answering.models import Models
from chat.models import PaidReply, Turn
from jobs.threads import TURN_WRITES
from providers.protocols import Usage
from providers.spending.kept_models import KeptChat, KeptJson

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
        kept = await TURN_WRITES.run(partial(PaidReply.kept, key, turn=self._turn))
        return kept and {**kept, "usage": NOTHING}

    def request(self) -> AbstractAsyncContextManager[None]:
        return nullcontext()

    async def put(self, key: str, reply: dict[str, Any]) -> None:
        """Raises Stopped."""
        await TURN_WRITES.run(self._keep, key, reply)

    def forget_latest(self) -> None:
        """It was of no use: the next run asks again."""
        PaidReply.objects.filter(turn=self._turn, key=self._latest).delete()

"""Models whose replies are kept until the turn ends, so that a killed turn does not pay for them again."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import asdict, replace
from functools import partial
from typing import Any

from answering.models import Models
from chat.models import PaidReply, Turn
from jobs.threads import TURN_WRITES
from providers.protocols import Usage
from providers.spending.kept_models import KeptChat, KeptJson

Keep = Callable[[str, dict[str, Any]], None]
NOTHING = asdict(Usage())  # is paid for a reply that is replayed


class Kept:
    """The replies of one turn. `keep` stores one, with what the turn has cost so far."""

    def __init__(self, turn: Turn, keep: Keep) -> None:
        self._turn, self._keep = turn, keep
        self._latest = ""

    def models(self, models: Models) -> Models:
        """The same models, but their replies are kept. The one that copies passages costs nothing."""
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
        """The reply was unusable: the next run asks again."""
        PaidReply.objects.filter(turn=self._turn, key=self._latest).delete()

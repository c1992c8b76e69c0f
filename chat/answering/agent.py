"""The loop of an answer: runs its stages one after the other. Knows no database and no request."""

import time
from collections.abc import Sequence
from pathlib import Path

from chat.answering.stages.registry import STAGES
from chat.answering.stages.stage import Stage, Work
from chat.events import StageFinished
from providers.prompt import render
from providers.protocols import Message

ROUNDS = {"agent": 5, "fast": 2}
PROMPT = Path(__file__).parent / "prompts" / "agent.md"


def first_messages(history: Sequence[Message], question: str, rounds: int) -> list[Message]:
    """What the model reads before the first round."""
    system = Message(role="system", content=render(PROMPT, rounds=rounds))
    return [system, *history, Message(role="user", content=question)]


async def run(work: Work, stages: Sequence[Stage] = STAGES) -> None:
    """Run whichever stage is due first, until none is. A stage that isn't in `stages` is left out.

    All but judging are needed: without the last, `work.outcome` stays None.

    Raises ProviderError, and what `work.emit` and `work.show` raise.
    """
    try:
        while stage := next((stage for stage in stages if stage.is_due(work)), None):
            begun = time.monotonic()
            await stage.run(work)
            ms = round((time.monotonic() - begun) * 1000)
            await work.emit(StageFinished(stage=stage.name, ms=ms))
    finally:
        if work.reply is not None:
            await work.reply.close()

"""The conversation before a question, as messages for a model."""

from collections.abc import Iterable, Mapping
from typing import Literal, cast

from chat.models import Turn, TurnStatus
from citations.marks import without_marks
from citations.parse import without_tags
from providers.protocols import Message

TURNS = 6  # earlier turns that a model is shown


def as_messages(turns: Iterable[Turn]) -> list[Message]:
    """Question and answer of each finished turn, without citation marks; oldest first."""
    messages = []
    for turn in turns:
        if turn.status in {
            TurnStatus.ANSWERED,
            TurnStatus.PARTIAL,
            TurnStatus.QUOTES,
            TurnStatus.UNPROVEN,
            TurnStatus.NOT_FOUND,
        }:
            answer = without_tags(without_marks(turn.answer)) or turn.get_status_display()
            messages.append(Message(role="user", content=without_tags(turn.question)))
            messages.append(Message(role="assistant", content=answer))
    return messages


def as_sent(earlier: Iterable[Mapping[str, str]]) -> list[Message]:
    """The messages that a program sent along, without anything that looks like a citation; oldest first."""
    return [
        Message(
            role=cast(Literal["user", "assistant"], said["role"]),
            content=without_tags(without_marks(said["content"])),
        )
        for said in earlier
    ]

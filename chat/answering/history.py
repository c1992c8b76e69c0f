"""Earlier turns of a conversation as a model's messages."""

from collections.abc import Iterable

from chat.citations.parse import without_tags
from chat.marks import without_marks
from chat.models import Turn, TurnStatus
from providers.protocols import Message

TURNS = 6  # earlier turns that a model is shown


def as_messages(turns: Iterable[Turn]) -> list[Message]:
    """Question and answer of each finished turn, without citation marks; oldest first."""
    messages = []
    for turn in turns:
        if turn.status in {TurnStatus.ANSWERED, TurnStatus.PARTIAL, TurnStatus.QUOTES, TurnStatus.NOT_FOUND}:
            answer = without_tags(without_marks(turn.answer)) or turn.get_status_display()
            messages.append(Message(role="user", content=without_tags(turn.question)))
            messages.append(Message(role="assistant", content=answer))
    return messages

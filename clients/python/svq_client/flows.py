"""What takes several requests, as generators: they yield what has to be done and get its reply. So it is
written once, and `Client` and `AsyncClient` only send and sleep.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeVar

from svq_client import calls
from svq_client.call import Call
from svq_client.errors import time_limit
from svq_client.limits import LEAST_WAIT, Limit
from svq_client.replies import Reply, refusal
from svq_client.values import Answer, Deletion, Document, ReadingProgress

Value = TypeVar("Value")
FIRST_PAUSE, LONGEST_PAUSE, SLOWER = 0.05, 1.0, 1.5  # seconds, and how much longer each pause is
Told = Callable[[ReadingProgress], object]


@dataclass(frozen=True, slots=True)
class Send:
    """Gives a Reply; a pause gives nothing."""

    call: Call[Any]
    seconds: float  # for all of it


@dataclass(frozen=True, slots=True)
class Pause:
    seconds: float


Flow = Generator[Send | Pause, Any, Value]


def sent(call: Call[Value], limit: Limit) -> Flow[Value]:
    """What the reply says. A reading request that the server asks to be sent later is sent again then, if
    that is within the limit. Raises SvqError.
    """
    while True:
        reply: Reply = yield Send(call, limit.for_one)
        refused = refusal(reply)
        if refused is None:
            return call.read(reply)
        wait = refused.retry_after
        if wait is None or not call.is_reading or max(wait, LEAST_WAIT) > limit.left:
            raise refused
        yield Pause(max(wait, LEAST_WAIT))


def until(
    call: Call[Value],
    is_done: Callable[[Value], bool],
    limit: Limit,
    *,
    what: str,
    hint: str,
    told: Callable[[Value], object] = lambda _: None,
) -> Flow[Value]:
    """Ask until it is done. told: is called with each value. Raises SvqError, also `time_limit`."""
    pause = FIRST_PAUSE
    while True:
        value = yield from sent(call, limit)
        told(value)
        if is_done(value):
            return value
        if limit.left <= pause:
            raise time_limit(what, hint)
        yield Pause(pause)
        pause = min(pause * SLOWER, LONGEST_PAUSE)


def answered(begin: Call[str], limit: Limit) -> Flow[Answer]:
    turn = yield from sent(begin, limit)
    return (yield from finished(turn, limit))


def finished(turn: str, limit: Limit) -> Flow[Answer]:
    return until(
        calls.answer(turn),
        lambda answer: answer.is_finished,
        limit,
        what=f"the question {turn} has no answer yet.",
        hint="It goes on: wait_for_answer() waits longer, stop() ends it.",
    )


def settled(documents: tuple[int, ...], limit: Limit, progress: Told | None) -> Flow[tuple[Document, ...]]:
    """One after another, as they are mostly read in that order: so no more is asked than how each ended."""
    found: list[Document] = []

    def tell(document: Document) -> None:
        if progress is not None:
            progress(ReadingProgress(len(found) + document.is_settled, len(documents), document))

    for document in documents:
        found.append(
            (
                yield from until(
                    calls.document(document),
                    lambda one: one.is_settled,
                    limit,
                    what=f"document {document} is still being read.",
                    hint="It goes on: document() tells how far it has come.",
                    told=tell,
                )
            )
        )
    return tuple(found)


def deleted(deletion: str, limit: Limit) -> Flow[Deletion]:
    return until(
        calls.deletion(deletion),
        lambda receipt: receipt.completed is not None,
        limit,
        what=f"the deletion {deletion} is not completed.",
        hint="It goes on: deletion() tells how far it has come.",
    )

"""A turn as a stream of chunks: what is being done, then the answer, once its quotes are checked.

An answer is not sent before: what another program has shown, SVQ cannot take back.
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import anyio

from accounts.models import User
from chat import services
from chat.api.waiting import OVER, PATIENCE, TokenEnded, ended
from chat.models import Turn
from chat.web.answers.turn_view import view_of
from events.hub import hub
from exchange.openai.completions import (
    annotations_of,
    chunk,
    content_of,
    error_json,
    failure_of,
    usage_chunk,
)
from jobs.threads import EVENT_READS, SEARCHES

FIRST_LOOK, LONGEST_PAUSE = 0.1, 1.0  # seconds between two looks
SIGN_OF_LIFE = 10.0  # seconds without a word until a comment is sent
_PIECES = re.compile(r"\S+\s*|\s+")
GONE = "The datasource is gone, or no longer shared with you."
TOKEN_ENDED = error_json(f"{OVER['message']} {OVER['hint']}", code=OVER["code"])
LATE = "The answer takes longer than five minutes. It goes on in SVQ."
DONE = b"data: [DONE]\n\n"


async def streamed(turn_id: UUID, reader: User, *, with_usage: bool) -> AsyncIterator[bytes]:
    """Server-sent events. A client that hangs up stops the answer."""
    try:
        async for piece in _events(turn_id, reader, with_usage=with_usage):
            yield piece
    except (asyncio.CancelledError, GeneratorExit):
        if not hub.is_closed:  # where the server ends, the worker goes on
            with anyio.CancelScope(shield=True):
                await EVENT_READS.run(services.give_up, turn_id)
        raise


async def _events(turn_id: UUID, reader: User, *, with_usage: bool) -> AsyncIterator[bytes]:
    clock = asyncio.get_running_loop().time
    begun = spoken = clock()
    doing, pause = "", FIRST_LOOK
    while clock() - begun < PATIENCE:
        try:
            turn, stage = await EVENT_READS.run(_look, turn_id, reader)
        except TokenEnded:
            yield _event(TOKEN_ENDED)
            yield DONE
            return
        except Turn.DoesNotExist:
            yield _event(error_json(GONE, code="not_found"))
            yield DONE
            return
        if turn is not None and not turn.is_unfinished:
            for piece in await SEARCHES.run(_answer, turn, with_usage):
                yield piece
            return
        if turn is not None and stage != doing:
            first = {"role": "assistant"} if not doing else {}
            doing, spoken = stage, clock()
            yield _event(chunk(turn, first | {"content": "", "reasoning_content": f"{stage}\n"}))
        elif clock() - spoken > SIGN_OF_LIFE:
            spoken = clock()
            yield b": still working\n\n"
        await asyncio.sleep(pause)
        pause = min(pause * 1.3, LONGEST_PAUSE)
    yield _event(error_json(LATE, code="timeout"))
    yield DONE


def _look(turn_id: UUID, reader: User) -> tuple[Turn | None, str]:
    """The turn, with its citations once it has ended; what is being done until then."""
    if turn := ended(turn_id, reader):
        return turn, ""
    running = Turn.objects.select_related("conversation__user").get(pk=turn_id)
    return running, view_of(running).stage


def _answer(turn: Turn, with_usage: bool) -> list[bytes]:
    if failure := failure_of(turn):
        return [_event(failure), DONE]
    content = content_of(turn)
    pieces = [chunk(turn, {"content": piece}) for piece in _PIECES.findall(content)]
    last = [chunk(turn, {"annotations": annotations_of(turn, content)}, "stop")]
    usage = [usage_chunk(turn)] if with_usage else []
    return [*map(_event, [chunk(turn, {"role": "assistant", "content": ""}), *pieces, *last, *usage]), DONE]


def _event(data: dict[str, Any]) -> bytes:
    # In ASCII: who reads by `str.splitlines`, as httpx does, ends a line at U+2028, U+2029 and U+0085, too.
    return f"data: {json.dumps(data)}\n\n".encode()

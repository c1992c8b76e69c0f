"""Waiting for an answer over HTTP: a coroutine that polls, without keeping a database connection."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar
from uuid import UUID

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from rest_framework.response import Response

from accounts.api_tokens import ENDED, ApiTokenAuthentication, still_counts
from accounts.models import User
from chat.exports import as_json
from chat.models import UNFINISHED, Turn
from jobs.threads import EVENT_READS, SEARCHES

PATIENCE = 300.0  # seconds; a longer turn goes on, and the answer is 202
FIRST_LOOK, LONGEST_PAUSE = 0.05, 1.0  # seconds

LOST = {
    "code": "not_found",
    "message": "The conversation or its datasource is gone, or no longer shared with you.",
    "hint": "",
}

OVER = {"code": "not_signed_in", "message": ENDED, "hint": "Sign in again."}


class TokenEnded(Turn.DoesNotExist):
    """The token that began the request counts no more; nothing is said of what was asked."""


View = Callable[..., HttpResponse]
Coroutines = Callable[..., Coroutine[Any, Any, HttpResponseBase]]
Answer = tuple[int, dict[str, Any]]  # the status and the JSON
Found = TypeVar("Found")
Renderer = Callable[[Turn, User], Answer]  # for whom it is


def in_full(turn: Turn, _: User) -> Answer:
    """The documented JSON of a turn."""
    return 200, as_json(turn)


def ended(turn_id: UUID, reader: User) -> Turn | None:
    """The turn with its citations, None while it has not ended. Raises Turn.DoesNotExist, also when the
    reader has lost the datasource meanwhile; TokenEnded when the right to ask at all.
    """
    if not still_counts(reader):
        raise TokenEnded
    turn = Turn.objects.visible_to(reader).get(pk=turn_id)
    if turn.status in UNFINISHED:
        return None
    prefetch_related_objects([turn], "citations__document")
    return turn


async def looked_for(look: Callable[[], Found | None]) -> Found | None:
    """What is found in the end, or None when patience ends first. Raises what a look raises."""
    clock = asyncio.get_running_loop().time
    deadline, pause = clock() + PATIENCE, FIRST_LOOK
    while (found := await EVENT_READS.run(look)) is None and clock() < deadline:
        await asyncio.sleep(pause)
        pause = min(pause * 1.5, LONGEST_PAUSE)
    return found


async def wait_for(turn_id: UUID, reader: User, render: Renderer) -> Answer | None:
    """The answer, or None when patience ends first. Raises Turn.DoesNotExist like `ended`."""
    turn = await looked_for(lambda: ended(turn_id, reader))
    # Telling may ask the embedding server, which event streams must not wait for.
    return await SEARCHES.run(render, turn, reader) if turn else None


def waiting(view: View, render: Renderer = in_full) -> Coroutines:
    """The view; if the client wants to wait, for the end of the turn. `render` makes the answer."""

    async def wrapped(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        response = await sync_to_async(view)(request, **kwargs)
        reader = getattr(response, "waiting_reader", None)
        if not isinstance(response, Response) or reader is None:
            return response
        await sync_to_async(close_old_connections)()
        try:
            answer = await wait_for(UUID(response.data["id"]), reader, render)
        except TokenEnded:
            answer = 401, OVER
            response["WWW-Authenticate"] = ApiTokenAuthentication.CHALLENGE
        except Turn.DoesNotExist:
            answer = 404, LOST
        if answer is not None:
            response.status_code, response.data = answer
        return response

    return standing_for(view, wrapped)


def standing_for(view: View, wrapped: Coroutines) -> Coroutines:
    """The coroutine, as Django and the schema take it for the view that it calls."""
    wrapped.csrf_exempt = True  # type: ignore[attr-defined]  # the session's own check is in DRF
    for name in ("cls", "initkwargs", "view_class"):  # by these the schema finds the class behind
        setattr(wrapped, name, getattr(view, name))
    return wrapped

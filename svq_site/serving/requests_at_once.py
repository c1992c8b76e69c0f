"""How many requests of one address, and of one person, the server works on at the same time.

Connections are counted by `protocol`; here are requests, because many addresses may come through one proxy.
"""

from collections.abc import Callable, Hashable
from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_noop

from jobs.at_once import AtOnce
from jobs.fair_slots import Busy
from svq_site.serving.address import counted_as
from svq_site.serving.connections import connections
from svq_site.serving.refusals import refusal, refuse
from svq_site.serving.static_app import Application, Receive, Scope, Send

RETRY_SECONDS = 2
OF_ADDRESS = gettext_noop(
    "Too many requests of your address are under way. This one was not begun, and nothing is lost."
)
OF_PERSON = gettext_noop(
    "Too many requests of you are under way. This one was not begun, and nothing is lost."
)
HINT = gettext_noop("Wait for some of them, then try again.")
NO_SLOT = gettext_noop("The server has as much of such work as it can do at once. Nothing was changed.")
LATER = gettext_noop("Try again in a few seconds.")


class RequestsOfAddress:
    """An ASGI application in front of another one. The client's address has to be set by then."""

    def __init__(self, others: Application) -> None:
        self.others = others
        self.under_way = AtOnce(lambda: connections.limits.each)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        if not client:
            await self.others(scope, receive, send)
            return
        scope["address"] = address = counted_as(client[0])
        with self.under_way.one_more(address) as has:
            if has:
                await self.others(scope, receive, send)
            else:
                await refuse(too_many(scope, OF_ADDRESS), scope, receive, send)


class RequestsOfPerson:
    """Django middleware, behind that of authentication."""

    def __init__(self, others: Callable[[HttpRequest], HttpResponse]) -> None:
        self.others = others
        self.under_way = AtOnce(lambda: settings.REQUESTS_PER_PERSON)

    def __call__(self, request: HttpRequest) -> HttpResponse:
        who = _person(request)
        if who is None:
            return self.others(request)
        with self.under_way.one_more(who) as has:
            if has:
                return self.others(request)
        return too_many(_scope(request), OF_PERSON)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        return no_slot(request, exception) if isinstance(exception, Busy) else None


def no_slot(request: HttpRequest, busy: Busy) -> HttpResponse:
    """Where people take turns, and this one's did not come in time."""
    status = HTTPStatus.TOO_MANY_REQUESTS
    return refusal(_scope(request), status, "busy", NO_SLOT, LATER, retry_after=busy.wait)


def _scope(request: HttpRequest) -> Scope:
    headers = [(name.lower().encode(), value.encode()) for name, value in request.headers.items()]
    return {"path": request.path, "headers": headers}


def _person(request: HttpRequest) -> Hashable:
    """Whose request it is, at no cost in queries: a program is known by its token."""
    if given := request.headers.get("Authorization"):
        return given
    return request.user.pk if settings.SESSION_COOKIE_NAME in request.COOKIES else None


def too_many(scope: Scope, message: str) -> HttpResponse:
    status = HTTPStatus.TOO_MANY_REQUESTS
    return refusal(scope, status, "busy", message, HINT, retry_after=RETRY_SECONDS)

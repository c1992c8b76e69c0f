"""Carries an answer from the address that a provider's page posts to, over to one that knows the browser.

To a request that another site's page has made, browsers add no cookie of ours; to the redirect that follows
it, they do. What is handed over is kept in the database for that minute, under a key that only this browser
gets.
"""

import time
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.http import HttpRequest, HttpResponse

COOKIE = KEY = "saml"
SECONDS = 120


def hand_over(answer: HttpResponse, what: dict[str, Any], path: str) -> None:
    """The browser brings it along to that path alone."""
    store = SessionStore()
    store[KEY] = {"what": what, "until": time.time() + SECONDS}
    store.set_expiry(SECONDS)
    store.save()
    answer.set_cookie(
        COOKIE,
        str(store.session_key),
        max_age=SECONDS,
        path=path,
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )


def take_over(request: HttpRequest) -> dict[str, Any] | None:
    """Once: it is gone then. Its end is kept with it, as a session into which it was brought lives longer."""
    key = request.COOKIES.get(COOKIE, "")
    found = SessionStore(key).get(KEY) if key else None
    removed, _ = Session.objects.filter(pk=key).delete() if found else (0, {})
    return found["what"] if found and removed and time.time() < found["until"] else None

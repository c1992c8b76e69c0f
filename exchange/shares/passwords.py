"""The password of a share link: asked once in a browser, and guessed slowly."""

from hashlib import sha256

from django.conf import settings
from django.contrib.auth.hashers import check_password
from django.http import HttpRequest, HttpResponse

from accounts.attempts import Attempt, Door
from accounts.limits import Limit
from exchange.shares.models import ShareLink

DOOR = Door(
    from_network=Limit(name="share-network", attempts=20, seconds=60),
    at_account=Limit(name="share-link", attempts=5, seconds=300),
)
COOKIE = "share"
COOKIE_SECONDS = 12 * 3600


def is_open(link: ShareLink, request: HttpRequest) -> bool:
    """Whether it has no password, or this browser has given it."""
    if not link.password:
        return True
    given = request.get_signed_cookie(COOKIE, "", salt=COOKIE, max_age=COOKIE_SECONDS) or ""
    return given == _mark(link)


def try_password(link: ShareLink, request: HttpRequest, password: str) -> bool:
    """Whether it is right. Raises TooManyAttempts, as at the door of an account."""
    with Attempt(request, f"share link {link.pk}", DOOR) as attempt:
        right = check_password(password, link.password)
        attempt.end(success=right)
    return right


def remember(link: ShareLink, response: HttpResponse, path: str) -> None:
    """Let this browser see the link's page for some hours. path: of that page."""
    response.set_signed_cookie(
        COOKIE,
        _mark(link),
        salt=COOKIE,
        max_age=COOKIE_SECONDS,
        path=path,
        httponly=True,
        samesite="Lax",
        secure=settings.HTTPS,
    )


def _mark(link: ShareLink) -> str:
    """Of this link and its password; says nothing of either."""
    return sha256(f"{link.pk} {link.password}".encode()).hexdigest()

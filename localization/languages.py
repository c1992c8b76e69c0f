"""Which language somebody reads SVQ in: what they have chosen, else their browser's, else English."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import cast

from django.conf import settings
from django.http import HttpRequest, parse_cookie
from django.utils import translation

ENGLISH = "en"


def chosen_by(person: object) -> str:
    """The language that the person has chosen for their account; empty: none, or one that is not offered."""
    chosen = getattr(person, "language", "")
    return chosen if chosen in dict(settings.LANGUAGES) else ""


def language_of_browser(cookies: Mapping[str, str], accepted: str) -> str:
    """By the cookie of the menu on the sign-in page, else by the header Accept-Language."""
    asked = SimpleNamespace(COOKIES=cookies, META={"HTTP_ACCEPT_LANGUAGE": accepted})
    return translation.get_language_from_request(cast(HttpRequest, asked))


def language_of(person: object, headers: Mapping[str, str]) -> str:
    """The language of pages for the person, whose browser has sent these headers (names in small letters)."""
    return chosen_by(person) or language_of_browser(
        parse_cookie(headers.get("cookie", "")), headers.get("accept-language", "")
    )

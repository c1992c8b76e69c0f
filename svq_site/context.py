"""What every template may use."""

from functools import cache, partial
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation

from providers.connections.models import Connection
from providers.roles import ModelRole, endpoint


def site(request: HttpRequest) -> dict[str, Any]:
    return {
        "quotes_only": partial(quotes_only, request),
        "sends_mail": bool(settings.EMAIL_URL),
        "signup_open": settings.SIGNUP_OPEN,
        "stays_here": stays_here,
        "theme": theme(request),
        "languages": settings.LANGUAGES,
        "words_of_scripts": words_of_scripts(translation.get_language()),
    }


@cache
def words_of_scripts(language: str) -> str:
    """The file with the messages of scripts; empty for English, which they have themselves."""
    name = f"js/words/{language}.js"
    return name if (settings.BASE_DIR / "static" / name).exists() else ""


def quotes_only(request: HttpRequest) -> bool:
    """Whether no language model is set for the datasource of the page, or for the others. A function, as it
    asks the database: pages of errors do without.
    """
    match = request.resolver_match
    of_datasource = match is not None and match.route.startswith("d/<int:pk>/")
    return endpoint(match.kwargs["pk"] if match and of_datasource else None, ModelRole.AGENT) is None


def stays_here() -> bool:
    """Whether no text ever leaves this server."""
    connected = any(server and server.base_url for server in map(partial(endpoint, None), ModelRole))
    connected = connected or Connection.objects.exclude(address="").exists()
    return not settings.S3_BUCKET and not connected


def theme(request: HttpRequest) -> str:
    """light, dark or system: the account's choice, else this browser's."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return str(user.theme)
    return request.COOKIES.get("theme", "system")

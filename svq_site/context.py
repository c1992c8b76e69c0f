"""What every template may use."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, Any]:
    return {
        "quotes_only": not settings.LLM_BASE_URL,
        "signup_open": settings.SIGNUP_OPEN,
        "stays_here": not (settings.LLM_BASE_URL or settings.EMBEDDING_BASE_URL or settings.S3_BUCKET),
        "theme": theme(request),
    }


def theme(request: HttpRequest) -> str:
    """light, dark or system: the account's choice, else this browser's."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return str(user.theme)
    return request.COOKIES.get("theme", "system")

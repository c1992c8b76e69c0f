"""What every template may use."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest

from providers.roles import ModelRole, endpoint


def site(request: HttpRequest) -> dict[str, Any]:
    return {
        "quotes_only": quotes_only,
        "sends_mail": bool(settings.EMAIL_URL),
        "signup_open": settings.SIGNUP_OPEN,
        "stays_here": stays_here,
        "theme": theme(request),
    }


def quotes_only() -> bool:
    """Whether no language model is set. A function, as it asks the database: pages of errors do without."""
    return endpoint(None, ModelRole.AGENT) is None


def stays_here() -> bool:
    """Whether no text ever leaves this server."""
    return not settings.S3_BUCKET and not any(endpoint(None, role) for role in ModelRole)


def theme(request: HttpRequest) -> str:
    """light, dark or system: the account's choice, else this browser's."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return str(user.theme)
    return request.COOKIES.get("theme", "system")

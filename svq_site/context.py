"""What every template may use."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest


def site(request: HttpRequest) -> dict[str, Any]:
    return {"quotes_only": not settings.LLM_BASE_URL, "signup_open": settings.SIGNUP_OPEN}

"""Errors in the words of clients of other systems: `error` and `details` beside SVQ's own keys."""

from collections.abc import Mapping
from typing import Any

from rest_framework.response import Response
from rest_framework.views import APIView


def with_error(told: Mapping[str, Any]) -> dict[str, Any]:
    """SVQ's `message` and `hint` under both names."""
    return {
        "success": False,
        "error": told.get("message", ""),
        "details": told.get("hint", ""),
        **told,
    }


class CompatibleView(APIView):
    """A view of another system's address."""

    def handle_exception(self, exc: Exception) -> Response:
        response = super().handle_exception(exc)
        if isinstance(response.data, Mapping):
            response.data = with_error(response.data)
        return response

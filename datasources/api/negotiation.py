"""What the REST interface makes of an Accept header."""

from typing import Any

from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request


class AnyAccept(DefaultContentNegotiation):
    """For addresses with one form only: who accepts just that form still gets errors as JSON."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: str | None = None) -> Any:
        return renderers[0], renderers[0].media_type

"""Keeps what people see out of caches and off disks."""

from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

KEPT_FOR_GOOD = "immutable"  # images of pages: large, and never another under the same address


class KeepPrivate(MiddlewareMixin):
    """Nobody may store a response that is not marked as immutable, not even the person's browser."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        if KEPT_FOR_GOOD not in response.headers.get("Cache-Control", ""):
            response.headers["Cache-Control"] = "private, no-store"
        return response

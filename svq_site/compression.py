"""Compresses pages and JSON on their way out. Streams, images and files are left as they are."""

from django.http import HttpRequest, HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TEXTS = ("text/html", "application/json")


class CompressTexts(GZipMiddleware):
    """Django's compression, with its random padding against BREACH, for whole texts only."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        if response.streaming or kind not in TEXTS:
            return response
        return super().process_response(request, response)

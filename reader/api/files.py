"""Images and PDFs made from pages, as responses that a client may cache."""

import hashlib
from collections.abc import Callable

from django.http import HttpResponse
from django.utils.cache import get_conditional_response
from rest_framework.exceptions import NotFound
from rest_framework.request import Request

from formats import ExtractionError
from ingestion.models import Page
from reader.page_images import KEEP


def kept(request: Request, make: Callable[[], bytes], kind: str) -> HttpResponse:
    """A response that the client may cache for good, or 304 if it has it. Raises NotFound, Busy."""
    try:
        content = make()
    except Page.DoesNotExist:
        raise NotFound from None
    except (ExtractionError, OSError):
        raise NotFound(
            "This page cannot be drawn. Take its text, which is still there.",
            "not_drawn",
        ) from None
    etag = f'"{hashlib.sha256(content).hexdigest()}"'
    response = HttpResponse(content, content_type=kind)
    response["Cache-Control"], response["ETag"] = KEEP, etag
    return get_conditional_response(request._request, etag=etag, response=response) or response

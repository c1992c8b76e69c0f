"""Counts requests for Prometheus, and writes them into the log where that has INFO.

By the names of views: an address has numbers, and may have a token.
"""

import logging
import time
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from metrics import REQUEST_SECONDS, REQUESTS

logger = logging.getLogger(__name__)

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
NO_VIEW = "none"  # an address that is none, or a request that was refused before


class CountRequests:
    """Django middleware, in front of all others."""

    def __init__(self, others: Callable[[HttpRequest], HttpResponse]) -> None:
        self.others = others

    def __call__(self, request: HttpRequest) -> HttpResponse:
        begun = time.monotonic()
        response = self.others(request)
        match = request.resolver_match
        view = (match.view_name if match else "") or NO_VIEW
        method = request.method if request.method in METHODS else "other"
        seconds = time.monotonic() - begun
        REQUESTS.labels(view, method, f"{response.status_code // 100}xx").inc()
        REQUEST_SECONDS.labels(view).observe(seconds)
        told = {"view": view, "method": method, "status": response.status_code, "ms": round(seconds * 1000)}
        logger.info("%(method)s %(view)s %(status)s in %(ms)s ms", told, extra={"told": told})
        return response

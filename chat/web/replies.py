"""Responses that several views of the chat give."""

from django.contrib import messages
from django.http import HttpResponse

from datasources.web.pages import HtmxRequest, go


def done(request: HtmxRequest, address: str, text: str) -> HttpResponse:
    """Go on to a page that says what was done."""
    messages.success(request, text)
    return go(request, address)


def conflict(why: str) -> HttpResponse:
    """Why nothing was done, as plain text: the page shows it as a toast."""
    return HttpResponse(why, status=409, content_type="text/plain; charset=utf-8")

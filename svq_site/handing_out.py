"""A file is asked for, made, and handed out: that may take minutes, in which the right to it may be lost."""

from django.http import Http404, HttpRequest, HttpResponseBase

from accounts.models import User
from datasources.access import still_may


def while_allowed(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    """Raises Http404 in place of a file to save that its person may not have any more."""
    is_file = response.headers.get("Content-Disposition", "").startswith("attachment")
    person = request.user if is_file else None  # REST has put the one of the token here by now
    if isinstance(person, User) and not still_may(person):
        for close in response._resource_closers:  # type: ignore[attr-defined]
            close()  # its own `close` says that the request has ended, which goes on
        raise Http404
    return response

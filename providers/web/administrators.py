"""Pages that are for administrators alone."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponseBase

View = Callable[..., HttpResponseBase]


def administrators_only(view: View) -> View:
    """For everybody else the page does not exist."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not getattr(request.user, "is_superuser", False):
            raise Http404
        return view(request, *args, **kwargs)

    return guarded

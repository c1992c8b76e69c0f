"""Errors under /api/ and /v1/, always as JSON: {"code", "message", "hint"}."""

import sys
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    ValidationError,
)
from django.db import IntegrityError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from django.views import defaults
from psycopg.errors import ForeignKeyViolation
from rest_framework import exceptions, status
from rest_framework.response import Response
from rest_framework.views import exception_handler

from accounts.quotas import with_retry_after
from datasources.models import Datasource, Document
from datasources.refusals import ARCHIVED, Archived, in_parts, split
from datasources.storage.errors import is_full
from jobs.fair_slots import Busy
from svq_site.serving.refusals import PROGRAMS, worded
from svq_site.serving.requests_at_once import NO_SLOT

# Codes of the services that have a status of their own; all others are 400.
STATUS_OF_CODE = {
    "too_large": status.HTTP_413_REQUEST_ENTITY_TOO_LARGE,
    "unsupported": status.HTTP_415_UNSUPPORTED_MEDIA_TYPE,
    "not_added": status.HTTP_403_FORBIDDEN,
    "id_several": status.HTTP_409_CONFLICT,
    "under_way": status.HTTP_409_CONFLICT,
    "busy": status.HTTP_429_TOO_MANY_REQUESTS,
    Archived.code: status.HTTP_409_CONFLICT,
}
NOT_FOUND = ("not_found", "There is nothing here that you may see.", "Check the address and the account.")
FAILED = (
    "internal",
    "The request stopped at a fault in SVQ. What was stored before is safe.",
    "Try again; the server's log has the details.",
)
DATABASE_AWAY = (
    "unavailable",
    "The database cannot do this just now. What was stored before is safe.",
    "Try again in a few seconds.",
)
DISK_FULL = (
    "disk_full",
    gettext_noop("The server's disk is full, so this was not stored. What was stored before is safe."),
    gettext_noop("Have the administrator free some space, then try again."),
)
SECONDS_UNTIL_TRIED_AGAIN = 5
TOO_LARGE = ("too_large", "The request is too large. Nothing was stored.", "Send less at once.")
# Words of our own for what the framework raises; by class, the nearest in its line of ancestors.
WORDS: dict[type[Exception], tuple[str, str, str]] = {
    exceptions.NotAuthenticated: (
        "not_signed_in",
        "You have to be signed in for this.",
        "Get a token at /api/v1/auth/login and send it as “Authorization: Bearer ...”.",
    ),
    exceptions.AuthenticationFailed: (
        "not_signed_in",
        "The e-mail address, the password or the token is not valid.",
        "Sign in again at /api/v1/auth/login.",
    ),
    exceptions.PermissionDenied: (
        "forbidden",
        "Your role here does not allow this. Nothing was changed.",
        "Ask the owner for another role.",
    ),
    exceptions.NotFound: NOT_FOUND,
    exceptions.ParseError: ("malformed", "The body of the request cannot be read.", "Send well-formed JSON."),
    exceptions.UnsupportedMediaType: (
        "unsupported",
        "A body of this content type is not accepted here. Nothing was changed.",
        "Send JSON, or multipart/form-data for files.",
    ),
    exceptions.NotAcceptable: (
        "not_acceptable",
        "The answer does not exist in the requested format.",
        "Send “Accept: application/json”, or no Accept header.",
    ),
}


class _NoSlot(exceptions.APIException):
    """`wait` becomes the header Retry-After."""

    status_code = status.HTTP_429_TOO_MANY_REQUESTS

    def __init__(self, wait: float) -> None:
        super().__init__()
        self.wait = wait


WORDS[_NoSlot] = (
    "busy",
    NO_SLOT,
    "Try again when Retry-After says.",
)


def handle(exception: Exception, context: Mapping[str, Any]) -> Response | None:
    """Turn an exception of a view into a response; None (an unknown one) lets it be logged as a fault."""
    if isinstance(exception, ValidationError):
        return _of_service(exception)
    if isinstance(exception, RequestDataTooBig):
        return Response(_error(*TOO_LARGE), status.HTTP_413_REQUEST_ENTITY_TOO_LARGE)
    if isinstance(exception, SuspiciousOperation):
        return Response(_error(*WORDS[exceptions.ParseError]), status.HTTP_400_BAD_REQUEST)
    if isinstance(exception, Archived):
        return _of_service(ValidationError(ARCHIVED, code=Archived.code))
    if isinstance(exception, Http404) or is_gone(exception):
        exception = exceptions.NotFound()
    elif isinstance(exception, PermissionDenied):
        exception = exceptions.PermissionDenied()
    elif isinstance(exception, Busy):
        exception = _NoSlot(exception.wait)
    response = exception_handler(exception, dict(context))  # adds WWW-Authenticate and Retry-After
    if response is not None and isinstance(exception, exceptions.APIException):
        response.data = _of_framework(exception)
    return response


def is_gone(exception: BaseException | None) -> bool:
    """Whether a request failed because somebody deleted meanwhile what it is about: a row can't name one that
    is gone.
    """
    if isinstance(exception, IntegrityError):
        return isinstance(exception.__cause__, ForeignKeyViolation)
    return isinstance(exception, Datasource.DoesNotExist | Document.DoesNotExist)


def _of_service(exception: ValidationError) -> Response:
    error = in_parts(exception)
    response = Response(error, STATUS_OF_CODE.get(error["code"], status.HTTP_400_BAD_REQUEST))
    with_retry_after(response, exception)
    return response


def _of_framework(exception: exceptions.APIException) -> dict[str, str]:
    if isinstance(exception, exceptions.ValidationError):
        return _of_fields(exception.detail)
    if isinstance(exception, exceptions.MethodNotAllowed):
        return _error("method_not_allowed", str(exception.detail), "/api/v1/docs lists what is allowed.")
    if isinstance(exception, exceptions.Throttled):
        wait = getattr(exception, "wait", None)
        hint = f"Wait {wait:.0f} seconds." if wait else "Wait a minute."
        return _error("throttled", "There were too many attempts in a short time.", hint)
    detail, code = exception.detail, exception.get_codes()
    if isinstance(detail, str) and code != exception.default_code:  # a view of ours chose these words
        return _error(str(code), *split(detail))
    for kind in type(exception).__mro__:
        if kind in WORDS:
            return _error(*WORDS[kind])
    return _error(str(exception.default_code), str(detail), "")


def _of_fields(detail: Any, path: str = "") -> dict[str, str]:
    """The first thing that is wrong with what was sent, named by its field."""
    if isinstance(detail, Mapping):
        field, inner = next(iter(detail.items()))
        within = "" if field == "non_field_errors" else str(field)
        return _of_fields(inner, f"{path}.{within}" if path and within else path or within)
    if isinstance(detail, list):
        return _of_fields(next(filter(None, detail)), path)
    text = f"“{path}”: {detail}" if path else str(detail)
    return _error("invalid", text, "Nothing was changed. Correct the value and send it again.")


def _error(code: str, message: str, hint: str) -> dict[str, str]:
    return {"code": code, "message": message, "hint": hint}


# --- outside of the views: handler400, handler403, handler404 and handler500 ------------------------------
def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, RequestDataTooBig):
        return too_large(request)
    if not request.path.startswith(PROGRAMS):
        return defaults.bad_request(request, exception)
    return JsonResponse(_error(*WORDS[exceptions.ParseError]), status=400)


def too_large(request: HttpRequest) -> HttpResponse:
    if not request.path.startswith(PROGRAMS):
        return render(request, "413.html", status=413)
    return JsonResponse(_error(*TOO_LARGE), status=413)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    if isinstance(exception, Archived):
        is_htmx = request.headers.get("HX-Request") == "true"
        told = split(_(ARCHIVED))
        return worded(request.path, HTTPStatus.CONFLICT, Archived.code, *told, is_htmx=is_htmx)
    if not request.path.startswith(PROGRAMS):
        return defaults.permission_denied(request, exception)
    return JsonResponse(_error(*WORDS[exceptions.PermissionDenied]), status=403)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    if not request.path.startswith(PROGRAMS):
        return defaults.page_not_found(request, exception)
    return JsonResponse(_error(*NOT_FOUND), status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    """Django calls it while the exception is being handled. A database that is away is no fault of SVQ's, and
    neither is a full disk, nor what somebody else deletes meanwhile.
    """
    if is_gone(sys.exception()):
        return page_not_found(request, Http404())
    if is_full(sys.exception()):
        is_htmx = request.headers.get("HX-Request") == "true"
        return worded(request.path, HTTPStatus.INSUFFICIENT_STORAGE, *DISK_FULL, is_htmx=is_htmx)
    if isinstance(sys.exception(), OperationalError | InterfaceError):
        return _database_away(request)
    if not request.path.startswith(PROGRAMS):
        return defaults.server_error(request)
    return JsonResponse(_error(*FAILED), status=500)


def _database_away(request: HttpRequest) -> HttpResponse:
    headers = {"Retry-After": str(SECONDS_UNTIL_TRIED_AGAIN)}
    if request.path.startswith(PROGRAMS):
        return JsonResponse(_error(*DATABASE_AWAY), status=503, headers=headers)
    # Without the request: what every page is given would ask the database again.
    return HttpResponse(render_to_string("503.html"), status=503, headers=headers)

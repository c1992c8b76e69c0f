"""Errors in the shape that SCIM's clients read."""

from http import HTTPStatus
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import Http404
from rest_framework import exceptions

from accounts.scim.refusals import Refused

ERROR = "urn:ietf:params:scim:api:messages:2.0:Error"
NO_TOKEN = (
    "The token is missing, is not the newest, or its directory is disconnected. "
    "An administrator makes one under Settings, Sign-in, Directories."
)


def error_json(status: int, detail: str, kind: str = "") -> dict[str, Any]:
    """kind: SCIM's own word for it, where it has one."""
    told = {"schemas": [ERROR], "status": str(status), "detail": detail}
    return told | {"scimType": kind} if kind else told


def response_parts(error: Exception) -> tuple[int, str, str] | None:
    """Status, words and kind of what is raised on the way; None for faults."""
    match error:
        case Refused():
            return error.status, str(error), error.kind
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            return HTTPStatus.UNAUTHORIZED, NO_TOKEN, ""
        case Http404():
            return HTTPStatus.NOT_FOUND, "There is no such resource that this directory may know of.", ""
        case ValidationError():
            return HTTPStatus.BAD_REQUEST, error.messages[0], "invalidValue"
        case IntegrityError():
            return HTTPStatus.CONFLICT, "Another request has just made the same.", "uniqueness"
        case exceptions.ParseError():
            return error.status_code, "The body is no well-formed JSON.", "invalidSyntax"
        case exceptions.APIException():
            return error.status_code, str(error.detail), ""
    return None

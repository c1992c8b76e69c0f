"""What a program is told when its request fails: always a code, a message and a hint."""

import json
from typing import Any

import pytest
from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    ValidationError,
)
from django.db import IntegrityError
from django.http import Http404
from django.test import RequestFactory
from psycopg.errors import ForeignKeyViolation, UniqueViolation
from rest_framework import exceptions

from datasources.models import Datasource
from jobs.fair_slots import Busy
from svq_site import api_errors
from svq_site.api_errors import handle

ERROR = {"code", "message", "hint"}


def caused(error: Exception, cause: Exception) -> Exception:
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("raised", "status", "code"),
    [
        (Http404(), 404, "not_found"),
        (caused(IntegrityError(), ForeignKeyViolation()), 404, "not_found"),  # deleted meanwhile
        (Datasource.DoesNotExist(), 404, "not_found"),
        (PermissionDenied(), 403, "forbidden"),
        (exceptions.NotAuthenticated(), 401, "not_signed_in"),
        (exceptions.AuthenticationFailed(), 401, "not_signed_in"),
        (exceptions.ParseError(), 400, "malformed"),
        (exceptions.UnsupportedMediaType("text/csv"), 415, "unsupported"),
        (exceptions.NotAcceptable(), 406, "not_acceptable"),
        (exceptions.MethodNotAllowed("PUT"), 405, "method_not_allowed"),
        (exceptions.Throttled(wait=9), 429, "throttled"),
        (Busy(), 429, "busy"),
        (SuspiciousOperation(), 400, "malformed"),
        (RequestDataTooBig(), 413, "too_large"),
        (ValidationError("Too big. Send less.", code="too_large"), 413, "too_large"),
        (ValidationError("No such kind. Send a PDF.", code="unsupported"), 415, "unsupported"),
        (ValidationError("No. Do otherwise.", code="merged"), 400, "merged"),
        (ValidationError("No. Do otherwise."), 400, "invalid"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
def test_every_failure_has_a_status_a_code_and_words(raised: Exception, status: int, code: str) -> None:
    response = handle(raised, {})
    assert response is not None
    assert (response.status_code, response.data["code"]) == (status, code)
    assert set(response.data) == ERROR
    assert response.data["message"]


@pytest.mark.parametrize(("raised", "wait"), [(exceptions.Throttled(wait=9), "9"), (Busy(), "2")])
def test_a_program_hears_when_to_come_back(raised: Exception, wait: str) -> None:
    response = handle(raised, {})
    assert response is not None
    assert response.headers["Retry-After"] == wait


def test_a_fault_is_not_explained_away() -> None:
    assert handle(KeyError("x"), {}) is None


def test_the_words_of_a_view_are_kept_and_split_into_message_and_hint() -> None:
    response = handle(exceptions.NotFound("The document is gone. Choose another.", code="gone"), {})
    assert response is not None
    assert response.data == {"code": "gone", "message": "The document is gone.", "hint": "Choose another."}


@pytest.mark.parametrize(
    ("detail", "message"),
    [
        ({"name": ["Too long."]}, "“name”: Too long."),
        ({"scope": {"documents": [{}, {"pk": ["No number."]}]}}, "“scope.documents.pk”: No number."),
        ({"non_field_errors": ["Both or none."]}, "Both or none."),
        (["Not a list."], "Not a list."),
    ],
)
def test_the_first_wrong_field_is_named_with_its_path(detail: Any, message: str) -> None:
    response = handle(exceptions.ValidationError(detail), {})
    assert response is not None
    assert (response.status_code, response.data["code"]) == (400, "invalid")
    assert response.data["message"] == message


def test_a_fault_of_ours_is_not_taken_for_something_that_was_deleted() -> None:
    assert handle(caused(IntegrityError(), UniqueViolation()), {}) is None


@pytest.mark.parametrize(
    ("handler", "arguments", "status", "code"),
    [
        (api_errors.bad_request, [Exception()], 400, "malformed"),
        (api_errors.permission_denied, [Exception()], 403, "forbidden"),
        (api_errors.page_not_found, [Exception()], 404, "not_found"),
        (api_errors.server_error, [], 500, "internal"),
    ],
)
def test_failures_outside_of_the_views_are_json_below_api(
    handler: Any, arguments: list[Any], status: int, code: str
) -> None:
    response = handler(RequestFactory().get("/api/v1/nothing"), *arguments)
    told = json.loads(response.content)
    assert (response.status_code, told["code"], set(told)) == (status, code, ERROR)

"""Ending a batch before its time on its page, and going on with it."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from batches.budget import Budget
from batches.models import BatchRow
from datasources.models import Datasource
from datasources.web.limits import budget_from


def stop_or_go_on(
    request: HttpRequest,
    row: BatchRow,
    datasource: Datasource,
    *,
    stop: Callable[[Any], bool],
    go_on: Callable[[Any, Budget | None], None],
    stopped: str,
) -> None:
    """`action` says which; `stopped` is what the page says then. A refusal is told as well."""
    match request.POST.get("action"):
        case "stop":
            if stop(row):
                messages.success(request, stopped)
        case "go_on":
            try:
                go_on(row, budget_from(request.POST, row, datasource))
            except ValidationError as refusal:
                messages.error(request, _(refusal.messages[0]))

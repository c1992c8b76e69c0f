"""Personal data in what models say of documents: where it is masked, as an app above knows (settings.MASKED),
and how rows are masked that were written before.
"""

from collections.abc import Collection, Sequence
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils.module_loading import import_string

from datasources.models import Datasource
from text.personal.personal_data import find, mask, masked_in

ROWS = 50  # locked at once


def masked(datasource_ids: Collection[int]) -> set[int]:
    """Those of the datasources whose owners want it masked."""
    found: set[int] = import_string(settings.MASKED)(datasource_ids)
    return found


def shown(text: str, datasource_id: int) -> str:
    """The text as people of the datasource may see it."""
    return mask(text) if text and masked([datasource_id]) else text


def mask_rows(rows: QuerySet[Any], *columns: str) -> None:
    """Mask these columns of the rows, texts or JSON, for good; what is masked already stays as it is."""
    numbers = list(rows.values_list("pk", flat=True))
    for first in range(0, len(numbers), ROWS):
        _mask_batch(rows.model._default_manager.filter(pk__in=numbers[first : first + ROWS]), columns)


@transaction.atomic
def _mask_batch(rows: QuerySet[Any], columns: Sequence[str]) -> None:
    """Locked from when they are read: what a purge takes out of them meanwhile must not come back."""
    for row in rows.order_by("pk").only("pk", *columns).select_for_update(of=("self",), no_key=True):
        if changed := masked_columns(row, *columns):
            rows.filter(pk=row.pk).update(**changed)


def mask_row(row: Model, *columns: str) -> None:
    """Mask these columns of a row that is about to be written, in memory."""
    for column, value in masked_columns(row, *columns).items():
        setattr(row, column, value)


def masked_columns(row: Model, *columns: str) -> dict[str, Any]:
    """Those of the columns that have personal data, with it masked. What masking makes too long is cut."""
    changed = {}
    for column in columns:
        value = getattr(row, column)
        masked_value = masked_in(value)
        if masked_value != value:
            longest = getattr(type(row)._meta.get_field(column), "max_length", None)
            changed[column] = masked_value[:longest] if longest else masked_value
    return changed


def may_be_asked(datasource: Datasource, question: str) -> bool:
    """Whether a question that SVQ made may be shown: with a masked part it would be useless."""
    return not find(question) or not masked([datasource.pk])

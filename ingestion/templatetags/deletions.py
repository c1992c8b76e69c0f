"""A receipt of a deletion as rows of a table."""

from typing import Any

from django import template

from datasources.models import Deletion

register = template.Library()


@register.filter
def receipt_rows(deletion: Deletion) -> list[dict[str, Any]]:
    """A row for each kind: its noun, how much was removed, how much is left (None before the first check)."""
    left = deletion.left
    kinds = [*deletion.removed, *(kind for kind in left or {} if kind not in deletion.removed)]
    return [
        {
            "kind": kind.replace("chunk", "passage").replace("_", " ").capitalize(),
            "removed": deletion.removed.get(kind, 0),
            "left": None if left is None else left.get(kind, 0),
        }
        for kind in kinds
    ]

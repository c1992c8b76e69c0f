"""The passages that came nearest where nothing answers, with what is said of their documents today."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from uuid import UUID

from chat.models import Turn
from datasources.models import Document

Passages = Sequence[dict[str, Any]]


def nearest_of(turns: Iterable[Turn]) -> Mapping[UUID, Passages]:
    """By the turns' keys, in one query; in none where no turn has any."""
    near = {turn.pk: turn.nearest for turn in turns}
    numbers = {passage["document"] for passages in near.values() for passage in passages}
    imported = Document.objects.filter(pk__in=numbers, read_elsewhere=True).values_list("pk", flat=True)
    elsewhere = set(imported) if numbers else set()
    return {
        pk: [passage | {"read_elsewhere": passage["document"] in elsewhere} for passage in passages]
        for pk, passages in near.items()
    }

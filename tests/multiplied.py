"""Many rows of every kind: copies of those of a world, for tests of what grows with them."""

from collections.abc import Iterator, Sequence
from copy import copy
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import connection, models
from django.utils import timezone
from pgvector.django import HalfVectorField, VectorField

from accounts.models import User
from datasources.models import Datasource, Document, MatterShare
from desks.compliance.models import Requirement
from desks.evaluation.models import GoldQuote
from desks.research.models import ArxivQueue
from events.models import Channel, Event
from ingestion.models import VectorSpace

Model = type[models.Model]
BATCH = 500
# A page draws each requirement for each vendor, and each quote of a question with a list of all documents.
MOST: dict[Model, int] = {Requirement: 20, GoldQuote: 20}

BY_THEMSELVES = {ArxivQueue, Channel, Event, VectorSpace}  # one row alone, or what no page lists


def own_models() -> list[Model]:
    """Those of SVQ itself, each after those that its rows refer to."""
    own = [
        one
        for one in apps.get_models()
        if "site-packages" not in apps.get_app_config(one._meta.app_label).path
    ]
    ordered: list[Model] = []
    while own:
        ready = [one for one in own if not set(_referred_to(one)) & set(own) - {one}]
        ordered += ready
        own = [one for one in own if one not in ready]
    return ordered


def _referred_to(model: Model) -> Iterator[Model]:
    for each in model._meta.fields:
        if each.is_relation and isinstance(each.related_model, type):
            yield each.related_model


class Copies:
    """Copies of one row of each model, with the same parents where that may be: a datasource has many
    documents, a document many chunks.
    """

    def __init__(self, world: SimpleNamespace) -> None:
        self.originals: dict[Model, models.Model] = {
            User: Datasource.objects.get(pk=world.datasource).owner,
            Datasource: Datasource.objects.get(pk=world.datasource),
            Document: Document.objects.get(pk=world.document),
        }
        self.made: dict[Model, list[models.Model]] = {}
        for model in own_models():
            if model not in self.originals and model not in BY_THEMSELVES and not _has_vectors(model):
                self.originals[model] = self._original(model) or self._invented(model)

    def _original(self, model: Model) -> models.Model | None:
        """A row with the parents that are copied too."""
        rows = model._base_manager.order_by("pk")
        for each in model._meta.fields:
            parent = self.originals.get(each.related_model) if each.is_relation else None  # type: ignore[arg-type]
            if parent and rows.filter(**{each.name: parent}).exists():
                rows = rows.filter(**{each.name: parent})
        return rows.first()

    def _invented(self, model: Model) -> models.Model:
        """A row of which a world has none."""
        row = model()
        for each in model._meta.fields:
            if each.is_relation and not each.null:
                setattr(row, each.name, self.originals[each.related_model])  # type: ignore[index]
            elif not (each.has_default() or each.null or isinstance(each, models.AutoField)):
                setattr(row, each.name, _invented_value(each))
        row.save(force_insert=True)
        return row

    def raise_to(self, count: int) -> None:
        """So many copies of each, or as many as it has parents that are told apart by them."""
        for model, original in self.originals.items():
            made = self.made.setdefault(model, [])
            rows = [self._copy(original, number) for number in range(len(made), self._most(model, count))]
            made += model._base_manager.bulk_create(rows, batch_size=BATCH)
        with connection.cursor() as cursor:  # as Postgres does by and by: plans are for a few rows else
            cursor.execute("ANALYZE")

    def _most(self, model: Model, count: int) -> int:
        varied = [model._meta.get_field(_varied(model, names)) for names in _unique(model)]
        parents = [len(self.made[each.related_model]) for each in varied if each.is_relation]  # type: ignore[index]
        return min(count, MOST.get(model, count), *parents)

    def _copy(self, original: models.Model, number: int) -> models.Model:
        row = copy(original)
        row._state = models.base.ModelState()
        row._state.adding = True
        for names in _unique(type(original)):
            if not _is_held_to(original, names):
                continue
            name = _varied(type(original), names)
            setattr(row, name, self._other(original, name, number))
        return row

    def _other(self, original: models.Model, name: str, number: int) -> Any:
        field, value = original._meta.get_field(name), getattr(original, name)
        if isinstance(field, models.AutoField | models.BigAutoField):
            return None
        if isinstance(field, models.UUIDField):
            return uuid4()
        if field.is_relation:
            return self.made[field.related_model][number]  # type: ignore[index]
        if isinstance(field, models.IntegerField):
            return (value or 0) + 1000 + number
        if isinstance(field, models.DateField):
            return value + timedelta(days=1 + number)
        return f"{number + 1:04}{value}"[: field.max_length]  # type: ignore[union-attr]


def _has_vectors(model: Model) -> bool:
    """Vectors belong to a space, and no page lists them."""
    return any(isinstance(each, VectorField | HalfVectorField) for each in model._meta.fields)


def _invented_value(field: Any) -> Any:
    if field.choices:
        return field.choices[0][0]
    if isinstance(field, models.CharField | models.TextField):
        return "" if field.blank else "invented"
    if isinstance(field, ArrayField):
        return []
    return timezone.now() if isinstance(field, models.DateField) else 1


def _unique(model: Model) -> Iterator[Sequence[str]]:
    """The fields that are unique by themselves or together."""
    yield [each.name for each in getattr(model._meta, "pk_fields", [model._meta.pk])]
    yield from ([each.name] for each in model._meta.fields if each.unique and not each.primary_key)
    for each in model._meta.constraints:
        if isinstance(each, models.UniqueConstraint):
            expressions: Any = each.expressions
            parts: list[Any] = [part for one in expressions for part in one.flatten()]
            yield each.fields or [part.name for part in parts if hasattr(part, "name")]  # F


def _is_held_to(row: models.Model, names: Sequence[str]) -> bool:
    """Whether they must differ: nulls always do, and a role in a matter is of one of three."""
    values = [getattr(row, name) for name in names if name != row._meta.pk.name]
    return None not in values and not (isinstance(row, MatterShare) and "" in values)


def _varied(model: Model, names: Sequence[str]) -> str:
    """The field whose value differs from copy to copy: a value of its own rather than a parent."""
    fields: list[Any] = [model._meta.get_field(name) for name in names]
    own = [each for each in fields if not each.is_relation and not each.choices]
    return str((own or [each for each in fields if each.is_relation])[-1].name)

"""What this version needs: from its models, and from the SQL in its migrations."""

import re
from collections.abc import Iterator
from typing import Any

from django.apps import apps
from django.db import connection
from django.db.models import Model

from svq_site.host.schema import written_sql
from svq_site.host.schema.values import Column, Named, Rule, Schema


def expected() -> Schema:
    models = [
        model
        for model in apps.get_models(include_auto_created=True)
        if not model._meta.proxy and not model._meta.swapped
    ]
    managed = [model for model in models if model._meta.managed]
    tables = {model._meta.db_table: _columns(model) for model in models}
    named, functions = written_sql.objects()
    return Schema(
        tables=tables,
        rules={rule for model in managed for rule in _rules(model)},
        named={name for model in managed for name in _named(model)}
        | {name for name in named if name.table in tables},
        functions=functions,
    )


def _columns(model: type[Model]) -> dict[str, Column]:
    return {field.column: _column(field) for field in _fields(model)}


def _column(field: Any) -> Column:
    meta = field.model._meta
    if not meta.managed:  # another package makes it, and its model says no more than that it is there
        return Column(type=None, nullable=None)
    if meta.auto_created and field.primary_key:  # Django leaves it as it was when the table was made
        return Column(type=None, nullable=False)
    return Column(type=_type(field), nullable=field.null)


def _fields(model: type[Model]) -> list[Any]:
    """Those with a column."""
    return [field for field in model._meta.local_concrete_fields if field.db_type(connection)]


def _type(field: Any) -> str:
    """As Postgres writes it."""
    kind = str(field.db_type(connection))
    return re.sub(r"^varchar\b", "character varying", kind).replace(", ", ",")


def _rules(model: type[Model]) -> Iterator[Rule]:
    meta: Any = model._meta
    table = meta.db_table
    yield Rule(table=table, kind="primary key", columns=tuple(field.column for field in meta.pk_fields))
    for names in meta.unique_together:
        yield Rule(table=table, kind="unique", columns=tuple(meta.get_field(name).column for name in names))
    for field in _fields(model):
        columns = (field.column,)
        if field.unique and not field.primary_key:
            yield Rule(table=table, kind="unique", columns=columns)
        if field.db_index and not field.unique:
            yield Rule(table=table, kind="index", columns=columns)
        if field.db_check(connection):
            yield Rule(table=table, kind="check", columns=columns)
        if field.remote_field and getattr(field, "db_constraint", False):
            other = field.remote_field.model._meta.db_table
            yield Rule(table=table, kind="foreign key", columns=columns, to=other)


def _named(model: type[Model]) -> Iterator[Named]:
    for item in (*model._meta.indexes, *model._meta.constraints):
        yield Named(table=model._meta.db_table, kind="constraint or index", name=item.name)

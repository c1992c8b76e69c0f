"""Every table that belongs to a datasource is in a bundle, or is named with the reason why it is not."""

from typing import Any

from django.apps import apps
from django.db import models

from accounts.models import User
from datasources.models import Datasource
from exchange.bundles.contents import CARRIED, LEFT_OUT, is_left_out, is_person, refers_to


def belonging() -> set[str]:
    """The labels of models from whose rows foreign keys lead to a datasource, or that name one by number."""
    every = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    found: set[type[models.Model]] = {Datasource}
    while True:
        more = {
            model
            for model in every
            if model not in found
            and any(leads(column, found) for column in model._meta.local_concrete_fields)
        }
        if not more:
            return {model._meta.label for model in found}
        found |= more


def leads(column: Any, found: set[type[models.Model]]) -> bool:
    if column.is_relation:
        return column.related_model in found
    return column.name in ("datasource", "datasource_id")


def test_no_table_is_forgotten() -> None:
    known = {table.label for table in CARRIED} | LEFT_OUT.keys()
    assert belonging() - known == set(), (
        "put them into exchange.bundles.contents: CARRIED, or LEFT_OUT with the reason"
    )
    assert not {table.label for table in CARRIED} & LEFT_OUT.keys()
    assert all(apps.get_model(label) for label in LEFT_OUT if not is_left_out(label))


def test_no_column_leads_out_of_a_bundle() -> None:
    labels = [table.label for table in CARRIED]
    for place, table in enumerate(CARRIED):
        for column in table.fields:
            if column.is_relation and not is_person(column):
                target = refers_to(table, column)
                assert target in labels[: place + 1], f"{table.label}.{column.name}: say what becomes of it"
        for name in table.stays:
            table.model._meta.get_field(name)


def test_no_person_comes_along() -> None:
    assert User._meta.label not in {table.label for table in CARRIED}

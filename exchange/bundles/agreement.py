"""What the rows of a bundle say twice: a mention names a passage and that passage's document. Pages and files
rely on both being the same.
"""

from collections.abc import Iterator

from django.db.models import F, ForeignKey, Model, Q

from exchange.bundles.contents import CARRIED, DATASOURCE, Scope, Table, is_person
from exchange.bundles.errors import Damaged


def check_agreement(datasource: int, owner: int) -> None:
    """Once the rows are stored. Raises Damaged."""
    scope = Scope(datasource=datasource, person=owner, conversations=True)
    for table in CARRIED:
        for near, through in said_twice(table):
            far = f"{through}__{near}"
            both = Q(**{f"{near}__isnull": False, f"{far}__isnull": False})
            if table.chosen(scope).filter(both, ~Q(**{near: F(far)})).exists():
                raise Damaged(table.name, f"has rows that contradict each other ({near}, {through})")


def said_twice(table: Table) -> Iterator[tuple[str, str]]:
    """Of foreign keys that lead to the same row, the short way and the first step of the long one."""
    for near in _keys(table.model):
        for through in _keys(table.model):
            if through.related_model is not table.model and any(
                far.name == near.name and far.related_model is near.related_model
                for far in _keys(through.related_model)
                if far is not near and through is not near
            ):
                yield near.name, through.name


def _keys(model: type[Model]) -> list[ForeignKey]:
    fields = model._meta.concrete_fields
    keys = [each for each in fields if isinstance(each, ForeignKey) and not is_person(each)]
    return [each for each in keys if each.related_model._meta.label != DATASOURCE]

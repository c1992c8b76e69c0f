"""What people decide about entities. Each function writes one remembered decision and folds its names anew.

Decisions are kept by name, so they hold for later uploads too; `undo` takes any of them back.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction

from datasources.models import Document
from ingestion.graph import growth
from ingestion.graph.models import Decision, DecisionKind, Entity, EntityName
from ingestion.graph.names import key

if TYPE_CHECKING:
    from accounts.models import User


def merge(entity: Entity, other: Entity, user: "User | None" = None) -> Decision:
    """Both are one thing from now on. Raises ValidationError for entities of two datasources."""
    if entity.datasource_id != other.datasource_id or entity.pk == other.pk:
        raise ValidationError("Only two entities of one datasource can be merged.", code="not_two")
    return _decide(entity, DecisionKind.MERGE, user, other_key=other.key, other_sense=other.sense)


def add_alias(entity: Entity, alias: str, user: "User | None" = None) -> Decision:
    """The entity also goes by this name, whether or not a document has used it yet."""
    if not key(alias):
        raise ValidationError("The alias has no letter or digit.", code="empty")
    return _decide(entity, DecisionKind.MERGE, user, other_key=key(alias), name=alias[:300])


def keep_apart(name: EntityName, other: EntityName, user: "User | None" = None) -> Decision:
    """These two names never mean one thing: parts an entity in two, or settles a candidate."""
    with transaction.atomic():
        Decision.objects.filter(
            datasource_id=name.datasource_id,
            kind=DecisionKind.MERGE,
            key__in=(name.key, other.key),
            other_key__in=(name.key, other.key),
        ).delete()
        decision = Decision.objects.create(
            datasource_id=name.datasource_id,
            kind=DecisionKind.APART,
            key=name.key,
            sense=name.sense,
            other_key=other.key,
            other_sense=other.sense,
            decided_by=user,
        )
        growth.reconsider(name.datasource_id, (name.key, other.key))
    return decision


def split(name: EntityName, document: Document, user: "User | None" = None) -> Decision:
    """What this document calls so is another thing than what others call so."""
    with transaction.atomic():
        decision = Decision.objects.create(
            datasource_id=name.datasource_id,
            kind=DecisionKind.SPLIT,
            key=name.key,
            document=document,
            decided_by=user,
        )
        growth.reconsider(name.datasource_id, (name.key,))
    return decision


def rename(entity: Entity, name: str, user: "User | None" = None) -> Decision:
    """Show the entity under this name."""
    if not name.strip():
        raise ValidationError("An entity needs a name.", code="empty")
    return _decide(entity, DecisionKind.RENAME, user, name=name.strip()[:300])


def retype(entity: Entity, types: Sequence[str], user: "User | None" = None) -> Decision:
    """Give the entity these types instead of those its mentions say."""
    return _decide(
        entity, DecisionKind.RETYPE, user, types=[kind.strip()[:40] for kind in types if kind.strip()]
    )


def hide(entity: Entity, user: "User | None" = None) -> Decision:
    """Leave the entity out of the graph and of searches."""
    return _decide(entity, DecisionKind.HIDE, user)


def undo(decision: Decision) -> None:
    """Take a decision back: the graph is as if it had never been made."""
    with transaction.atomic():
        keys = [decision.key, *([decision.other_key] if decision.other_key else [])]
        datasource_id = decision.datasource_id
        decision.delete()
        growth.reconsider(datasource_id, keys)


def decisions_about(entity: Entity) -> Iterable[Decision]:
    """All decisions that bear on an entity, the newest first, for its panel."""
    keys = list(entity.names.values_list("key", flat=True))
    own = Decision.objects.filter(datasource_id=entity.datasource_id)
    return (own.filter(key__in=keys) | own.filter(other_key__in=keys)).order_by("-pk")


def _decide(entity: Entity, kind: DecisionKind, user: "User | None", **values: object) -> Decision:
    with transaction.atomic():
        decision = Decision.objects.create(
            datasource_id=entity.datasource_id,
            kind=kind,
            key=entity.key,
            sense=entity.sense,
            decided_by=user,
            **values,
        )
        growth.reconsider(
            entity.datasource_id, [entity.key, *([decision.other_key] if decision.other_key else [])]
        )
    return decision

"""What people decide about entities. Each function writes one remembered decision and folds its names again.

Decisions are kept by name, so they hold for later uploads too; `undo` takes any of them back. All of them
raise ValidationError, with nothing changed, when what they are about is gone or was decided otherwise.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from datasources.models import Document
from graph.aggregate import update
from graph.aggregate.queue import defer_embed_graph
from graph.models import (
    OF_RELATIONS,
    Decision,
    DecisionKind,
    Entity,
    EntityMention,
    EntityName,
    Relation,
)
from graph.resolution.disambiguation import document_sense
from graph.resolution.resolve import Ref
from graph.values.names import key

if TYPE_CHECKING:
    from accounts.models import User

LONGEST_TYPE = 60  # characters of a relation's type, as of a keyword


@transaction.atomic
def merge(entity: Entity, other: Entity, user: "User | None" = None) -> Decision:
    """Both are one thing from now on. Raises ValidationError for entities of two datasources."""
    update.lock(entity.datasource_id)
    one, two = _present(entity), _present(other)
    if one.datasource_id != two.datasource_id or one.pk == two.pk:
        raise ValidationError(_("Only two entities of one datasource can be merged."), code="not_two")
    _refuse_what_is_kept_apart(one.datasource_id, _refs(one), _refs(two))
    return _decide(one, DecisionKind.MERGE, user, other_key=two.key, other_sense=two.sense)


@transaction.atomic
def add_alias(entity: Entity, alias: str, user: "User | None" = None) -> Decision:
    """The entity also goes by this name, whether or not a document has used it yet."""
    alias = " ".join(alias.split())
    if not key(alias):
        raise ValidationError(_("The alias has no letter or digit."), code="empty")
    update.lock(entity.datasource_id)
    here = _present(entity)
    own, new = _refs(here), (key(alias), "")
    if new in own or _between(here.datasource_id, DecisionKind.MERGE, own, {new}):
        raise ValidationError(_("It already has this name. Nothing was changed."), code="known")
    _refuse_what_is_kept_apart(here.datasource_id, own, {new})
    return _decide(here, DecisionKind.MERGE, user, other_key=new[0], name=alias[:300])


@transaction.atomic
def keep_apart(name: EntityName, other: EntityName, user: "User | None" = None) -> Decision:
    """These two names never mean one thing: parts an entity in two, or settles a candidate.

    Gives the decision that says so already, if there is one.
    """
    update.lock(name.datasource_id)
    for one in (name, other):
        if not EntityName.objects.filter(pk=one.pk, datasource_id=name.datasource_id).exists():
            raise _gone(one.name)
    refs = {(name.key, name.sense)}, {(other.key, other.sense)}
    if refs[0] == refs[1]:
        raise ValidationError(_("Only two names can be kept apart."), code="not_two")
    _refuse_what_is_merged(name.datasource_id, *refs)
    known = _between(name.datasource_id, DecisionKind.APART, *refs)
    return known or _remember(
        Decision(
            datasource_id=name.datasource_id,
            kind=DecisionKind.APART,
            decided_by=user,
            key=name.key,
            sense=name.sense,
            other_key=other.key,
            other_sense=other.sense,
        )
    )


@transaction.atomic
def separate(name: EntityName, user: "User | None" = None) -> Decision:
    """This name means another thing than the other names of its entity."""
    update.lock(name.datasource_id)
    here = EntityName.objects.filter(pk=name.pk).select_related("entity").first()
    if here is None or here.entity is None:
        raise _gone(name.name)
    others = list(here.entity.names.exclude(pk=here.pk).order_by("-count", "key", "sense"))
    if not others:
        raise ValidationError(
            _("It has no other name. Say in which document it means something else."), code="only"
        )
    _refuse_what_is_merged(
        here.datasource_id, {(here.key, here.sense)}, {(other.key, other.sense) for other in others}
    )
    head = (here.entity.key, here.entity.sense)
    first = next((other for other in others if (other.key, other.sense) == head), others[0])
    return keep_apart(here, first, user)


@transaction.atomic
def split(name: EntityName, document: Document, user: "User | None" = None) -> Decision:
    """What this document calls so is another thing than what others call so."""
    update.lock(name.datasource_id)
    used = EntityMention.objects.filter(datasource_id=name.datasource_id, key=name.key, live=True)
    if not used.filter(document=document).exists():
        raise ValidationError(_("That document does not use this name. Nothing was changed."), code="unused")
    known = Decision.objects.filter(
        datasource_id=name.datasource_id, kind=DecisionKind.SPLIT, key=name.key, document=document
    ).first()
    if known is None and not used.filter(sense=name.sense).exclude(document=document).exists():
        raise ValidationError(_("No other document uses this name. Nothing was changed."), code="only")
    return known or _remember(
        Decision(
            datasource_id=name.datasource_id,
            kind=DecisionKind.SPLIT,
            key=name.key,
            document=document,
            decided_by=user,
        )
    )


@transaction.atomic
def rename(entity: Entity, name: str, user: "User | None" = None) -> Decision:
    """Show the entity under this name."""
    if not name.strip():
        raise ValidationError(_("An entity needs a name."), code="empty")
    update.lock(entity.datasource_id)
    return _decide(_present(entity), DecisionKind.RENAME, user, name=" ".join(name.split())[:300])


@transaction.atomic
def retype(entity: Entity, types: Sequence[str], user: "User | None" = None) -> Decision:
    """Give the entity these types instead of those its mentions say."""
    wanted = list(dict.fromkeys(kind.strip()[:40] for kind in types if kind.strip()))
    if not wanted:
        raise ValidationError(_("An entity needs a type."), code="empty")
    update.lock(entity.datasource_id)
    return _decide(_present(entity), DecisionKind.RETYPE, user, types=wanted)


@transaction.atomic
def hide(entity: Entity, user: "User | None" = None) -> Decision:
    """Leave the entity out of the graph and of searches. Gives the decision that does so already."""
    update.lock(entity.datasource_id)
    here = _present(entity)
    known = Decision.objects.filter(
        _any_of(_refs(here)), datasource_id=here.datasource_id, kind=DecisionKind.HIDE
    ).first()
    return known or _decide(here, DecisionKind.HIDE, user)


def dismiss(relations: Sequence[Relation], user: "User | None" = None) -> list[Decision]:
    """Leave these relations of one datasource out of the graph and of searches, also what later documents
    say of them.
    """
    return _decide_relations(relations, DecisionKind.DISMISS, user)


def relate(relations: Sequence[Relation], name: str, user: "User | None" = None) -> list[Decision]:
    """These relations of one datasource are of that type, whatever their sentences say."""
    name = " ".join(name.split())
    if not 0 < len(name) <= LONGEST_TYPE:
        raise ValidationError(_("A type has 1 to {most} characters.").format(most=LONGEST_TYPE), code="empty")
    return _decide_relations(relations, DecisionKind.RELATE, user, name)


@transaction.atomic
def undo(decision: Decision) -> None:
    """Take a decision back: the graph is as if it had never been made. Twice is the same as once."""
    update.lock(decision.datasource_id)
    Decision.objects.filter(pk=decision.pk).delete()
    _refold(decision)


@transaction.atomic
def undo_several(datasource_id: int, decisions: Sequence[Decision]) -> None:
    """The same of several about relations of one datasource, folded once."""
    update.lock(datasource_id)
    Decision.objects.filter(pk__in=[decision.pk for decision in decisions]).delete()
    _refold_relations(datasource_id, decisions)


def hand_on(datasource_id: int, old: int, new: int) -> None:
    """What was decided about a version of a document holds for the next; called before the graph changes."""
    own = Decision.objects.filter(datasource_id=datasource_id)
    own.filter(document_id=old).update(document_id=new)
    was, now = document_sense(old), document_sense(new)
    own.filter(sense=was).update(sense=now)
    own.filter(other_sense=was).update(other_sense=now)


def forget(datasource_id: int, document_ids: Sequence[int]) -> None:
    """Delete what was decided about these documents alone; called before the graph changes."""
    senses = [document_sense(pk) for pk in document_ids]
    own = Decision.objects.filter(datasource_id=datasource_id)
    own.filter(Q(document__in=document_ids) | Q(sense__in=senses) | Q(other_sense__in=senses)).delete()


def decisions_about(entity: Entity) -> Iterable[Decision]:
    """All decisions that bear on an entity, the newest first, for its panel."""
    refs = _refs(entity)
    split = Q(kind=DecisionKind.SPLIT, key__in={key for key, _ in refs})
    own = Decision.objects.filter(datasource_id=entity.datasource_id).select_related("decided_by", "document")
    return own.filter(_any_of(refs) | _any_of(refs, "other_") | split).order_by("-pk")


# --- what is refused -------------------------------------------------------------------------------------
def _present(entity: Entity) -> Entity:
    """The entity as it is now. Raises ValidationError."""
    here = Entity.objects.filter(pk=entity.pk).first()
    if here is None:
        raise _gone(entity.name)
    return here


def _gone(name: str) -> ValidationError:
    return ValidationError(
        _(
            "“%(name)s” is not in the graph any more: it was merged with another entity, or its documents are"
            " gone. Nothing was changed."
        ),
        code="gone",
        params={"name": name},
    )


def _refuse_what_is_kept_apart(datasource_id: int, one: Iterable[Ref], two: Iterable[Ref]) -> None:
    if _between(datasource_id, DecisionKind.APART, one, two):
        raise ValidationError(
            _(
                "A decision says that these are two different things. Nothing was changed. Undo that decision"
                " first."
            ),
            code="kept_apart",
        )


def _refuse_what_is_merged(datasource_id: int, one: Iterable[Ref], two: Iterable[Ref]) -> None:
    if _between(datasource_id, DecisionKind.MERGE, one, two):
        raise ValidationError(
            _("A decision says that these are one thing. Nothing was changed. Undo that decision instead."),
            code="merged",
        )


def _between(datasource_id: int, kind: str, one: Iterable[Ref], two: Iterable[Ref]) -> Decision | None:
    """A decision of that kind about a name of the one and a name of the other."""
    there = (_any_of(one) & _any_of(two, "other_")) | (_any_of(two) & _any_of(one, "other_"))
    return Decision.objects.filter(there, datasource_id=datasource_id, kind=kind).first()


def _refs(entity: Entity) -> set[Ref]:
    return set(entity.names.values_list("key", "sense"))


def _any_of(refs: Iterable[Ref], side: str = "") -> Q:
    found = Q(pk__in=[])
    for name, sense in refs:
        found |= Q(**{f"{side}key": name, f"{side}sense": sense})
    return found


# --- what is written -------------------------------------------------------------------------------------
def _decide(entity: Entity, kind: DecisionKind, user: "User | None", **values: object) -> Decision:
    return _remember(
        Decision(
            datasource_id=entity.datasource_id,
            kind=kind,
            key=entity.key,
            sense=entity.sense,
            decided_by=user,
            **values,
        )
    )


def _remember(decision: Decision) -> Decision:
    decision.save()
    _refold(decision)
    return decision


@transaction.atomic
def _decide_relations(
    relations: Sequence[Relation], kind: DecisionKind, user: "User | None", name: str = ""
) -> list[Decision]:
    """A newer decision of a kind takes the place of an older one about the same two."""
    if not relations:
        return []
    datasource_id = relations[0].datasource_id
    update.lock(datasource_id)
    made = [
        Decision(
            datasource_id=datasource_id,
            kind=kind,
            key=one.source.key,
            sense=one.source.sense,
            other_key=one.target.key,
            other_sense=one.target.sense,
            name=name,
            decided_by=user,
        )
        for one in relations
    ]
    same = Q(pk__in=[])
    for each in made:
        same |= Q(key=each.key, sense=each.sense, other_key=each.other_key, other_sense=each.other_sense)
    Decision.objects.filter(same, datasource_id=datasource_id, kind=kind).delete()
    Decision.objects.bulk_create(made)
    _refold_relations(datasource_id, made)
    return made


def _refold_relations(datasource_id: int, decisions: Iterable[Decision]) -> None:
    ends = [((each.key, each.sense), (each.other_key, each.other_sense)) for each in decisions]
    update.reconsider_relations(datasource_id, ends)
    defer_embed_graph(datasource_id)


def _refold(decision: Decision) -> None:
    """Fold what the decision is about; texts that changed get their vectors from a job."""
    if decision.kind in OF_RELATIONS:
        _refold_relations(decision.datasource_id, [decision])
        return
    update.reconsider(decision.datasource_id, [k for k in (decision.key, decision.other_key) if k])
    defer_embed_graph(decision.datasource_id)

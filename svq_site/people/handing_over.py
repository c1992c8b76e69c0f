"""What somebody owns becomes another person's: datasources, matters, frameworks, and the schedules of
question sets.

Conversations are their author's alone and stay.
"""

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.audit import note
from accounts.models import AuditAct, User
from datasources.models import Datasource, MatterShare, Membership, Role, widened
from datasources.templatetags.amounts import counted
from desks.present import model_of
from localization.lists import listed
from text.free_names import FreeNames


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """How much somebody owns. Without names: these are not for every administrator."""

    datasources: int
    matters: int
    frameworks: int
    schedules: int

    def __bool__(self) -> bool:
        return bool(self.datasources or self.matters or self.frameworks or self.schedules)

    def __str__(self) -> str:
        return listed([counted(number, noun) for noun, number in self._numbers.items() if number])

    @property
    def in_log(self) -> str:
        """In the audit log's own words, which are the same in all languages and versions."""
        return ", ".join(f"{noun}: {number}" for noun, number in self._numbers.items() if number)

    @property
    def _numbers(self) -> dict[str, int]:
        return {
            "datasource": self.datasources,
            "matter": self.matters,
            "framework": self.frameworks,
            "scheduled evaluation": self.schedules,
        }


def owned_by(person: User) -> Owned:
    return Owned(
        datasources=Datasource.objects.filter(owner=person).count(),
        matters=_matters(person).count(),
        frameworks=len(_frameworks(person)),
        schedules=rows.count() if (rows := _schedules(person)) is not None else 0,
    )


def _matters(person: User) -> QuerySet[MatterShare]:
    """The person's own shares in those that they own."""
    return MatterShare.objects.filter(person=person, role=Role.OWNER)


def _frameworks(person: User) -> list[Any]:
    model = model_of("compliance.Framework")
    return list(model._default_manager.filter(owner=person).order_by("pk")) if model else []


def _schedules(person: User) -> QuerySet[Any] | None:
    model = model_of("evaluation.Schedule")
    return model._default_manager.filter(person=person) if model else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Handed:
    """What was handed over, and how many schedules were not: of datasources where the taker is no editor."""

    owned: Owned
    schedules_left: int


@transaction.atomic
def hand_over(giver: User, taker: User, *, by: User) -> Handed:
    """All that the giver owns. Where the taker has one of that name, a number is put behind it.

    The giver stays an editor of the datasources and matters: what they have begun there goes on, and their
    conversations can still be read by them. Raises ValidationError, also where nothing can be handed over.
    """
    if taker.pk == giver.pk or not taker.is_active:
        raise ValidationError(_("Choose another person, whose account is open."), code="taker")
    if taker.pk == by.pk and not by.may_see_contents:
        raise ValidationError(
            _("You can't become the owner yourself: you may not see what belongs to others."), code="taker"
        )
    # In the order in which renaming and uploading lock them. What the giver makes in between stays theirs.
    given = list(Datasource.objects.filter(owner=giver).select_for_update(no_key=True).order_by("pk"))
    # Whoever makes or renames something holds its owner: no name is taken meanwhile.
    locked = User.objects.filter(pk__in=[giver.pk, taker.pk]).order_by("pk")
    list(locked.select_for_update(no_key=True))
    _hand_over_datasources(given, giver, taker)
    matters = _hand_over_matters(giver, taker)
    frameworks = _hand_over_frameworks(giver, taker)
    schedules, schedules_left = _hand_over_schedules(giver, taker)
    owned = Owned(datasources=len(given), matters=matters, frameworks=frameworks, schedules=schedules)
    if not owned:
        raise ValidationError(_nothing(schedules_left), code="taker")
    whose = f"of {giver.email} to {taker.email}"
    for datasource in given:
        note(by, AuditAct.HANDED, datasource, whose, datasource=datasource.pk)
    note(by, AuditAct.HANDED, giver, f"{whose} ({owned.in_log})")
    return Handed(owned=owned, schedules_left=schedules_left)


def _hand_over_datasources(given: list[Datasource], giver: User, taker: User) -> None:
    names = FreeNames(Datasource.objects.filter(owner=taker).values_list("name", flat=True))
    for datasource in given:
        datasource.name, datasource.owner = names.take(datasource.name, 120), taker
        datasource.save(update_fields=["name", "owner"])
        datasource.invitations.filter(email=taker.email).delete()
    Membership.objects.filter(datasource__in=given, user=taker).delete()
    Membership.objects.bulk_create(
        Membership(datasource=datasource, user=giver, role=Role.EDITOR) for datasource in given
    )
    widened([datasource.pk for datasource in given])


def _hand_over_matters(giver: User, taker: User) -> int:
    """How many."""
    shares = list(_matters(giver).select_related("matter").select_for_update(of=["self"]))
    for share in shares:
        share.matter.shares.update_or_create(person=taker, defaults={"role": Role.OWNER})
        share.role = Role.EDITOR
        share.save(update_fields=["role"])
    return len(shares)


def _hand_over_frameworks(giver: User, taker: User) -> int:
    """How many."""
    names = FreeNames(framework.name for framework in _frameworks(taker))
    given = _frameworks(giver)
    for framework in given:
        framework.name, framework.owner = names.take(framework.name, 200), taker
        framework.save(update_fields=["name", "owner"])
    return len(given)


def _hand_over_schedules(giver: User, taker: User) -> tuple[int, int]:
    """How many, and how many stay: as somebody who is no editor of the datasource they would never run."""
    rows = _schedules(giver)
    if rows is None:
        return 0, 0
    of = {row.pk: row.question_set.datasource for row in rows.select_related("question_set__datasource")}
    given = [pk for pk, datasource in of.items() if datasource.allows(taker, Role.EDITOR, even_archived=True)]
    rows.filter(pk__in=given).update(person=taker)
    return len(given), len(of) - len(given)


def _nothing(schedules_left: int) -> str:
    if schedules_left:
        return _("Evaluations run as this person only in datasources that the new owner may not edit.")
    return _("There is nothing to hand over.")

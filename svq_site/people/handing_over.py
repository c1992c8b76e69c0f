"""What somebody owns becomes another person's: datasources, frameworks, and the schedules of question sets.

Conversations are their author's alone and stay.
"""

from collections.abc import Collection
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.audit import note
from accounts.models import AuditAct, User
from compliance.models import Framework
from datasources.models import Datasource, Membership, Role
from evaluation.models import Schedule
from text.counted import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Owned:
    """How much somebody owns. Without names: these are not for every administrator."""

    datasources: int
    frameworks: int
    schedules: int

    def __bool__(self) -> bool:
        return bool(self.datasources or self.frameworks or self.schedules)

    def __str__(self) -> str:
        numbers = {
            "datasource": self.datasources,
            "framework": self.frameworks,
            "scheduled evaluation": self.schedules,
        }
        parts = [counted(number, noun) for noun, number in numbers.items() if number]
        return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))


def owned_by(person: User) -> Owned:
    return Owned(
        datasources=Datasource.objects.filter(owner=person).count(),
        frameworks=Framework.objects.filter(owner=person).count(),
        schedules=Schedule.objects.filter(person=person).count(),
    )


@transaction.atomic
def hand_over(giver: User, taker: User, *, by: User) -> Owned:
    """All that the giver owns. Where the taker has one of that name, a number is put behind it.

    The giver stays an editor of the datasources: what they have begun there goes on, and their conversations
    can still be read by them. Raises ValidationError.
    """
    if taker.pk == giver.pk or not taker.is_active:
        raise ValidationError("Choose another person, whose account is open.", code="taker")
    # Whoever makes or renames something holds its owner: no name is taken meanwhile.
    locked = User.objects.filter(pk__in=[giver.pk, taker.pk]).order_by("pk")
    list(locked.select_for_update(no_key=True))
    owned = owned_by(giver)
    _hand_over_datasources(giver, taker)
    taken = set(_lower(Framework.objects.filter(owner=taker).values_list("name", flat=True)))
    for framework in Framework.objects.filter(owner=giver).order_by("pk"):
        framework.name, framework.owner = _free(framework.name, taken, 200), taker
        framework.save(update_fields=["name", "owner"])
    Schedule.objects.filter(person=giver).update(person=taker)
    note(by, AuditAct.HANDED, giver, f"of {giver.email} to {taker.email}: {owned}")
    return owned


def _hand_over_datasources(giver: User, taker: User) -> None:
    taken = set(_lower(Datasource.objects.filter(owner=taker).values_list("name", flat=True)))
    given = list(Datasource.objects.filter(owner=giver).order_by("pk"))
    for datasource in given:
        datasource.name, datasource.owner = _free(datasource.name, taken, 120), taker
        datasource.save(update_fields=["name", "owner"])
        datasource.invitations.filter(email=taker.email).delete()
    Membership.objects.filter(datasource__in=given, user=taker).delete()
    Membership.objects.bulk_create(
        Membership(datasource=datasource, user=giver, role=Role.EDITOR) for datasource in given
    )


def _lower(names: Collection[str]) -> list[str]:
    return [name.lower() for name in names]


def _free(name: str, taken: set[str], longest: int) -> str:
    """The name, with the first number behind it that makes it one that the taker does not have; noted as
    taken.
    """
    number, free = 1, name
    while free.lower() in taken:
        number += 1
        behind = f" ({number})"
        free = name[: longest - len(behind)] + behind
    taken.add(free.lower())
    return free

"""What people do with matters: make them, put datasources and people into them, archive them.

Each function owns its transaction, and the caller has checked the role. The audit log gets no name of a
matter: whoever reads it need not know what a firm is working on.
"""

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts import addresses
from accounts.audit import note
from accounts.models import AuditAct, PeopleGroup, User
from datasources.models import Datasource, Matter, MatterShare, Role, widened
from datasources.refusals import Archived
from formats.base.characters import visible_name
from localization.numbers import numeral

LONGEST_NAME = 120
IS_ARCHIVED = gettext_lazy("This matter is archived: nothing in it can be changed. Open it again first.")


def find_matter(person: User, pk: int, needed: Role | None = None) -> Matter:
    """For a person with at least that role in it; None: for whoever sees it. Whoever was invited comes into
    it by that. Raises Http404, PermissionDenied.
    """
    matter = get_object_or_404(Matter.objects.visible_to(person), pk=pk)
    _accept(matter, person)
    # A token for some datasources would reach others by what it changes here.
    if needed is not None and (person.reach is not None or not matter.has_role(person, needed)):
        raise PermissionDenied
    return matter


@transaction.atomic
def _accept(matter: Matter, person: User) -> None:
    invited = matter.shares.filter(email__in=addresses.confirmed_addresses(person))
    for share in invited.select_for_update():
        share.delete()
        matter.shares.get_or_create(person=person, defaults={"role": share.role})


def may_open(matter: Matter, person: User) -> bool:
    """Who owns the matter, or a datasource in it: else it would stay shut once its owners have left."""
    return matter.has_role(person, Role.OWNER) or matter.datasources.filter(owner=person).exists()


def require_opener(matter: Matter, person: User) -> None:
    """Raises PermissionDenied."""
    if person.reach is not None or not may_open(matter, person):
        raise PermissionDenied


def _checked_name(name: str) -> str:
    name = visible_name(name)
    if not name:
        raise ValidationError(_("A matter needs a name. Nothing was changed."), code="name_missing")
    if len(name) > LONGEST_NAME:
        raise ValidationError(
            ngettext(
                "That name is longer than {n} character. Choose a shorter one.",
                "That name is longer than {n} characters. Choose a shorter one.",
                LONGEST_NAME,
            ).format(n=numeral(LONGEST_NAME)),
            code="name_long",
        )
    return name


def _held(matter: Matter, *, open_only: bool = True) -> Matter:
    """Its row as it is now, locked. Raises Http404 where it was deleted meanwhile, ValidationError."""
    now = get_object_or_404(Matter.objects.select_for_update(), pk=matter.pk)
    if open_only and now.archived:
        raise ValidationError(IS_ARCHIVED, code=Archived.code)
    return now


@transaction.atomic
def make_matter(name: str, *, by: User) -> Matter:
    """Its maker owns it. Raises ValidationError."""
    matter = Matter.objects.create(name=_checked_name(name))
    matter.shares.create(person=by, role=Role.OWNER)
    note(by, AuditAct.MATTER, matter, "made it")
    return matter


@transaction.atomic
def rename_matter(matter: Matter, name: str, *, by: User) -> None:
    """Raises ValidationError."""
    checked = _checked_name(name)
    _held(matter)
    matter.name = checked
    matter.save(update_fields=["name"])
    note(by, AuditAct.MATTER, matter, "renamed it")


@transaction.atomic
def put_in(matter: Matter, datasource: Datasource, *, by: User) -> None:
    """All that have a role in the matter have it there from now on. Raises ValidationError."""
    _held(matter)
    now = get_object_or_404(Datasource.objects.select_for_update(no_key=True), pk=datasource.pk)
    if now.matter_id not in (None, matter.pk):
        raise ValidationError(
            _("That datasource is in another matter. Take it out there first."), code="in_another_matter"
        )
    Datasource.objects.filter(pk=now.pk).update(matter=matter)
    widened([now.pk])
    note(by, AuditAct.MATTER, matter, "put a datasource into it", datasource=now.pk)


@transaction.atomic
def take_out(matter: Matter, datasource: Datasource, *, by: User) -> None:
    """Whoever sees it by the matter alone sees it no longer. Raises ValidationError; Http404 where it is not
    in the matter.
    """
    _held(matter)
    if not Datasource.objects.filter(pk=datasource.pk, matter=matter).update(matter=None):
        raise Http404
    note(by, AuditAct.MATTER, matter, "took a datasource out of it", datasource=datasource.pk)


@transaction.atomic
def share_matter(matter: Matter, email: str, role: Role, *, by: User) -> MatterShare:
    """With whoever has confirmed that address or will; or change the role given to it. What comes back tells
    of an account only where its person has been here already. Raises ValidationError.
    """
    email = email.strip().lower()
    _held(matter)
    if known := matter.shares.filter(person__email=email).first():
        return _given(known, role, by)
    share, _ = matter.shares.update_or_create(email=email, defaults={"role": role})
    note(by, AuditAct.MATTER, matter, f"{_noted(share)} as {role}")
    return share


@transaction.atomic
def share_matter_with_group(matter: Matter, group: PeopleGroup, role: Role, *, by: User) -> MatterShare:
    """Give all that are in the group a role, or change the one it has. Raises ValidationError."""
    _held(matter)
    share, _ = matter.shares.update_or_create(group=group, defaults={"role": role})
    note(by, AuditAct.MATTER, matter, f"{_noted(share)} as {role}")
    return share


@transaction.atomic
def change_share(share: MatterShare, role: Role, *, by: User) -> MatterShare:
    """Raises ValidationError, also where nobody would own the matter any more."""
    _held(share.matter)
    return _given(share, role, by)


def _given(share: MatterShare, role: Role, by: User) -> MatterShare:
    if role != Role.OWNER:
        _keep_an_owner(share)
    share.role = role
    share.save(update_fields=["role"])
    note(by, AuditAct.MATTER, share.matter, f"{_noted(share)} as {role}")
    return share


@transaction.atomic
def end_share(share: MatterShare, *, by: User) -> None:
    """Whoever sees the matter's datasources by it alone sees them no longer. Raises ValidationError."""
    _held(share.matter)
    _keep_an_owner(share)
    note(by, AuditAct.MATTER, share.matter, f"removed {_noted(share)}")
    share.delete()


def _keep_an_owner(besides: MatterShare) -> None:
    """Groups do not count: they may become empty."""
    owners = besides.matter.shares.filter(role=Role.OWNER, person__isnull=False)
    if besides.role == Role.OWNER and besides.person_id and not owners.exclude(pk=besides.pk).exists():
        raise ValidationError(
            _("This is the last person who owns the matter. Make somebody else an owner first."),
            code="last_owner",
        )


def _noted(share: MatterShare) -> str:
    """An address whose person has not come is a word of the owner's."""
    if share.group:
        return f"group {share.group.name}"
    return share.person.email if share.person else "an invited address"


def archive(matter: Matter, *, by: User) -> None:
    """Its datasources leave the lists and can only be read. Twice changes nothing."""
    _set_archived(matter, True, by)


def open_again(matter: Matter, *, by: User) -> None:
    """As it was before. Twice changes nothing."""
    _set_archived(matter, False, by)


@transaction.atomic
def _set_archived(matter: Matter, archived: bool, by: User) -> None:
    now = _held(matter, open_only=False)
    if bool(now.archived) == archived:
        return
    matter.archived = timezone.now() if archived else None
    matter.save(update_fields=["archived"])
    matter.datasources.update(archived=matter.archived)
    act, said = (AuditAct.ARCHIVED, "archived") if archived else (AuditAct.OPENED, "opened again")
    note(by, act, matter, said)
    for number in matter.datasources.values_list("pk", flat=True):
        note(by, act, matter, said, datasource=number)


@transaction.atomic
def delete_matter(matter: Matter, *, by: User) -> None:
    """Its datasources stay with their owners, open; who sees them by the matter alone sees them no longer."""
    _held(matter, open_only=False)
    note(by, AuditAct.DELETED, matter, "its datasources stay")
    matter.datasources.update(matter=None, archived=None)
    matter.delete()

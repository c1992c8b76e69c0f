"""Groups of people: administrators make them and say who is in them. What a provider's groups say of it is in
`accounts.identity.groups`.
"""

from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from accounts.audit import Actor, note, note_all
from accounts.models import AuditAct, GroupMember, PeopleGroup, User
from text.normal_forms.clean_form import is_seen, one_line

LONGEST_NAME = 100
TAKEN = "name_taken"  # the code of a refusal


@transaction.atomic
def make_group(name: str, *, by: Actor) -> PeopleGroup:
    """Without members. Raises ValidationError."""
    group = PeopleGroup(name=_checked(name))
    _save(group)
    note(by, AuditAct.GROUP, group, f"made {group.name}")
    return group


@transaction.atomic
def rename_group(group: PeopleGroup, name: str, *, by: Actor) -> None:
    """Raises ValidationError, also where somebody has deleted it meanwhile: saving would make it anew."""
    if PeopleGroup.objects.select_for_update().filter(pk=group.pk).first() is None:
        raise ValidationError(_("Somebody has deleted this group. Make another one."), code="name")
    checked = _checked(name, besides=group.pk)
    if checked != group.name:
        note(by, AuditAct.GROUP, group, f"renamed {group.name} to {checked}")
        group.name = checked
        _save(group)


@transaction.atomic
def delete_group(group: PeopleGroup, *, by: Actor) -> None:
    """What was shared with it is no longer shared with its members."""
    PeopleGroup.objects.select_for_update().filter(pk=group.pk).first()  # before its members, as elsewhere
    note(by, AuditAct.GROUP, group, f"deleted {group.name}")
    group.delete()


@transaction.atomic
def add_member(group: PeopleGroup, person: User, *, by: Actor) -> None:
    """By hand: no provider takes the person out again. Raises ValidationError: an administrator who may not
    see contents would give themselves what is shared with the group.
    """
    if isinstance(by, User) and person.pk == by.pk and not by.may_see_contents:
        raise ValidationError(
            _(
                "You can’t put yourself into a group: you may not see what belongs to others. "
                "Another administrator can."
            ),
            code="oneself",
        )
    add_members(group, [person], by=by)


@transaction.atomic
def add_members(group: PeopleGroup, people: Collection[User], *, by: Actor) -> None:
    """The same for many at once. The log has an entry for each: it says who may see what."""
    group = get_object_or_404(PeopleGroup.objects.select_for_update(no_key=True), pk=group.pk)
    GroupMember.objects.bulk_create(
        [GroupMember(group=group, person=person) for person in people],
        update_conflicts=True,
        unique_fields=["group", "person"],
        update_fields=["provider"],
    )
    note_all(by, AuditAct.GROUP, [(group, f"added {person.email} to {group.name}") for person in people])


@transaction.atomic
def remove_member(member: GroupMember, *, by: Actor) -> None:
    """Who was put in by a provider's groups comes back with the next sign-in."""
    remove_members([member], by=by)


@transaction.atomic
def remove_members(members: Collection[GroupMember], *, by: Actor) -> None:
    """The same for many at once, with their groups and people at hand."""
    said = [(each.group, f"removed {each.person.email} from {each.group.name}") for each in members]
    note_all(by, AuditAct.GROUP, said)
    GroupMember.objects.filter(pk__in=[each.pk for each in members]).delete()


def _checked(name: str, besides: int = 0) -> str:
    name = one_line(name)
    if not is_seen(name) or len(name) > LONGEST_NAME:
        raise ValidationError(
            _("A group’s name has 1 to {longest_name} characters.").format(longest_name=LONGEST_NAME),
            code="name",
        )
    if taken := PeopleGroup.objects.filter(name__iexact=name).exclude(pk=besides).first():
        raise _is_taken(taken.name)
    return name


def _save(group: PeopleGroup) -> None:
    """Raises ValidationError where somebody else was quicker with the name."""
    try:
        with transaction.atomic():
            group.save()
    except IntegrityError as error:
        raise _is_taken(group.name) from error


def _is_taken(name: str) -> ValidationError:
    return ValidationError(_("There is a group called “{name}” already.").format(name=name), code=TAKEN)

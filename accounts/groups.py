"""Groups of people: administrators make them and say who is in them. What a provider's groups say of it is in
`accounts.openid.groups`.
"""

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.audit import note
from accounts.models import AuditAct, GroupMember, PeopleGroup, User

LONGEST_NAME = 100


@transaction.atomic
def make_group(name: str, *, by: User) -> PeopleGroup:
    """Without members. Raises ValidationError."""
    group = PeopleGroup.objects.create(name=_checked(name))
    note(by, AuditAct.GROUP, group, f"made {group.name}")
    return group


@transaction.atomic
def rename_group(group: PeopleGroup, name: str, *, by: User) -> None:
    """Raises ValidationError."""
    checked = _checked(name, besides=group.pk)
    if checked != group.name:
        note(by, AuditAct.GROUP, group, f"renamed {group.name} to {checked}")
        group.name = checked
        group.save(update_fields=["name"])


@transaction.atomic
def delete_group(group: PeopleGroup, *, by: User) -> None:
    """What was shared with it is no longer shared with its members."""
    note(by, AuditAct.GROUP, group, f"deleted {group.name}")
    group.delete()


@transaction.atomic
def add_member(group: PeopleGroup, person: User, *, by: User) -> None:
    """By hand: no provider takes the person out again."""
    GroupMember.objects.update_or_create(group=group, person=person, defaults={"provider": None})
    note(by, AuditAct.GROUP, group, f"added {person.email} to {group.name}")


@transaction.atomic
def remove_member(member: GroupMember, *, by: User) -> None:
    """Who was put in by a provider's groups comes back with the next sign-in."""
    note(by, AuditAct.GROUP, member.group, f"removed {member.person.email} from {member.group.name}")
    member.delete()


def _checked(name: str, besides: int = 0) -> str:
    name = " ".join(name.replace("\0", "").split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise ValidationError(f"A group’s name has 1 to {LONGEST_NAME} characters.", code="name")
    if PeopleGroup.objects.filter(name__iexact=name).exclude(pk=besides).exists():
        raise ValidationError(f"There is a group called “{name}” already.", code="name")
    return name

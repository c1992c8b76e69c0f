"""Groups of people: administrators make them and say who is in them; a provider's groups may say so too."""

from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.db import transaction

from accounts.audit import note
from accounts.models import AuditAct, GroupMember, PeopleGroup, User
from accounts.openid.models import IdentityProvider

LONGEST_NAME = 100


@transaction.atomic
def make_group(name: str, *, by: User) -> PeopleGroup:
    """Without members. Raises ValidationError."""
    group = PeopleGroup.objects.create(name=_checked(name))
    note(by, AuditAct.GROUP, group, f"made {group.name}")
    return group


@transaction.atomic
def change_group(
    group: PeopleGroup, *, name: str, provider: IdentityProvider | None, claim: str, by: User
) -> None:
    """Another name, or another group of a provider. Whom the one before has put in is out until the next
    sign-in. Raises ValidationError.
    """
    claim = " ".join(claim.replace("\0", "").split()) if provider else ""
    if provider and not claim:
        raise ValidationError(f"Say what {provider.name} calls this group.", code="claim_missing")
    if (provider, claim) != (group.provider, group.claim):
        group.members.exclude(provider=None).delete()
    group.name, group.provider, group.claim = _checked(name, besides=group.pk), provider, claim
    group.save(update_fields=["name", "provider", "claim"])
    mapped = f", as {claim} of {provider.name}" if provider else ""
    note(by, AuditAct.GROUP, group, f"named {group.name}{mapped}")


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


def mapped_groups(provider: IdentityProvider, named: Collection[str]) -> list[int]:
    """The numbers of the groups that administrators have mapped those names to."""
    groups = PeopleGroup.objects.filter(provider=provider, claim__in=list(named)).exclude(claim="")
    return list(groups.values_list("pk", flat=True))


@transaction.atomic
def follow_provider(provider: IdentityProvider, person: User, groups: Collection[int]) -> None:
    """At a sign-in: the person is in these groups and in no others that this provider has put them into."""
    given = GroupMember.objects.filter(person=person, provider=provider).exclude(group__in=list(groups))
    for member in given.select_related("group"):
        note(person, AuditAct.GROUP, member.group, f"left {member.group.name}, by {provider.name}")
        member.delete()
    for group in PeopleGroup.objects.filter(pk__in=list(groups), provider=provider):
        _, is_new = GroupMember.objects.get_or_create(
            group=group, person=person, defaults={"provider": provider}
        )
        if is_new:
            note(person, AuditAct.GROUP, group, f"came into {group.name}, by {provider.name}")


def _checked(name: str, besides: int = 0) -> str:
    name = " ".join(name.replace("\0", "").split())
    if not 0 < len(name) <= LONGEST_NAME:
        raise ValidationError(f"A group’s name has 1 to {LONGEST_NAME} characters.", code="name")
    if PeopleGroup.objects.filter(name__iexact=name).exclude(pk=besides).exists():
        raise ValidationError(f"There is a group called “{name}” already.", code="name")
    return name

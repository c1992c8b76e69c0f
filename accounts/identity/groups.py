"""A provider's groups say who is in a group of people: administrators map one to the other."""

from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.audit import note
from accounts.groups import remove_member
from accounts.identity.models import IdentityProvider
from accounts.models import AuditAct, GroupMember, PeopleGroup, User


@transaction.atomic
def map_group(group: PeopleGroup, provider: IdentityProvider | None, claim: str, *, by: User) -> None:
    """claim: what the provider calls it. Whom the mapping before has put in is out until the next sign-in.

    Raises ValidationError.
    """
    claim = " ".join(claim.split()) if provider else ""
    if provider and not claim:
        raise ValidationError(
            _("Say what {name} calls this group.").format(name=provider.name), code="claim_missing"
        )
    if (provider, claim) == (group.provider, group.claim):
        return
    for member in group.members.exclude(provider=None).select_related("person", "group"):
        remove_member(member, by=by)
    group.provider, group.claim = provider, claim
    group.save(update_fields=["provider", "claim"])
    told = f"mapped {claim} of {provider.name} to" if provider else "mapped no group of a provider to"
    note(by, AuditAct.GROUP, group, f"{told} {group.name}")


def mapped_groups(provider: IdentityProvider, named: Collection[str]) -> list[int]:
    """The numbers of the groups that administrators have mapped those names to."""
    groups = PeopleGroup.objects.filter(provider=provider, claim__in=list(named)).exclude(claim="")
    return list(groups.values_list("pk", flat=True))


def take_out_all(provider: IdentityProvider) -> None:
    """Whom the provider has put into a group."""
    for person in User.objects.filter(group_members__provider=provider).distinct():
        follow_groups(provider, person, [])


@transaction.atomic
def follow_groups(provider: IdentityProvider, person: User, groups: Collection[int]) -> None:
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

"""Which datasources and documents a person may reach, and with which role: asked here by pages and by REST.

A stranger is told that there is nothing (Http404), a member whose role is too low that it is not allowed.
Whoever may only ask is a member of the datasource and of no document in it, but for what their answers cite.
What is archived is found to be read; whoever would change it is told so (Archived).
"""

from collections import defaultdict
from collections.abc import Collection, Sequence

from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.shortcuts import get_object_or_404

from accounts.addresses import people_by_address
from accounts.api_tokens import still_counts
from accounts.models import GroupMember, User
from datasources.models import (
    RANK,
    Datasource,
    Document,
    GroupShare,
    Invitation,
    MatterShare,
    Membership,
    Role,
    highest,
    is_at_least,
    roles_from,
)
from datasources.refusals import Archived

OF_MATTER = "matter__datasources"
LOOKS = frozenset({"GET", "HEAD", "OPTIONS"})  # methods that change nothing


def find_datasource(person: User, pk: int, needed: Role = Role.VIEWER, *, reads: bool) -> Datasource:
    """The datasource, for a person with at least that role. Raises Http404, PermissionDenied, Archived."""
    seen = Datasource.objects.visible_to(person, Role.ASKER)
    visible = seen.select_related("owner", "introduction", "matter")
    datasource = get_object_or_404(visible, pk=pk)
    require(datasource, person, needed, reads=reads)
    return datasource


def find_document(person: User, pk: int, needed: Role = Role.VIEWER, *, reads: bool) -> Document:
    """The document, older versions too, for a person with at least that role. Raises Http404,
    PermissionDenied, Archived.
    """
    seen = Document.objects.visible_to(person, min(needed, Role.VIEWER, key=RANK.__getitem__))
    seen = seen.select_related("datasource")
    document = get_object_or_404(seen, pk=pk)
    require(document.datasource, person, needed, reads=reads)
    return document


def require(datasource: Datasource, person: User, needed: Role, *, reads: bool = False) -> None:
    """Raises PermissionDenied where the role is too low; Archived where it would do, and they do more than
    read what is archived. The row came through `visible_to` the person; it is told as what they see it.
    """
    datasource.seen_as = datasource.role_of(person)
    if not is_at_least(datasource.seen_as, needed):
        raise PermissionDenied
    refuse_if_archived(datasource, reads=reads)
    person.needs |= {(datasource.pk, needed)}


def still_may(person: User) -> bool:
    """Whether the person has all rights to datasources that their request was found to have at its beginning,
    and as an administrator, by the same password: it may have taken minutes.
    """
    had = {name: True for name in ("is_active", "is_superuser", "may_see_contents") if getattr(person, name)}
    return (
        User.objects.filter(pk=person.pk, password=person.password, **had).exists()
        and still_counts(person)
        and all(
            Datasource.objects.visible_to(person, Role(needed)).filter(pk=datasource).exists()
            for datasource, needed in person.needs
        )
    )


def refuse_if_archived(datasource: Datasource, *, reads: bool) -> None:
    """Whatever the role. Raises Archived for whoever does more than read."""
    if datasource.archived and not reads:
        raise Archived


def roles_of(person: User, datasources: Sequence[Datasource]) -> dict[int, Role]:
    """The person's role in each of them, by number; those of a stranger are left out."""
    return {datasource: role for (_, datasource), role in roles_among([person], datasources).items()}


def roles_among(people: Collection[User], datasources: Sequence[Datasource]) -> dict[tuple[int, int], Role]:
    """The same of several people, by the numbers of both, in as many queries as of one. Where somebody is
    invited, that role: unlike `Datasource.role_of`, it makes nobody a member.
    """
    numbers, addresses = {each.pk for each in people}, people_by_address(people)
    member = Membership.objects.filter(user__in=numbers, datasource__in=datasources)
    invited = Invitation.objects.filter(email__in=addresses, datasource__in=datasources)
    own = {
        **{
            (addresses[to], number): role
            for to, number, role in invited.values_list("email", "datasource", "role")
        },
        **{(user, number): role for user, number, role in member.values_list("user", "datasource", "role")},
        **{(each.owner_id, each.pk): Role.OWNER for each in datasources if each.owner_id in numbers},
    }
    given = defaultdict(list, {pair: [role] for pair, role in own.items()})
    members_of: dict[int, set[int]] = defaultdict(set)
    for group, user in GroupMember.objects.filter(person__in=numbers).values_list("group", "person"):
        members_of[group].add(user)
    by_group = GroupShare.objects.filter(group__in=members_of, datasource__in=datasources)
    for number, role, group in by_group.values_list("datasource", "role", "group"):
        for user in members_of[group]:
            given[user, number].append(role)
    holders = Q(person__in=numbers) | Q(email__in=addresses) | Q(group__in=members_of)
    by_matter = MatterShare.objects.filter(holders, **{f"{OF_MATTER}__in": datasources})
    for number, role, user, address, group in by_matter.values_list(
        OF_MATTER, "role", "person", "email", "group"
    ):  # a share names one of the three
        for holder in members_of.get(group, {user or addresses.get(address, 0)}) & numbers:
            given[holder, number].append(role)
    highest_of = ((pair, highest(roles)) for pair, roles in given.items())
    return {pair: role for pair, role in highest_of if role}


def seen_by(person: User, datasources: Sequence[Datasource]) -> Sequence[Datasource]:
    """The same rows, each told as what the person sees it: what a list shows depends on it."""
    roles = roles_of(person, datasources)
    for each in datasources:
        each.seen_as = roles.get(each.pk)
    return datasources


def people_of(datasource: Datasource) -> list[User]:
    """Who may read its documents, by themselves, by a group or by its matter; of those who were invited only
    who has come.
    """
    readers = roles_from(Role.VIEWER)
    shares = MatterShare.objects.filter(matter=datasource.matter_id, role__in=readers)
    by_group = datasource.group_shares.filter(role__in=readers)
    groups = Q(group__in=by_group.values("group_id")) | Q(group__in=shares.values("group_id"))
    found = User.objects.filter(
        Q(pk=datasource.owner_id)
        | Q(pk__in=datasource.memberships.filter(role__in=readers).values("user_id"))
        | Q(pk__in=shares.filter(person__isnull=False).values("person_id"))
        | Q(pk__in=GroupMember.objects.filter(groups).values("person_id")),
        is_active=True,
    )
    return list(found.order_by("email"))

"""Which datasources and documents a person may reach, and with which role: asked here by pages and by REST.

A stranger is told that there is nothing (Http404), a member whose role is too low that it is not allowed.
"""

from collections import defaultdict
from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.shortcuts import get_object_or_404

from accounts.models import GroupMember, User
from datasources.models import Datasource, Document, GroupShare, Invitation, Membership, Role, highest


def find_datasource(person: User, pk: int, needed: Role = Role.VIEWER) -> Datasource:
    """The datasource, for a person with at least that role. Raises Http404, PermissionDenied."""
    visible = Datasource.objects.visible_to(person).select_related("owner", "introduction")
    datasource = get_object_or_404(visible, pk=pk)
    require(datasource, person, needed)
    return datasource


def find_document(person: User, pk: int, needed: Role = Role.VIEWER) -> Document:
    """The document, older versions too, for a person with at least that role. Raises Http404,
    PermissionDenied.
    """
    document = get_object_or_404(Document.objects.visible_to(person).select_related("datasource"), pk=pk)
    require(document.datasource, person, needed)
    return document


def require(datasource: Datasource, person: User, needed: Role) -> None:
    """Raises PermissionDenied where the role is too low. The row came through `visible_to` the person."""
    if not datasource.has_role(person, needed):
        raise PermissionDenied


def roles_of(person: User, datasources: Sequence[Datasource]) -> dict[int, Role]:
    """The person's role in each of them, by number; those of a stranger are left out. Where the person is
    invited, that role: unlike `Datasource.role_of`, it makes nobody a member.
    """
    by_group = GroupShare.objects.filter(group__members__person=person, datasource__in=datasources)
    invited = Invitation.objects.for_person(person).filter(datasource__in=datasources)
    member = Membership.objects.filter(user=person, datasource__in=datasources)
    own = {
        **dict(invited.values_list("datasource", "role")),
        **dict(member.values_list("datasource", "role")),
        **{each.pk: Role.OWNER for each in datasources if each.owner_id == person.pk},
    }
    given = defaultdict(list, {datasource: [role] for datasource, role in own.items()})
    for datasource, role in by_group.values_list("datasource", "role"):
        given[datasource].append(role)
    highest_of = ((datasource, highest(roles)) for datasource, roles in given.items())
    return {datasource: role for datasource, role in highest_of if role}


def people_of(datasource: Datasource) -> list[User]:
    """Who may read there, by themselves or by a group; of those who were invited only who has come."""
    members = Membership.objects.filter(datasource=datasource).values("user")
    of_groups = GroupMember.objects.filter(group__shares__datasource=datasource).values("person")
    found = Q(pk=datasource.owner_id) | Q(pk__in=members) | Q(pk__in=of_groups)
    return list(User.objects.filter(found, is_active=True).order_by("email"))

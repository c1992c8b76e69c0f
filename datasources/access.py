"""Which datasources and documents a person may reach, and with which role: asked here by pages and by REST.

A stranger is told that there is nothing (Http404), a member whose role is too low that it is not allowed.
"""

from collections.abc import Sequence

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404

from accounts.models import User
from datasources.models import Datasource, Document, Invitation, Membership, Role


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
    invited = Invitation.objects.for_person(person).filter(datasource__in=datasources)
    member = Membership.objects.filter(user=person, datasource__in=datasources)
    return {
        **{datasource: Role(role) for datasource, role in invited.values_list("datasource", "role")},
        **{datasource: Role(role) for datasource, role in member.values_list("datasource", "role")},
        **{each.pk: Role.OWNER for each in datasources if each.owner_id == person.pk},
    }

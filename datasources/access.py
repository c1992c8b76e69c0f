"""Which datasources and documents a person may reach, and with which role: asked here by pages and by REST.

A stranger is told that there is nothing (Http404), a member whose role is too low that it is not allowed.
"""

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404

from accounts.models import User
from datasources.models import Datasource, Document, Role


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

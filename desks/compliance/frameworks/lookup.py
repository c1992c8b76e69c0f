"""The framework of an address, for pages and REST."""

from django.core.exceptions import PermissionDenied
from django.shortcuts import get_object_or_404

from accounts.models import User
from desks.compliance.models import Framework


def framework_for(person: User, pk: int, *, own: bool = False) -> Framework:
    """Raises Http404 (stranger), PermissionDenied (`own`: somebody else's)."""
    found = get_object_or_404(Framework.objects.visible_to(person).select_related("owner"), pk=pk)
    if own and found.owner_id != person.pk:
        raise PermissionDenied
    return found

"""With whom something was shared, as the audit log names it."""

from django.http import HttpRequest
from rest_framework.request import Request

from accounts.audit import made_in_audit_log
from datasources.models import Invitation, Membership


def note_shared(request: HttpRequest | Request, shared: Membership | Invitation) -> None:
    """The request has shared a datasource with this person, or with an address that nobody has confirmed."""
    kind, number = ("member", shared.user_id) if isinstance(shared, Membership) else ("invitation", shared.pk)
    made_in_audit_log(request, kind, [number], shared.datasource_id)

"""What tests ask of the audit log."""

from django.db.models import QuerySet

from accounts.models import AuditAct, AuditEntry


def noted() -> QuerySet[AuditEntry]:
    """The newest first, but for sign-ins, as each client of a test signs in, and for a world's share link."""
    return AuditEntry.objects.exclude(act__in=[AuditAct.ENTERED, AuditAct.LEFT, AuditAct.SHARED])

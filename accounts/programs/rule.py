"""Whether people may let programs in at all, and where: at one address, that of MCP."""

from django.conf import settings
from django.db import transaction

from accounts.audit import note
from accounts.identity.addresses import is_safe
from accounts.models import AuditAct, TokenScope, User
from accounts.programs.models import ProgramRule

SCOPES = (TokenScope.READ, TokenScope.ASK)  # no tool of MCP needs another


def resource() -> str:
    """The only address where tokens of programs count."""
    return f"{settings.SITE_URL}/mcp"


def is_possible() -> bool:
    """Not where somebody on the way could read along: OAuth asks for HTTPS, but for this computer."""
    return is_safe(settings.SITE_URL)


def is_allowed() -> bool:
    """By the administrators."""
    return not ProgramRule.objects.filter(allowed=False).exists()


def is_offered() -> bool:
    return is_possible() and is_allowed()


@transaction.atomic
def allow(allowed: bool, *, by: User) -> None:
    """What was let in stays listed and gets nothing for as long as it is not allowed."""
    ProgramRule.objects.all().delete()
    rule = ProgramRule.objects.create(allowed=allowed)
    note(by, AuditAct.PROGRAM, rule, f"for everybody: {rule}")

"""Whether the person of a job may edit still: asked when it begins, which may be long after it was queued."""

from typing import TYPE_CHECKING

from django.utils.translation import gettext_noop

from datasources.models import Datasource, Role
from jobs.failures import Failure

if TYPE_CHECKING:
    from accounts.models import User


def no_editor(datasource: Datasource, person: "User | None", hint: str) -> Failure | None:
    """Why nothing is done for them; None where they may edit as things are now. hint: who can do what."""
    if person is not None and datasource.allows(person, Role.EDITOR, even_archived=True):
        return None
    message = gettext_noop(
        "The person who started it has no account any more, or can no longer edit this datasource."
    )
    return Failure(code="no_access", message=message, hint=hint)

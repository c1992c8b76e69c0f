"""Which documents are searched: all of a datasource, or a choice of them that never widens by itself.

A choice is a list of document ids, None means all. The newest version of a chosen document is searched; the
id of a deleted one stays in the choice, so that people can be told that it is gone.
"""

from collections.abc import Collection
from enum import Enum

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from datasources.models import Datasource


class Unchanged(Enum):
    """Stands for the choice that the conversation has now."""

    UNCHANGED = "unchanged"


UNCHANGED = Unchanged.UNCHANGED


def checked_choice(datasource: Datasource, document_ids: Collection[int] | None) -> list[int] | None:
    """The choice as it is stored. Raises ValidationError for an empty one, and for a foreign document."""
    if document_ids is None:
        return None
    ids = sorted(set(document_ids))
    if not ids:
        raise ValidationError(
            _("No document is chosen. Choose at least one, or search all documents."), code="no_documents"
        )
    if datasource.documents.current().filter(pk__in=ids).count() < len(ids):
        raise ValidationError(
            _("One of the chosen documents is not in this datasource. Choose again."), code="foreign_document"
        )
    return ids


def remaining_choice(datasource: Datasource, document_ids: Collection[int] | None) -> list[int] | None:
    """The documents that a stored choice means now. Raises ValidationError when all were deleted."""
    if document_ids is None:
        return None
    if not (left := datasource.documents.newest_versions(document_ids)):
        raise ValidationError(
            _(
                "The chosen documents have been deleted, so there is nothing to search. Choose others, or "
                "all documents, and ask again."
            ),
            code="no_documents",
        )
    return sorted(left)

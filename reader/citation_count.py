"""How often a chunk is cited: a column for queries of chunks, supplied by the app that has the citations."""

from django.conf import settings
from django.db.models import Expression
from django.utils.module_loading import import_string

from accounts.models import User


def citation_count(person: User) -> Expression:
    """How many citations of a chunk stand in the answers that the person was given."""
    count: Expression = import_string(settings.CHUNK_CITATION_COUNT)(person)
    return count

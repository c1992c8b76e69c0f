"""The citations that a person was given, for pages of the rooms below that count them."""

from accounts.models import User
from chat.models import Citation, CitationQuerySet


def citations_given_to(person: User) -> CitationQuerySet:
    """Named by settings.CITATIONS_GIVEN_TO."""
    return Citation.objects.given_to(person)

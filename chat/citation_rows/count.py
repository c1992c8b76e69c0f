"""How often a chunk is cited in a person's answers, for the pages of the reader."""

from django.db.models import Count, Expression, OuterRef, Subquery
from django.db.models.functions import Coalesce

from accounts.models import User
from chat.models import Citation


def citations_of_chunk(person: User) -> Expression:
    """A column of a query of chunks; settings.CHUNK_CITATION_COUNT names it."""
    given = Citation.objects.given_to(person).filter(chunk_id_hint=OuterRef("pk")).order_by()
    counts = given.values("chunk_id_hint").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counts), 0)

"""The text around passages in their documents."""

from collections.abc import Collection

from django.db.models import F, IntegerField, OuterRef, Subquery
from django.db.models.functions import Cast, Left, Right

from ingestion.models import Chunk, Page

LENGTH = 300  # characters, in which a sentence has mostly begun


def texts_before(chunk_ids: Collection[int]) -> dict[int, str]:
    """The text before each chunk, on its first page or on the page before; none where a document begins."""
    pages = Page.objects.filter(
        document=OuterRef("document"),
        number__gte=OuterRef("first_page") - 1,
        number__lte=OuterRef("first_page"),
        start__lt=OuterRef("start"),
    )
    until = Cast(OuterRef("start") - F("start"), IntegerField())
    before = pages.order_by("-number").values(part=Right(Left("text", until), LENGTH))[:1]
    chunks = Chunk.objects.filter(pk__in=chunk_ids).annotate(before=Subquery(before))
    return {pk: text or "" for pk, text in chunks.order_by().values_list("pk", "before")}

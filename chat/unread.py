"""Documents that were still being read when a question was asked: the answer says nothing of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import ngettext

from answering.values.events import Notice
from datasources.models import Document
from localization.in_english import in_english
from localization.lists import quoted
from localization.numbers import numeral
from retrieval.query import Scope

CODE = "unread"
KEPT = 1_000  # documents; of more, the first by their titles
NAMED = 5  # in the sentence


def still_being_read(scope: Scope) -> Notice | None:
    """Which documents that the question searches cannot be searched yet, a new version included; None where
    all can.
    """
    documents = Document.objects.filter(datasource=scope.datasource_id).unfinished()
    if scope.document_ids is not None:
        documents = documents.filter(pk__in=scope.document_ids)
    rows = documents.order_by("title", "pk").values("pk", "title")[:KEPT]
    named = [{"document": row["pk"], "title": row["title"]} for row in rows]
    if not named:
        return None
    with in_english():
        return Notice(code=CODE, text=sentence(named), documents=named)


def sentence(documents: Sequence[Mapping[str, Any]]) -> str:
    """What a reader is told of them, in the reader's language."""
    told = ngettext(
        "{n} document was not yet read when this was asked: {titles}.",
        "{n} documents were not yet read when this was asked: {titles}.",
        len(documents),
    )
    titles = quoted([each["title"] for each in documents], NAMED)
    return told.format(n=numeral(len(documents)), titles=titles)

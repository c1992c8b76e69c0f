"""What notes and memos have kept of citations, as things are now: a file may have been deleted since."""

from collections.abc import Container, Iterable, Mapping
from typing import Any

from django.urls import reverse

from chat.wording import FILE_DELETED, ON_PAGE
from datasources.models import Document, DocumentStatus

KeptSource = Mapping[str, Any]


def documents_of(datasource_id: int, sources: Iterable[KeptSource]) -> dict[int, Document]:
    """Those that are there, by their ids."""
    named = {source["document"] for source in sources} - {None}
    documents = Document.objects.filter(datasource=datasource_id).exclude(status=DocumentStatus.DELETED)
    return documents.in_bulk(named)


def as_now(source: KeptSource, datasource_id: int, there: Container[int]) -> dict[str, Any]:
    """The source with the `address` of its page in the reader, empty without one. there: the ids of the
    documents that are.
    """
    if not source["title"] or source["document"] in there:
        return {**source, "address": _address(source, datasource_id)}
    return {**source, "address": "", "said": source["said"].replace(ON_PAGE, FILE_DELETED, 1)}


def _address(source: KeptSource, datasource_id: int) -> str:
    if not source["document"] or not source["pages"]:
        return ""
    return f"{reverse('reader', args=[datasource_id, source['document']])}?page={source['pages'][0]}"

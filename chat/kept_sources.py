"""What notes and memos have kept of citations, as things are now: a file may have been deleted since."""

from collections.abc import Container, Iterable, Mapping
from itertools import product
from typing import Any

from django.urls import reverse

from chat.wording import FILE_DELETED, ON_PAGE, together
from citations.where import REMARKS, where
from datasources.models import Document, DocumentStatus
from english.contracts.clauses import clause_cited
from localization.in_english import in_english
from localization.stored import Said, said, told

KeptSource = Mapping[str, Any]


def documents_of(datasource_id: int, sources: Iterable[KeptSource]) -> dict[int, Document]:
    """Those that are there, by their ids."""
    named = {source["document"] for source in sources} - {None}
    documents = Document.objects.filter(datasource=datasource_id).exclude(status=DocumentStatus.DELETED)
    return documents.in_bulk(named)


def as_now(source: KeptSource, datasource_id: int, there: Container[int]) -> dict[str, Any]:
    """The source with the `address` of its page in the reader, empty without one; what is said of it is told
    to the reader. there: the ids of the documents that are.
    """
    now = {name: value for name, value in source.items() if name != "words"}
    is_gone = bool(source["title"]) and source["document"] not in there
    address = "" if is_gone else _address(source, datasource_id)
    said_of_it = _said(source, is_gone=is_gone)
    return {**now, "address": address, "where": _where(source), "said": said_of_it}


def _where(source: KeptSource) -> str:
    """In the reader's language, unless the file has words of its own for the place."""
    clauses = {"", clause_cited(source["title"], source["quote"])}
    for clause, remark in product(clauses, ("", *sorted(REMARKS))):
        with in_english():
            is_it = where(source["pages"], remark, clause) == source["where"]
        if is_it:
            return where(source["pages"], remark, clause)
    return str(source["where"])


def _said(source: KeptSource, *, is_gone: bool) -> str:
    """In the reader's language; one that was kept before its words were, as far as the catalogue has it."""
    kept = source.get("words")
    words = kept if isinstance(kept, list) and kept else []
    with in_english():
        is_of_text = bool(words) and together(map(Said, words)) == source["said"]
    if not is_of_text:
        text = source["said"]
        return told(text.replace(ON_PAGE, FILE_DELETED, 1) if is_gone else text)
    if is_gone and words[0] == said(ON_PAGE).words:
        words = [said(FILE_DELETED).words, *words[1:]]
    return together(map(Said, words))


def _address(source: KeptSource, datasource_id: int) -> str:
    if not source["document"] or not source["pages"]:
        return ""
    return f"{reverse('reader', args=[datasource_id, source['document']])}?page={source['pages'][0]}"

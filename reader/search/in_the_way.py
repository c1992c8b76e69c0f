"""When filters leave no results: how much passes them, what is found without them, and which to drop."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from datasources.models import Datasource, Document
from reader.search.asked import Asked
from reader.search.finding import count_documents, find, scope_of
from retrieval.engine.embedders import SharedEmbedders
from retrieval.legs.mentions import mentions
from retrieval.slots import MOST_DATASOURCES


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """A filter without which something is found, with the search without it."""

    name: str
    passages: int
    asked: Asked


@dataclass(frozen=True, slots=True, kw_only=True)
class InTheWay:
    """`documents` pass all filters; `passages` are found without any, more where it `is_cut`."""

    documents: int
    passages: int
    is_cut: bool
    drops: Sequence[Drop]


def in_the_way(
    asked: Asked,
    datasources: Sequence[Datasource],
    every: Sequence[Datasource],
    person_id: int,
    embedders: SharedEmbedders,
) -> InTheWay:
    """datasources: those that were searched. every: those that are without a filter. Raises TooSlow."""
    every = every[:MOST_DATASOURCES]
    by_document, is_cut = _found_without(asked.without_filters, every, person_id, embedders)
    drops = []
    for name in asked.filters_set:
        wider, searched = asked.without(name), every if name == "datasource" else datasources
        if passages := _passing(by_document, wider, searched, person_id):
            drops.append(Drop(name=name, passages=passages, asked=replace(wider, everywhere=False)))
    return InTheWay(
        documents=count_documents(asked, datasources, person_id),
        passages=sum(by_document.values()),
        is_cut=is_cut,
        drops=drops,
    )


def _found_without(
    asked: Asked, datasources: Sequence[Datasource], person_id: int, embedders: SharedEmbedders
) -> tuple[Mapping[int, int], bool]:
    """Passages by document, and whether there may be more."""
    if asked.exact:
        scopes = [scope_of(datasource, asked, person_id) for datasource in datasources]
        counted = mentions(scopes, asked.text)
        return {each.document_id: each.passages for each in counted.documents}, False
    found = find(asked, datasources, person_id, embedders)
    return Counter(passage.evidence.document_id for passage in found.passages), found.is_cut


def _passing(
    by_document: Mapping[int, int], asked: Asked, datasources: Sequence[Datasource], person_id: int
) -> int:
    """How many of the passages are in documents that pass the filters."""
    scopes = {each.pk: scope_of(each, asked, person_id).document_ids for each in datasources}
    homes = Document.objects.filter(pk__in=by_document, datasource__in=scopes)
    return sum(
        by_document[pk]
        for pk, home in homes.values_list("pk", "datasource_id")
        if (passing := scopes[home]) is None or pk in passing
    )

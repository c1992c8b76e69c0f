"""The documents of a request to `rag/`: those it names, or all that the person may search."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from accounts.models import User
from datasources.models import UNFINISHED, Datasource, Document, DocumentQuerySet, DocumentStatus, Role
from datasources.models.outside_ids import SUBJECT_ID
from retrieval.api.document_ids import Id, number_of
from retrieval.api.refusals import Code, Refusal
from retrieval.engine.filters import has
from retrieval.query import Scope
from retrieval.slots import MOST_DATASOURCES

NAMED = 5  # documents that a message lists


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """What to do about a refusal, in the terms of the interface that was used."""

    datasources: str  # how to see which there are
    documents: str
    being_read: str
    not_read: str
    too_many: str


REST = Hints(
    datasources="GET data-sources lists those that there are.",
    documents="GET data-sources/{id}/documents lists those that there are.",
    being_read="Ask again when GET documents/{id} says “ready”.",
    not_read="GET documents/{id} says why; retry it, or leave it out.",
    too_many="Send the documents in several requests.",
)


def scopes_of(
    person: User,
    ids: Collection[Id] | None,
    datasource: int | None = None,
    hints: Hints = REST,
    subject: Id | None = None,
    needed: Role = Role.VIEWER,
) -> list[Scope]:
    """One for each datasource that has ready documents among those; None means all, of the datasources that
    changed last. Of a subject: those of its documents alone. Raises Refusal.
    """
    documents = Document.objects.visible_to(person, needed).current()
    if subject is not None:
        documents = documents.filter(has(SUBJECT_ID, subject))
        if ids is None:
            ids = _all_of(documents)
            if not ids:
                nothing = f"No document that you may search is of the subject “{subject}”."
                raise Refusal(Code.NO_DOCUMENTS, nothing, hints.documents)
    if datasource is not None:
        documents = documents.filter(datasource=datasource)
        if not Datasource.objects.visible_to(person, needed).filter(pk=datasource).exists():
            raise Refusal(
                Code.NO_DOCUMENTS,
                f"There is no datasource {datasource} that you may search.",
                hints.datasources,
            )
    if ids is None:
        return _everywhere(person, documents if datasource else documents.filter(datasource__archived=None))
    chosen: dict[int, set[int]] = defaultdict(set)
    for document in _ready(documents, ids, hints):
        chosen[document.datasource_id].add(document.pk)
    if len(chosen) > MOST_DATASOURCES:
        raise Refusal(
            Code.SEVERAL_DATASOURCES,
            f"These documents are in {len(chosen)} datasources; {MOST_DATASOURCES} are searched at once.",
            hints.too_many,
        )
    return [
        Scope(user_id=person.pk, datasource_id=datasource, document_ids=frozenset(numbers))
        for datasource, numbers in sorted(chosen.items())
    ]


def _all_of(documents: DocumentQuerySet) -> list[Id]:
    """Those that can be searched, as long as there are any."""
    listed = documents.filter(datasource__archived=None)
    return list((listed.ready() if listed.ready().exists() else listed).values_list("pk", flat=True))


def _everywhere(person: User, documents: DocumentQuerySet) -> list[Scope]:
    ready = documents.ready().order_by().values("datasource")
    latest = Datasource.objects.filter(pk__in=ready).order_by("-updated").values_list("pk", flat=True)
    if ids := sorted(latest[:MOST_DATASOURCES]):
        return [Scope(user_id=person.pk, datasource_id=pk) for pk in ids]
    if documents.unfinished().exists():
        raise Refusal(
            Code.PROCESSING_INCOMPLETE, "Your documents are still being read.", "Ask again when one is ready."
        )
    raise Refusal(
        Code.NO_DOCUMENTS, "There is no document that you may search.", "Add one, or have somebody share one."
    )


def _ready(documents: DocumentQuerySet, ids: Collection[Id], hints: Hints) -> list[Document]:
    """Those documents, all of them ready to be searched. Raises Refusal."""
    if not ids:
        raise Refusal(
            Code.NO_DOCUMENTS, "The list of documents is empty.", "Name at least one, or leave the list out."
        )
    found, unknown = _found(documents, ids)
    if unknown:
        raise Refusal(
            Code.NO_DOCUMENTS,
            f"There is no document {_listed(unknown)} that you may search.",
            hints.documents,
        )
    reading = [document.pk for document in found if document.status in UNFINISHED]
    if reading:
        raise Refusal(
            Code.PROCESSING_INCOMPLETE,
            f"Still being read: document {_listed(reading)}.",
            hints.being_read,
        )
    if failed := [document.pk for document in found if document.status != DocumentStatus.READY]:
        raise Refusal(
            Code.PROCESSING_INCOMPLETE,
            f"Not fully read: document {_listed(failed)}.",
            hints.not_read,
        )
    return found


def _found(documents: DocumentQuerySet, ids: Collection[Id]) -> tuple[list[Document], list[Id]]:
    """Those that have these ids, and the ids that none has. Several datasources may have the same document
    of another program: it is searched in each.
    """
    names = {id for id in ids if isinstance(id, str)}
    called = list(documents.called(names)) if names else []
    nobodys = names.difference(*(document.external_ids for document in called))
    asked: dict[int, Id] = {id: id for id in ids if isinstance(id, int)}
    asked |= {number: name for name in nobodys if (number := number_of(name))}
    found = documents.in_bulk(list(asked))
    unknown: list[Id] = [id for number, id in sorted(asked.items()) if number not in found]
    unknown += sorted(nobodys.difference(str(id) for id in asked.values()))
    return list({**found, **{document.pk: document for document in called}}.values()), unknown


def _listed(numbers: Sequence[Id]) -> str:
    """“3”, “3, 5 and 7”, “3, 5, 7, 9, 11 and 20 more”."""
    shown = [str(number) for number in numbers[:NAMED]]
    rest = len(numbers) - len(shown)
    last = f"{rest} more" if rest else shown.pop() if len(shown) > 1 else ""
    return f"{', '.join(shown)} and {last}" if last else shown[0]

"""The documents of a request to `rag/`: those it names, or all that the person may search."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.core.exceptions import ValidationError

from accounts.models import User
from datasources.models import UNFINISHED, Datasource, Document, DocumentQuerySet, DocumentStatus, Role
from datasources.models.outside_ids import SUBJECT_ID
from datasources.refusals import in_parts
from datasources.whose_ids import meant
from retrieval.api.document_ids import Id
from retrieval.api.refusals import Code, Refusal
from retrieval.engine.filters import has
from retrieval.query import Scope
from retrieval.slots import MOST_DATASOURCES

NAMED = 5  # documents that a message lists
MOST_OF_SUBJECT = 20_000  # documents that are searched, the newest


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
    if datasource is not None:
        documents = documents.filter(datasource=datasource)
        if not Datasource.objects.visible_to(person, needed).filter(pk=datasource).exists():
            raise Refusal(
                Code.NO_DOCUMENTS,
                f"There is no datasource {datasource} that you may search.",
                hints.datasources,
            )
    if ids is None:
        if subject is None:
            listed = documents if datasource else documents.filter(datasource__archived=None)
            return _everywhere(person, listed)
        of_subject = documents.filter(has(SUBJECT_ID, subject), datasource__archived=None)
        return _scopes(person, _latest_of(of_subject, subject, hints))
    chosen = _ready(person, documents, ids, hints)
    if subject is not None:
        numbers = {document.pk for document in chosen}
        of_subject = documents.filter(has(SUBJECT_ID, subject), pk__in=numbers)
        numbers &= set(of_subject.values_list("pk", flat=True))
        chosen = [document for document in chosen if document.pk in numbers]
        if not chosen:
            raise _not_of(subject, hints)
    scopes = _scopes(person, [(document.datasource_id, document.pk) for document in chosen])
    if len(scopes) > MOST_DATASOURCES:
        raise Refusal(
            Code.SEVERAL_DATASOURCES,
            f"These documents are in {len(scopes)} datasources; {MOST_DATASOURCES} are searched at once.",
            hints.too_many,
        )
    return scopes


def _scopes(person: User, pairs: Iterable[tuple[int, int]]) -> list[Scope]:
    """pairs: of a datasource and a document in it."""
    chosen: dict[int, set[int]] = defaultdict(set)
    for datasource, document in pairs:
        chosen[datasource].add(document)
    return [
        Scope(user_id=person.pk, datasource_id=datasource, document_ids=frozenset(numbers))
        for datasource, numbers in sorted(chosen.items())
    ]


def _latest_of(documents: DocumentQuerySet, subject: Id, hints: Hints) -> list[tuple[int, int]]:
    """Those of the subject that can be searched: the newest, of the datasources that changed last."""
    ready = documents.ready()
    numbers = ready.order_by().values("datasource")
    latest = Datasource.objects.filter(pk__in=numbers).order_by("-updated")[:MOST_DATASOURCES]
    newest = ready.filter(datasource__in=list(latest)).order_by("-created", "-pk")
    if pairs := list(newest.values_list("datasource", "pk")[:MOST_OF_SUBJECT]):
        return pairs
    if documents.unfinished().exists():
        raise Refusal(
            Code.PROCESSING_INCOMPLETE,
            f"The documents of the subject “{subject}” are still being read.",
            hints.being_read,
        )
    raise _not_of(subject, hints)


def _not_of(subject: Id, hints: Hints) -> Refusal:
    nothing = f"No document that you may search is of the subject “{subject}”."
    return Refusal(Code.NO_DOCUMENTS, nothing, hints.documents)


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


def _ready(person: User, documents: DocumentQuerySet, ids: Collection[Id], hints: Hints) -> list[Document]:
    """Those documents, all of them ready to be searched. Raises Refusal."""
    if not ids:
        raise Refusal(
            Code.NO_DOCUMENTS, "The list of documents is empty.", "Name at least one, or leave the list out."
        )
    found, unknown = _found(person, documents, ids)
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


def _found(person: User, documents: DocumentQuerySet, ids: Collection[Id]) -> tuple[list[Document], list[Id]]:
    """Those that have these ids, and the ids that none has. Raises Refusal."""
    try:
        own = meant(person, {id for id in ids if isinstance(id, str)}, documents, or_numbers=True)
    except ValidationError as several:
        told = in_parts(several)
        raise Refusal(Code.SEVERAL_DATASOURCES, told["message"], told["hint"]) from None
    found = documents.in_bulk([id for id in ids if isinstance(id, int)])
    unknown = [id for id in dict.fromkeys(ids) if id not in found and id not in own]
    called = {row.pk: row for rows in own.values() for row in _that_answer(rows)}
    return list({**found, **called}.values()), unknown


def _that_answer(rows: Sequence[Document]) -> list[Document]:
    """A version answers until the next one is read."""
    there = {row.pk for row in rows}
    return [row for row in rows if row.replaces_id not in there]


def _listed(numbers: Sequence[Id]) -> str:
    """“3”, “3, 5 and 7”, “3, 5, 7, 9, 11 and 20 more”."""
    shown = [str(number) for number in numbers[:NAMED]]
    rest = len(numbers) - len(shown)
    last = f"{rest} more" if rest else shown.pop() if len(shown) > 1 else ""
    return f"{', '.join(shown)} and {last}" if last else shown[0]

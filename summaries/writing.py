"""Having summaries written: of each chunk, then of each document from those of its chunks."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from datasources.models import Datasource, Document, DocumentStatus
from graph.extraction.llm.budget import month_budget, payer_of
from graph.extraction.llm.extractor import Outcome
from ingestion.models import Chunk
from providers.language_models import structured_model
from providers.protocols import StructuredModel
from providers.roles import ModelRole, endpoint
from summaries.models import ChunkSummary, DocumentSummary, SummarySettings
from summaries.summariser import Summariser, of_chunk, of_document

AT_ONCE = 200  # chunks whose texts are read from the database together
PASSAGES = 40  # summaries of chunks, spread over a document, that its own is made from
ANSWER = 60  # tokens that a summary is expected to have
NO_MODEL = "No language model is connected, or a monthly budget is used up."
OVER_BUDGET = "The monthly budget for language models has no room for more."


def left(datasource: Datasource) -> QuerySet[Chunk]:
    """The chunks that can be found and have not been summarised."""
    chunks = Chunk.objects.searchable().filter(datasource=datasource)
    told = ChunkSummary.objects.filter(chunk=OuterRef("pk"))
    return chunks.exclude(Exists(told)).order_by("document_id", "index")


def _documents_without(datasource: Datasource) -> QuerySet[Document]:
    return Document.objects.ready().filter(datasource=datasource, summary__isnull=True)


def documents_left(datasource: Datasource) -> QuerySet[Document]:
    """Ready documents without a summary whose chunks have theirs."""
    told = ChunkSummary.objects.written().filter(document=OuterRef("pk"))
    open_ = left(datasource).order_by().filter(document=OuterRef("pk"))
    return _documents_without(datasource).filter(Exists(told), ~Exists(open_))


def count_left(datasource: Datasource) -> int:
    """How many summaries `write` may have written: of chunks, and of their documents."""
    return left(datasource).count() + _documents_without(datasource).count()


def write(datasource: Datasource, go_on: Callable[[int], None]) -> str:
    """Have all written that is left, as far as budget and server go; gives why some are left, or "".

    Each answer is kept before the next is looked at. `go_on` is called with the number of summaries that
    were just kept; what it raises ends the writing.
    """
    payer = payer_of(datasource, ModelRole.EXTRACTION, month_budget(datasource), ANSWER)
    model = structured_model(datasource, ModelRole.EXTRACTION, payer)
    if model is None:
        return NO_MODEL
    while chunks := list(left(datasource).select_related("document")[:AT_ONCE]):
        by_text: dict[str, list[Any]] = defaultdict(list)
        for chunk in chunks:
            by_text[of_chunk(chunk.document.title, chunk.section, chunk.text)].append(chunk)
        if problem := _ask(datasource, model, "chunk", by_text, _keep_chunks, go_on):
            return problem
    while documents := list(documents_left(datasource)[:AT_ONCE]):
        by_text = defaultdict(list)
        for document in documents:
            by_text[of_document(document.title, _said_of(document))].append(document)
        if problem := _ask(datasource, model, "document", by_text, _keep_documents, go_on):
            return problem
    return ""


def _ask(
    datasource: Datasource,
    model: StructuredModel,
    subject: str,
    by_text: Mapping[str, Sequence[Any]],
    keep: Callable[[StructuredModel, Outcome[str], Sequence[Any]], None],
    go_on: Callable[[int], None],
) -> str:
    """Why not all of them were asked about, or ""."""
    asker = Summariser(model=model, concurrency=settings.GRAPH_CONCURRENCY, subject=subject)

    def kept(outcomes: Iterable[Outcome[str]]) -> None:
        count = 0
        for outcome in outcomes:
            if outcome.reading is not None or not asker.gave_up:
                keep(model, outcome, by_text[outcome.text])
                count += len(by_text[outcome.text])
        go_on(count)

    asker.read_all(list(by_text), kept)
    return asker.gave_up or (OVER_BUDGET if asker.is_held else "")


def _said_of(document: Document) -> list[str]:
    told = ChunkSummary.objects.written().filter(document=document).order_by("chunk__index")
    texts = list(told.values_list("text", flat=True))
    step = max(1, len(texts) / PASSAGES)
    return [texts[int(place * step)] for place in range(min(PASSAGES, len(texts)))]


@transaction.atomic
def _keep_chunks(model: StructuredModel, outcome: Outcome[str], chunks: Sequence[Chunk]) -> None:
    """Nothing is stored for chunks that were deleted meanwhile."""
    ids = [chunk.pk for chunk in chunks]
    there = Chunk.objects.filter(pk__in=ids).select_for_update(no_key=True).order_by("pk")
    ChunkSummary.objects.bulk_create(
        [
            ChunkSummary(chunk=chunk, document_id=chunk.document_id, **_columns(model, outcome, chunk))
            for chunk in there
        ],
        ignore_conflicts=True,
    )


@transaction.atomic
def _keep_documents(model: StructuredModel, outcome: Outcome[str], documents: Sequence[Document]) -> None:
    ids = [document.pk for document in documents]
    there = Document.objects.filter(pk__in=ids, status=DocumentStatus.READY)
    DocumentSummary.objects.bulk_create(
        [
            DocumentSummary(document=document, **_columns(model, outcome, document))
            for document in there.select_for_update(no_key=True).order_by("pk")
        ],
        ignore_conflicts=True,
    )


def _columns(model: StructuredModel, outcome: Outcome[str], subject: Chunk | Document) -> dict[str, Any]:
    return {
        "datasource_id": subject.datasource_id,
        "text": outcome.reading or "",
        "error": "" if outcome.reading else outcome.error,
        "model": model.name[:200],
    }


def switch(datasource: Datasource, *, enabled: bool) -> None:
    """Switch summaries on or off; those that are there stay. On, what has failed is tried again.

    Raises ValidationError where no language model could write them.
    """
    if enabled and endpoint(datasource, ModelRole.EXTRACTION) is None:
        raise ValidationError(
            _("No language model is connected, so nothing is summarised. An administrator can connect one."),
            code="no_model",
        )
    SummarySettings.objects.update_or_create(
        datasource=datasource, defaults={"enabled": enabled, "problem": ""}
    )
    if enabled:
        for model in (ChunkSummary, DocumentSummary):
            model.objects.failed().filter(datasource=datasource).delete()

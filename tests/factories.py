"""Rows as reading and answering would leave them, made directly so that most tests need no worker."""

import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.core.files.base import ContentFile

from accounts.models import User
from chat.models import Citation, Conversation, Turn, TurnStatus
from citations.choices import ConfirmedBy, OnPage, Support
from citations.marks import mark
from datasources.models import Datasource, Document, DocumentStatus
from formats.word.format import WORD
from ingestion import structure_rows
from ingestion.adding.upload import accept_upload
from ingestion.indexes import search_index
from ingestion.models import Chunk, ChunkEmbedding, Page, Section, SpaceStatus, VectorSpace

SAMPLE = Path(__file__).resolve().parent.parent / "samples" / "security-questionnaire.pdf"
TEXT = "Backups are kept for thirty days in a second region."


def make_document(
    datasource: Datasource, title: str = "Questionnaire", text: str = TEXT, **more: Any
) -> Document:
    """A ready document of one page and one chunk; its file is a real PDF of two pages."""
    content = SAMPLE.read_bytes() + f"\n%{title}{text}".encode()
    document = Document(
        datasource=datasource,
        title=title,
        filename=f"{title}.pdf",
        mime="application/pdf",
        size=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        status=DocumentStatus.READY,
        page_count=1,
        chunk_count=1,
    )
    for name, value in more.items():
        setattr(document, name, value)
    document.file.save(document.filename, ContentFile(content))
    Page.objects.create(document=document, number=1, text=text, width=595, height=842)
    chunk = make_chunk(document, text)
    search_index.index_all([chunk])
    if "\t" in text:
        structure_rows.rebuild(document)
    return document


def chunk_of(document: Document, text: str, *, index: int = 0, start: int = 0, page: int = 1) -> Chunk:
    """That text of the page as a chunk, not stored. start: its place in the document's text."""
    return Chunk(
        datasource_id=document.datasource_id,
        document=document,
        index=index,
        text=text,
        start=start,
        end=start + len(text),
        first_page=page,
        last_page=page,
    )


def make_chunk(document: Document, text: str, *, index: int = 0, start: int = 0, page: int = 1) -> Chunk:
    chunk = chunk_of(document, text, index=index, start=start, page=page)
    chunk.save()
    return chunk


def add_pages(document: Document, texts: Sequence[str]) -> None:
    """Behind the one that `make_document` has made, each with a chunk."""
    start = len(document.pages.get().text) + 1
    for number, text in enumerate(texts, start=2):
        Page.objects.create(document=document, number=number, text=text, start=start, width=595, height=842)
        make_chunk(document, text, index=number - 1, start=start, page=number)
        start += len(text) + 1


def add_passages(
    datasource: Datasource, person: User, rows: Sequence[Mapping[str, str]], name: str = "passages.jsonl"
) -> None:
    """Upload ready-made passages, {"title", "text"} each; the worker reads them."""
    lines = "\n".join(json.dumps(row) for row in rows).encode()
    accept_upload(datasource, person, name, io.BytesIO(lines))


def make_vector(chunk: Chunk, vector: Sequence[float], model: str = "made") -> ChunkEmbedding:
    """A chunk's vector in its datasource's current space, which the first one makes."""
    values = {"model": model, "dimensions": len(vector)}
    space, _ = VectorSpace.objects.get_or_create(
        datasource=chunk.datasource, status=SpaceStatus.CURRENT, defaults=values
    )
    Datasource.objects.filter(pk=chunk.datasource_id).update(
        embedding_model=space.model, embedding_dimensions=space.dimensions
    )
    return ChunkEmbedding.objects.create(chunk=chunk, space=space, vector=list(vector))


def make_turn(
    user: User, document: Document, question: str = "How long are backups kept?", **more: Any
) -> Turn:
    """An answered question in a conversation of its own; a quote of the document supports the claim."""
    conversation = Conversation.objects.create(datasource=document.datasource, user=user, title=question)
    quote = Page.objects.get(document=document).text
    values = {"status": TurnStatus.ANSWERED, "answer": f"{quote} {mark(1)}", "seconds": 0.5} | more
    turn = Turn.objects.create(conversation=conversation, number=1, question=question, **values)
    Citation.objects.create(
        turn=turn,
        n=1,
        claim=quote,
        document=document,
        document_title=document.title,
        written=quote,
        quote=quote,
        start=0,
        end=len(quote),
        pages=[1],
        boxes={"1": [[100, 100, 600, 120]]},
        on_page=OnPage.EXACT,
        support=Support.SUPPORTED,
        confirmed_by=ConfirmedBy.CODE,
    )
    return turn


def under_heading(document: Document, name: str) -> None:
    """Make it a Word file whose words all stand under the heading."""
    Document.objects.filter(pk=document.pk).update(mime=WORD.mime)
    document.sections.all().delete()
    Section.objects.create(
        document=document, number=1, level=1, name=name, path=name, start=0, end=9999, page=1
    )

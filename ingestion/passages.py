"""Taking in .jsonl files of ready passages: each line becomes a document of one page and one chunk."""

import hashlib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, BinaryIO

from django.core.exceptions import ValidationError
from django.core.files import File
from django.db import transaction

from datasources.files import store_file
from datasources.models import Datasource, Document, DocumentStatus
from ingestion import tasks
from ingestion.blobs import discard
from ingestion.models import Chunk, Page

if TYPE_CHECKING:
    from accounts.models import User

MIME = "text/x-passage"


def read_passages(file: BinaryIO, filename: str) -> Iterator[tuple[int, str, str]]:
    """(line number, title, text) of every line. Raises ValidationError naming the first bad line."""
    file.seek(0)
    for number, line in enumerate(file, start=1):
        if not line.strip():
            continue
        try:
            row: Any = json.loads(line)
            title, text = str(row["title"]), str(row["text"])
        except (ValueError, KeyError, TypeError) as error:
            raise ValidationError(
                f"Line {number} of “{filename}” is not a JSON object with “title” and “text”. "
                "Nothing was stored; correct the line and add the file again.",
                code="bad_passage",
            ) from error
        yield number, title.replace("\0", "").strip(), text.replace("\0", "").strip()


def accept_passages(
    datasource: Datasource, user: "User | None", filename: str, file: BinaryIO
) -> tuple[list[Document], list[Document]]:
    """The documents that were here already, and the new ones, which are queued to be embedded.

    Raises ValidationError, with nothing stored, for a line that is no passage.
    """
    by_hash: dict[str, Document] = {}
    texts: dict[str, str] = {}
    for number, title, text in read_passages(file, filename):
        body = f"{title}\n{text}" if title else text
        sha256 = hashlib.sha256(body.encode()).hexdigest()
        texts[sha256] = body
        by_hash.setdefault(
            sha256,
            Document(
                datasource=datasource,
                title=title[:300] or f"{filename}, line {number}",
                filename=filename,
                mime=MIME,
                size=len(body.encode()),
                sha256=sha256,
                uploaded_by=user,
                passage=number,
                page_count=1,
                chunk_count=1,
                stage_total=1,
                status=DocumentStatus.EMBEDDING,
            ),
        )
    if not by_hash:
        raise ValidationError(f"“{filename}” has no passages. Nothing was stored.", code="empty")
    existing = {d.sha256: d for d in datasource.documents.current().filter(sha256__in=by_hash)}
    new = [document for sha256, document in by_hash.items() if sha256 not in existing]
    if not new:
        return list(existing.values()), []
    file.seek(0)
    store_file(new[0], File(file))
    for document in new:
        document.file.name = new[0].file.name
    try:
        with transaction.atomic():
            _store_passages(datasource, new, texts)
    except BaseException:
        discard([str(new[0].file.name)])
        raise
    return list(existing.values()), new


def _store_passages(datasource: Datasource, documents: list[Document], texts: dict[str, str]) -> None:
    Document.objects.bulk_create(documents, batch_size=1000)
    Page.objects.bulk_create(
        [Page(document=d, number=1, text=texts[d.sha256]) for d in documents], batch_size=1000
    )
    Chunk.objects.bulk_create(
        [
            Chunk(
                datasource=datasource,
                document=d,
                index=0,
                text=texts[d.sha256],
                start=0,
                end=len(texts[d.sha256]),
                first_page=1,
                last_page=1,
                quality=1.0,
            )
            for d in documents
        ],
        batch_size=1000,
    )
    tasks.defer_embed_passages(datasource.pk)

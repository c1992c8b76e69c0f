"""Taking in .jsonl files of ready passages: each line becomes a document of one page and one chunk."""

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files import File
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from datasources.models import Datasource, Document, DocumentStatus
from datasources.storage.files import store_file
from formats.base.characters import clean_text
from ingestion import tasks
from ingestion.adding.allowance import Upload
from ingestion.blobs import discard
from ingestion.models import Chunk, Page
from localization.numbers import numeral
from text.json_lines import BadJson, lines, parsed

if TYPE_CHECKING:
    from accounts.models import User

MIME = "text/x-passage"
PASSAGES_AT_ONCE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """line: its number in the file, from 1. body: title and text, as they are searched."""

    line: int
    title: str
    body: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.body.encode()).hexdigest()


def read_passages(file: BinaryIO, filename: str) -> Iterator[Passage]:
    """The passage of every line. Raises ValidationError naming the first line that is none or is too long."""
    file.seek(0)
    for line in lines(file, settings.MAX_LINE_BYTES):
        if line.content is None:
            limit = numeral(settings.MAX_LINE_BYTES)
            raise _too_long(
                filename, line.number, _("{n} bytes").format(n=numeral(line.size)), limit, "SVQ_MAX_LINE_KB"
            )
        try:
            row = parsed(line.content)
            title, text = (clean_text(str(row[name]), kept="\t").strip() for name in ("title", "text"))
        except (BadJson, KeyError, TypeError) as error:
            reason = " " + _("It is {what}.").format(what=error) if isinstance(error, BadJson) else ""
            raise ValidationError(
                _(
                    "Line {number} of “{name}” is not a JSON object with “title” and “text”.{reason} "
                    "Nothing was stored; correct the line and add the file again."
                ).format(number=line.number, name=filename, reason=reason),
                code="bad_passage",
            ) from error
        body = f"{title}\n{text}" if title else text
        if len(body) > settings.MAX_PASSAGE_CHARACTERS:
            limit = numeral(settings.MAX_PASSAGE_CHARACTERS)
            size = ngettext("{n} character", "{n} characters", len(body)).format(n=numeral(len(body)))
            raise _too_long(filename, line.number, size, limit, "SVQ_MAX_PASSAGE_CHARS")
        yield Passage(line=line.number, title=title, body=body)


def _too_long(filename: str, number: int, size: str, limit: str, setting: str) -> ValidationError:
    return ValidationError(
        _(
            "Line {number} of “{name}” has {size}; a passage may have {limit}. "
            "Nothing was stored; split the line, or have the limit raised ({setting})."
        ).format(number=number, name=filename, size=size, limit=limit, setting=setting),
        code="too_large",
    )


def accept_passages(
    datasource: Datasource,
    user: "User | None",
    filename: str,
    file: BinaryIO,
    *,
    usage: Upload,
    metadata: Mapping[str, Any],
) -> tuple[list[Document], list[Document]]:
    """The documents that were here already, and the new ones, which are queued to be embedded.

    The file is read twice, so that never more than a batch of its texts is in memory. Raises ValidationError,
    with nothing stored, for a line that is no passage, and for too many of them.
    """
    numbers: dict[str, int] = {}  # the first line of each content
    for passage in read_passages(file, filename):
        numbers.setdefault(passage.sha256, passage.line)
        if len(numbers) > settings.MAX_PASSAGES:
            raise ValidationError(
                _(
                    "“{name}” has more than {most} passages. Nothing was stored; "
                    "split the file, or have the limit raised (SVQ_MAX_PASSAGES)."
                ).format(name=filename, most=numeral(settings.MAX_PASSAGES)),
                code="too_large",
            )
    if not numbers:
        raise ValidationError(
            _("“{name}” has no passages. Nothing was stored.").format(name=filename), code="empty"
        )
    existing = {d.sha256: d for d in datasource.documents.current().filter(sha256__in=numbers)}
    if len(existing) == len(numbers):
        return list(existing.values()), []
    usage.check(datasource, documents=len(numbers) - len(existing))
    # For what all of them have: the file's name, and what was sent along.
    kept = Document(datasource=datasource, filename=filename, metadata=dict(metadata))
    file.seek(0)
    store_file(kept, File(file))
    try:
        with transaction.atomic():
            new = list(_store_passages(kept, user, file, numbers, existing))
            usage.count(datasource, documents=len(new))
            tasks.defer_embed_passages(datasource.pk)
    except BaseException:
        discard([str(kept.file.name)])
        raise
    return list(existing.values()), new


def _store_passages(
    kept: Document, user: "User | None", file: BinaryIO, numbers: dict[str, int], existing: Collection[str]
) -> Iterator[Document]:
    new = (
        passage
        for passage in read_passages(file, kept.filename)
        if passage.sha256 not in existing and numbers[passage.sha256] == passage.line
    )
    while passages := list(islice(new, PASSAGES_AT_ONCE)):
        documents = Document.objects.bulk_create(_document(kept, user, passage) for passage in passages)
        pairs = list(zip(documents, passages, strict=True))
        Page.objects.bulk_create(Page(document=d, number=1, text=p.body) for d, p in pairs)
        Chunk.objects.bulk_create(_chunk(d, p) for d, p in pairs)
        yield from documents


def _document(kept: Document, user: "User | None", passage: Passage) -> Document:
    return Document(
        datasource=kept.datasource,
        title=passage.title[:300] or f"{kept.filename}, line {passage.line}",
        filename=kept.filename,
        metadata=kept.metadata,
        file=kept.file.name,
        mime=MIME,
        size=len(passage.body.encode()),
        sha256=passage.sha256,
        uploaded_by=user,
        passage=passage.line,
        page_count=1,
        chunk_count=1,
        stage_total=1,
        status=DocumentStatus.EMBEDDING,
    )


def _chunk(document: Document, passage: Passage) -> Chunk:
    return Chunk(
        datasource_id=document.datasource_id,
        document=document,
        index=0,
        text=passage.body,
        start=0,
        end=len(passage.body),
        first_page=1,
        last_page=1,
        quality=1.0,
    )

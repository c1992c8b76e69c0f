"""The step that reads a file: the text of the pages, and where each of its characters stands."""

from collections.abc import Sequence
from contextlib import closing
from itertools import islice

from django.conf import settings
from django.db.models import Sum
from django.db.models.functions import Length
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from datasources.models import Document, DocumentStatus
from datasources.storage.files import source_file
from formats import DocumentInfo, ExtractionError, Limits, PageText
from formats.base.doubts import Doubt as FoundDoubt
from formats.registry import format_of
from ingestion.adding.naming import better_name
from ingestion.models import Annotation, Doubt, Page
from ingestion.run import DocumentRun
from ingestion.step import Step, page_reached
from localization.stored import said

PAGES_AT_ONCE = 25  # pages in one transaction: what a kill can cost
ALLOWED_WHATEVER_SIZE = 1_000_000  # characters: a few bytes may repeat a page many times, with good reason


class Extract(Step):
    name = "extract"
    label = gettext_lazy("Read")
    status = DocumentStatus.EXTRACTING
    counted = "page_count"

    def run(self, run: DocumentRun) -> None:
        """Store the pages that are not there yet."""
        document = run.document
        stored = document.pages.count()
        if document.page_count is not None and stored == document.page_count:
            return
        try:
            self._read(run, stored)
        except ExtractionError as error:
            if error.code == "too_large":
                with run.writing():
                    document.pages.all().delete()
            raise

    def _read(self, run: DocumentRun, stored: int) -> None:
        document = run.document
        read = format_of(document.mime).read
        characters = document.pages.aggregate(total=Sum(Length("text"), default=0))["total"]
        with (
            source_file(document) as file,
            closing(read(file, first_page=stored + 1, limits=reading_limits())) as frames,
        ):
            info = next(frames)
            assert isinstance(info, DocumentInfo)
            keep(run, info)
            run.enter(self.status, total=info.pages, done=stored)
            while batch := [page for page in islice(frames, PAGES_AT_ONCE) if isinstance(page, PageText)]:
                characters += sum(len(page.text) for page in batch)
                check_characters(document, characters, batch[-1].number)
                store_pages(run, batch)

    def now(self, document: Document) -> str:
        reached = page_reached(document)
        return _("Reading {page}").format(page=reached) if reached else _("Reading pages")


def keep(run: DocumentRun, info: DocumentInfo) -> None:
    """What the file says of itself, and its name where that is better than the file's."""
    properties = info.properties.as_json()
    with run.writing_in_datasource() as row:
        name = better_name(row, properties)
        run.record(page_count=info.pages, file_properties=properties, **({"title": name} if name else {}))


def reading_limits() -> Limits:
    """What the settings allow a file to cost."""
    return Limits(
        pages=settings.MAX_PAGES,
        memory_bytes=settings.READER_MEMORY_BYTES,
        page_characters=settings.MAX_PAGE_CHARACTERS,
    )


def check_characters(document: Document, characters: int, page: int) -> None:
    """Raise ExtractionError when a file has too much text by that page, or too much for so small a file."""
    by_size = max(ALLOWED_WHATEVER_SIZE, settings.MAX_CHARACTERS_PER_BYTE * document.size)
    allowed = min(settings.MAX_DOCUMENT_CHARACTERS, by_size)
    if characters <= allowed:
        return
    setting = "SVQ_MAX_CHARS_PER_BYTE" if allowed == by_size else "SVQ_MAX_DOCUMENT_CHARS"
    raise ExtractionError(
        "too_large",
        said(
            "This file has {characters} characters by page {page}; a file of {bytes} bytes may have "
            "{allowed}. None of its text was kept.",
            characters=characters,
            page=page,
            bytes=document.size,
            allowed=allowed,
        ),
        said("Split the file, or have the limit raised ({setting}) and add it anew.", setting=setting),
    )


def store_pages(run: DocumentRun, batch: list[PageText]) -> None:
    is_typeset = format_of(run.document.mime).is_typeset  # then what text there is is the file's own
    with run.writing():
        pages = Page.objects.bulk_create(
            Page(
                document=run.document,
                number=p.number,
                text=p.text,
                readable=p.readable,
                picture=p.picture and not is_typeset,
                pictured=p.pictured,
                address=p.address[:300],
                suspect=p.suspect and not is_typeset,
                boxes=p.boxes,
                width=p.width,
                height=p.height,
                layout=p.layout.as_json(),
            )
            for p in batch
        )
        Annotation.objects.bulk_create(
            Annotation(
                page=page,
                position=position,
                kind=each.kind,
                text=each.text,
                quote=each.quote,
                author=each.author,
                made=each.made,
            )
            for page, read in zip(pages, batch, strict=True)
            for position, each in enumerate(read.annotations, start=1)
        )
        store_doubts(pages, [() if is_typeset else page.doubts for page in batch])
        run.advance(batch[-1].number)
    run.tick()


def store_doubts(pages: Sequence[Page], found: Sequence[Sequence[FoundDoubt]], first: int = 1) -> None:
    """found: of each of the pages. first: position of the first one."""
    Doubt.objects.bulk_create(
        Doubt(
            page=page,
            position=position,
            kind=each.kind,
            start=each.start,
            end=each.end,
            box=[round(1000 * side, 1) for side in each.box] if each.box else None,
            script=each.script,
        )
        for page, doubts in zip(pages, found, strict=True)
        for position, each in enumerate(doubts, start=first)
    )

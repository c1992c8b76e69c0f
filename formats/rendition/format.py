"""Formats whose files are read, drawn and cut through their rendition."""

import json
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache, partial
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

from formats.base import sandbox
from formats.base.errors import ExtractionError, too_large, too_many_bytes
from formats.base.file_properties import NOTHING_TOLD, FileProperties
from formats.base.layout import NOTHING_SAID
from formats.base.made_once import made_once
from formats.base.values import MEGABYTE, DocumentInfo, Limits, PageText, SourceFile
from formats.pdf import reader
from formats.pdf.shown import ShownAsPdf
from formats.rendition.alignment import with_source_text
from formats.rendition.paging import paged
from formats.rendition.reading_text import Line
from text.normal_forms.letter_forms import USUAL_FORMS

LAYOUT = 3  # of what the templates are given: a change moves what has been cited
TEMPLATES = sorted(Path(__file__).parent.glob("*.typ"))
MOST_TEXT = 256 * MEGABYTE  # that a program may send of one file


@dataclass(frozen=True, slots=True, kw_only=True)
class RenditionFormat(ShownAsPdf):
    """program: opens a file in the sandbox and answers with its pages, see typesetting.answer."""

    program: Path
    is_typeset: bool = True

    def read(
        self, file: SourceFile, *, first_page: int = 1, limits: Limits | None = None
    ) -> Generator[DocumentInfo | PageText]:
        limits = limits or Limits()
        request = {"do": "text", "first_page": first_page}
        with (
            closing(
                reader.read_pdf(
                    self.as_pdf(file, limits),
                    first_page=first_page,
                    limits=limits,
                    tables=False,
                    compare=False,
                )
            ) as drawn,
            closing(self._run(file, request, limits)) as texts,
        ):
            for item in drawn:
                if isinstance(item, PageText):
                    text = next(texts).body.decode().translate(USUAL_FORMS)
                    yield replace(with_source_text(item, text), layout=NOTHING_SAID)
                else:  # what the rendition says of itself is nothing that the file says
                    yield replace(item, properties=NOTHING_TOLD)

    def as_pdf(self, file: SourceFile, limits: Limits | None = None) -> Path:
        # The same bytes may be read as files of two kinds.
        path = file.derived / f"rendition-{_layout()}-{self.mime.partition('/')[2]}.pdf"
        return made_once(path, partial(self._typeset, file, limits or Limits()))

    def _typeset(self, file: SourceFile, limits: Limits) -> bytes:
        check_size(file, limits)
        *_, last = self._run(file, {"do": "typeset"}, limits)
        return last.body

    def _run(self, file: SourceFile, request: dict[str, Any], limits: Limits) -> Generator[sandbox.Frame]:
        return sandbox.frames(
            self.program,
            request | {"path": str(file.path)},
            memory_bytes=limits.memory_bytes,
            frame_seconds=limits.page_seconds,
            cpu_seconds=limits.typesetting_seconds,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockFormat(RenditionFormat):
    """program: answers with the blocks of a file, see typesetting.answer_blocks."""

    def read(
        self, file: SourceFile, *, first_page: int = 1, limits: Limits | None = None
    ) -> Generator[DocumentInfo | PageText]:
        """All pages are drawn, also those before `first_page`: they say where its text begins."""
        limits = limits or Limits()
        with (
            closing(
                reader.read_pdf(self.as_pdf(file, limits), limits=limits, tables=False, compare=False)
            ) as drawn,
            closing(self._run(file, {"do": "text"}, limits)) as texts,
        ):
            info = next(drawn)
            assert isinstance(info, DocumentInfo)
            yield replace(info, properties=FileProperties.from_sandbox(next(texts).head["properties"]))
            pages = (page for page in drawn if isinstance(page, PageText))
            for page in paged(pages, _lines(texts), info.pages):
                if page.number >= first_page:
                    yield page


@cache
def _layout() -> str:
    """Another one whenever the pages may look different: of the templates and of what sets them."""
    templates = b"".join(path.read_bytes() for path in TEMPLATES)
    return sha256(f"{LAYOUT} {version('typst')} ".encode() + templates).hexdigest()[:16]


def _lines(texts: Iterable[sandbox.Frame]) -> Iterator[Line]:
    """With letters in the form in which people type them. Of each line its differences are sent."""
    values: dict[str, Any] = {}
    size = 0
    for frame in texts:
        size += len(frame.body)
        if size > MOST_TEXT:
            raise too_large("This file has more than {n} MB of text.", n=MOST_TEXT // MEGABYTE)
        for differences in json.loads(frame.body.decode().translate(USUAL_FORMS)):
            values |= differences
            yield Line(**values)


def check_size(file: SourceFile, limits: Limits) -> None:
    """Raise ExtractionError when the file is empty or too large."""
    size = file.path.stat().st_size
    if size == 0:
        raise ExtractionError("empty")
    if size > limits.file_bytes:
        raise too_many_bytes(size, limits.file_bytes)

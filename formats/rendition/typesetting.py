"""Pages of lines, or blocks, as a PDF set by Typst. Runs in the sandbox: imports little, writes no file."""

import importlib.util
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import Any

from formats.base.annotations import Annotation
from formats.base.errors import ExtractionError, gettext_noop
from formats.rendition.blocks import Block
from formats.rendition.page import Page
from formats.rendition.parts import parts_of, readable
from formats.rendition.reading_text import Line, lines_of
from formats.rendition.template_data import part_data

COLUMNS = 88  # letters of the typewriter font in a line of page.typ
ROWS = 60  # lines on a page
PAGES_AT_ONCE = 25  # Typst needs a megabyte a page until it has finished
LINES_AT_ONCE = 2_000
REMEMBERED = 11  # documents that Typst keeps in memory after they are set: as many empty ones drive one out
# For what Typst's own fonts lack; a missing one leaves empty boxes.
FONT_PACKAGES = ("fontpkg_noto_sans", "noto_cjk_sans_otc", "fontpkg_amiri", "justmytype_intl_rtl")
_PAGES, _DOCUMENT = (Path(__file__).with_name(name) for name in ("page.typ", "document.typ"))

Frame = tuple[dict[str, Any], bytes]


def answer(request: dict[str, Any], pages: Sequence[Page]) -> Iterator[Frame]:
    """The frames of what the request asks to `do` with the file's pages."""
    if request["do"] == "typeset":
        groups = _groups(pages, PAGES_AT_ONCE)
        return _typeset(_PAGES, ([page.lines for page in group] for group in groups))
    return texts(pages[request["first_page"] - 1 :])


def answer_blocks(
    request: dict[str, Any], blocks: Iterable[Block], properties: Mapping[str, Any] | None = None
) -> Iterator[Frame]:
    """The same of a document of blocks. Its text comes in lines; the first frame has what the file says of
    itself.
    """
    blocks = readable(blocks)
    if request["do"] == "typeset":
        drawn = (block for block in blocks if not isinstance(block, Annotation))
        yield from _typeset(_DOCUMENT, map(part_data, parts_of(drawn)))
        return
    yield {"properties": properties or {}}, b""
    lines = _differences(lines_of(blocks))
    while group := list(islice(lines, LINES_AT_ONCE)):
        yield {}, json.dumps(group, ensure_ascii=False).encode()


def _differences(lines: Iterable[Line]) -> Iterator[dict[str, Any]]:
    """The values of each line that differ from those of the line before: a table's rows share long heads."""
    before: dict[str, Any] = {}
    for line in lines:
        values = asdict(line)
        yield {name: value for name, value in values.items() if name not in before or before[name] != value}
        before = values


def texts(pages: Sequence[Page]) -> Iterator[Frame]:
    """A frame for each page: its text."""
    for page in pages:
        yield {}, page.text.encode()


def _typeset(template: Path, documents: Iterable[Any]) -> Iterator[Frame]:
    """The PDF comes in the last frame; those before are empty and say that the work goes on."""
    import typst
    from pypdf import PdfWriter

    fonts = before_forks()
    pdf = PdfWriter()
    for document in documents:
        compiler = typst.Compiler(template, root=template.parent, font_paths=fonts)
        part = compiler.compile(format="pdf", pdf_tags=False, sys_inputs={"document": json.dumps(document)})
        assert isinstance(part, bytes)
        pdf.append(BytesIO(part), import_outline=False)
        del compiler, part
        for _ in range(REMEMBERED):
            typst.Compiler(b"", font_paths=fonts).compile(format="pdf")
        yield {}, b""
    if not pdf.pages:
        raise ExtractionError("empty", gettext_noop("This file has no text: there is nothing to read in it."))
    content = BytesIO()
    pdf.write(content)
    yield {}, content.getvalue()


@cache
def before_forks() -> Any:
    """Typst with its fonts, which a fork server loads once for all files."""
    os.environ["RAYON_NUM_THREADS"] = "1"  # more are no faster here, and each takes address space
    import typst
    from pypdf import PdfWriter  # noqa: F401

    return typst.Fonts(include_system_fonts=False, font_paths=[*font_folders()])


def _groups(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    return (items[start : start + size] for start in range(0, len(items), size))


def font_folders() -> Iterator[str]:
    """Of the fonts that are there besides Typst's own."""
    for name in FONT_PACKAGES:
        if package := importlib.util.find_spec(name):
            yield from package.submodule_search_locations or ()

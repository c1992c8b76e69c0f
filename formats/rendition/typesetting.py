"""Pages of lines as a PDF, typeset by Typst. Runs in the sandbox: imports little, writes no file."""

import importlib.util
import json
import os
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from formats.rendition.page import Page

COLUMNS = 88  # letters of the typewriter font in a line of page.typ
ROWS = 60  # lines on a page
PAGES_AT_ONCE = 25  # Typst needs a megabyte a page until it has finished
FONT_PACKAGES = ("noto_cjk_sans_otc",)  # for what Typst's own fonts lack; a missing one leaves empty boxes
_TEMPLATE = Path(__file__).with_name("page.typ")

Frame = tuple[dict[str, Any], bytes]


def answer(request: dict[str, Any], pages: Sequence[Page]) -> Iterator[Frame]:
    """The frames of what the request asks to `do` with the file's pages."""
    if request["do"] == "typeset":
        return typeset(pages)
    return texts(pages[request["first_page"] - 1 :])


def texts(pages: Sequence[Page]) -> Iterator[Frame]:
    """A frame for each page: its text."""
    for page in pages:
        yield {}, page.text.encode()


def typeset(pages: Sequence[Page]) -> Iterator[Frame]:
    """The PDF comes in the last frame; those before are empty and say that the work goes on."""
    os.environ["RAYON_NUM_THREADS"] = "1"  # more are no faster here, and each takes address space
    import typst
    from pypdf import PdfWriter

    fonts = typst.Fonts(include_system_fonts=False, font_paths=[*_font_folders()])
    pdf = PdfWriter()
    for start in range(0, len(pages), PAGES_AT_ONCE):
        lines = [page.lines for page in pages[start : start + PAGES_AT_ONCE]]
        compiler = typst.Compiler(_TEMPLATE, root=_TEMPLATE.parent, font_paths=fonts)
        part = compiler.compile(format="pdf", pdf_tags=False, sys_inputs={"document": json.dumps(lines)})
        assert isinstance(part, bytes)
        pdf.append(BytesIO(part), import_outline=False)
        yield {}, b""
    content = BytesIO()
    pdf.write(content)
    yield {}, content.getvalue()


def _font_folders() -> Iterator[str]:
    for name in FONT_PACKAGES:
        if package := importlib.util.find_spec(name):
            yield from package.submodule_search_locations or ()

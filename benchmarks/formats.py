"""Office files, web pages, mail and text: how much of their words is read, in which order, at what cost;
whether quotes are found where they stand; what large files cost.
"""

import io
import os
import random
import re
import shutil
import tempfile
import threading
import time
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pypdfium2
import pypdfium2.raw as pdfium
from lxml import etree, html
from rapidfuzz.distance import LCSseq

from benchmarks.office_files import archive, docx, paragraph, row, xlsx
from formats import ExtractionError, PageText, SourceFile
from formats.boxes import boxes_of
from formats.registry import format_of, identify, sample_of
from formats.rendition.format import RenditionFormat

KINDS = ("docx", "pptx", "xlsx", "csv", "html", "md", "eml")
SENTENCES = 200
MEGABYTE = 2**20
MATHEMATICS = "http://schemas.openxmlformats.org/officeDocument/2006/math"
_WORD = re.compile(r"\w+")
WORDS = """
the tenant shall pay a fee of in euros within thirty days notice written agreement supplier customer long-term
well-known co-operation Größe Überweisung façade naïve Straße договор срок 合同 生效 日本語 per cent 12.5%
€1,250.00 (a) “quoted” it’s section 4.2 and/or e-mail state-of-the-art a@example.com https://example.com/a/b
""".split()  # noqa: SIM905


def run() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        figures: dict[str, Any] = {}
        data = Path(os.environ.get("SVQ_BENCH_DATA", "")) / "office_files"
        if data.is_dir():
            figures |= {kind: recall(sorted((data / kind).iterdir()), kind, place) for kind in KINDS}
        figures["quotes"] = {kind: quotes(kind, place) for kind in MADE}
        figures["large"] = {name: cost(name, make(), place) for name, make in LARGE.items()}
    return figures


class Peak:
    """The largest child process while it is entered, in megabytes."""

    def __enter__(self) -> "Peak":
        self.megabytes, self._ended = 0.0, threading.Event()
        self._watcher = threading.Thread(target=self._watch)
        self._watcher.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._watcher.join()

    def _watch(self) -> None:
        while not self._ended.wait(0.02):
            for child in psutil.Process().children():
                with suppress(psutil.Error):
                    self.megabytes = max(self.megabytes, child.memory_info().rss / MEGABYTE)


def read(path: Path, folder: Path) -> list[PageText]:
    with path.open("rb") as file:
        form = identify(path.name, sample_of(file))
    assert form
    derived = folder / "derived"
    shutil.rmtree(derived, ignore_errors=True)
    return [page for page in form.read(SourceFile(path=path, derived=derived)) if isinstance(page, PageText)]


# --- how much is read, and in which order ----------------------------------------------------------------
def recall(paths: Sequence[Path], kind: str, folder: Path) -> str:
    """Share of the words that the file has, told by a few lines that know nothing of the reader."""
    recalls, orders, seconds, refused = [], [], [], 0
    with Peak() as peak:
        for path in paths:
            started = time.perf_counter()
            try:
                pages = read(path, folder)
            except ExtractionError:
                refused += 1
                continue
            seconds.append(time.perf_counter() - started)
            truth = _WORD.findall(TRUTHS[kind](path.read_bytes()).lower())
            found = _WORD.findall("\n".join(page.text for page in pages).lower())
            if truth:
                recalls.append(sum((Counter(truth) & Counter(found)).values()) / len(truth))
                orders.append(LCSseq.similarity(truth, found) / len(truth))
    return (
        f"{len(paths) - refused} of {len(paths)} files, "
        + (f"words {np.mean(recalls):.3f}, in order {np.mean(orders):.3f}, " if recalls else "")
        + f"{np.median(seconds):.2f} s a file, at most {max(seconds):.2f}, {peak.megabytes:.0f} MB"
    )


def _parts(content: bytes, *beginnings: str) -> Iterator[etree._Element]:
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        names = [name for start in beginnings for name in sorted(packed.namelist()) if name.startswith(start)]
        for name in names:
            if name.endswith(".xml"):
                yield etree.fromstring(packed.read(name))


def _texts(root: etree._Element, *skipped: str) -> Iterator[str]:
    """Of paragraphs; of what stands twice for older programs the newer one."""
    for each in root.iter():
        if not isinstance(each.tag, str) or etree.QName(each).localname != "p":
            continue
        pieces = []
        for text in each.iter():
            if not isinstance(text.tag, str) or etree.QName(text).localname not in ("t", "br", "tab", "cr"):
                continue
            outer = [etree.QName(over).localname for over in text.iterancestors()]
            if outer[: outer.index("p")].count("txbxContent") or {"Fallback", *skipped} & set(outer):
                continue
            if next(over for over in text.iterancestors() if etree.QName(over).localname == "p") is each:
                pieces.append(_said(text))
        yield "".join(pieces)


def _said(piece: etree._Element) -> str:
    """Tabs and line ends part words, and so do the pieces of a formula."""
    name = etree.QName(piece)
    if name.localname != "t":
        return " "
    return f" {piece.text} " if name.namespace == MATHEMATICS else piece.text or ""


def _true_markdown(content: bytes) -> str:
    """Without addresses of links, elements, comments and the language of a block of code."""
    shown = re.sub(r"(?s)<!--.*?-->", " ", content.decode())
    return re.sub(r"\]\([^)]*\)|<[^>]*>|&#?\w+;|(?m:^```\w+$)", " ", shown)


def _true_docx(content: bytes) -> str:
    parts = _parts(content, "word/document", "word/footnotes", "word/endnotes")
    return "\n".join(chain.from_iterable(_texts(part, "del", "moveFrom") for part in parts))


def _true_pptx(content: bytes) -> str:
    parts = _parts(content, "ppt/slides/slide", "ppt/notesSlides/notesSlide")
    return "\n".join(chain.from_iterable(_texts(part, "fld") for part in parts))


def _true_xlsx(content: bytes) -> str:
    """The words alone: how figures are displayed is told by no simple rule."""
    found = []
    for part in _parts(content, "xl/sharedStrings"):
        for each in part:
            texts = [t for t in each.iter() if etree.QName(t).localname == "t"]
            found.append("".join(t.text or "" for t in texts if "rPh" not in str(t.getparent().tag)))
    return "\n".join(found)


def _true_html(content: bytes) -> str:
    root = html.fromstring(content)
    etree.strip_elements(root, "script", "style", "title", "noscript", with_tail=False)
    return " ".join(root.itertext())


TRUTHS: dict[str, Callable[[bytes], str]] = {
    "docx": _true_docx,
    "pptx": _true_pptx,
    "xlsx": _true_xlsx,
    "csv": lambda content: content.decode("utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"),
    "html": _true_html,
    "md": _true_markdown,
    "eml": lambda content: "",
}


# --- quotes ----------------------------------------------------------------------------------------------
def sentences(seed: int = 7) -> list[str]:
    chance = random.Random(seed)
    return [
        " ".join([f"S{n}", *chance.choices(WORDS, k=chance.randint(4, 40))]) + "." for n in range(SENTENCES)
    ]


def _escaped(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;")


def _made_docx(said: Sequence[str]) -> bytes:
    cells = "".join(
        f"<w:tr><w:tc>{paragraph(_escaped(each))}</w:tc><w:tc>{paragraph('x')}</w:tc></w:tr>"
        for each in said[:40]
    )
    return docx(f"<w:tbl>{cells}</w:tbl>" + "".join(paragraph(_escaped(each)) for each in said[40:]))


def made_pptx(said: Sequence[str]) -> bytes:
    from pptx import Presentation
    from pptx.util import Inches

    made = Presentation()
    for place in range(0, len(said), 4):
        slide = made.slides.add_slide(made.slide_layouts[6])
        for n, words in enumerate(said[place : place + 3]):
            box = slide.shapes.add_textbox(
                Inches(0.5), Inches(0.5 + 2 * n), Inches(8), Inches(1.5)
            ).text_frame
            box.word_wrap, box.text = True, words
        slide.notes_slide.notes_text_frame.text = said[place + 3]
    written = io.BytesIO()
    made.save(written)
    return written.getvalue()


def _made_html(said: Sequence[str]) -> bytes:
    items = "".join(f"<li>{_escaped(each)}</li>" for each in said[:60])
    rest = "".join(f"<p>{_escaped(each)}</p>" for each in said[60:])
    return f"<html><body><ul>{items}</ul>{rest}</body></html>".encode()


def _made_epub(said: Sequence[str]) -> bytes:
    chapters = {f"c{n}.xhtml": _made_html(said[n : n + 50]) for n in range(0, len(said), 50)}
    items = "".join(f'<item id="{name}" href="{name}"/>' for name in chapters)
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    return archive(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="book.opf"/></container>',
            "book.opf": f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>",
            **chapters,
        }
    )


MADE: dict[str, Callable[[Sequence[str]], bytes]] = {
    "docx": _made_docx,
    "pptx": made_pptx,
    "xlsx": lambda said: xlsx(
        {"A": "".join(row(n, _escaped(each), "x", n) for n, each in enumerate(said, 1))}
    ),
    "csv": lambda said: "\n".join(f'{n},"{each}",x' for n, each in enumerate(said)).encode(),
    "html": _made_html,
    "epub": _made_epub,
    "md": lambda said: "\n\n".join(said).encode(),
    "eml": lambda said: (
        b"From: a@b.example\nSubject: x\nContent-Type: text/plain; charset=utf-8\n\n"
        + "\n\n".join(said).encode()
    ),
    "txt": lambda said: "\n".join(said).encode(),
}


def quotes(kind: str, folder: Path) -> str:
    """How many sentences are whole in the text, and how many have a box around each of their letters."""
    said = sentences()
    path = folder / f"made.{kind}"
    path.write_bytes(MADE[kind](said))
    with path.open("rb") as file:
        form = format_of(identify(path.name, sample_of(file)).mime)  # type: ignore[union-attr]
    assert isinstance(form, RenditionFormat)
    pages = read(path, folder)
    drawn = _Drawn(form.as_pdf(SourceFile(path=path, derived=folder / "derived")))
    letters = [
        (page, place) for page in pages for place, letter in enumerate(page.text) if not letter.isspace()
    ]
    whole = "".join(page.text[place] for page, place in letters)
    starts = [(whole.find("".join(words.split())), len("".join(words.split()))) for words in said]
    located = [letters[start : start + length] for start, length in starts if start >= 0]
    boxed = sum(all(drawn.has(page, place) for page, place in each) for each in located)
    return f"{len(located)} of {len(said)} located, {boxed} boxed on their letters"


class _Drawn:
    """A rendition, asked letter by letter."""

    def __init__(self, path: Path) -> None:
        self._document = pypdfium2.PdfDocument(path)
        self._sheets = list(self._document)
        self._texts = [sheet.get_textpage() for sheet in self._sheets]

    def has(self, page: PageText, place: int) -> bool:
        """Whether a letter or figure of the page's text is what PDFium finds in the middle of its box."""
        letter = page.text[place]
        if not letter.isalnum():
            return True
        rects = boxes_of(place, place + 1, page.boxes, len(page.text))
        if not rects:
            return False
        width, height = self._sheets[page.number - 1].get_size()
        x, y = (rects[0].x0 + rects[0].x1) / 2000 * width, (1 - (rects[0].y0 + rects[0].y1) / 2000) * height
        text = self._texts[page.number - 1]
        index = pdfium.FPDFText_GetCharIndexAtPos(text, x, y, 0.5, 0.5)
        return index >= 0 and chr(pdfium.FPDFText_GetUnicode(text, index)) == letter


# --- what large files cost -------------------------------------------------------------------------------
def cost(name: str, content: bytes, folder: Path) -> str:
    path = folder / name.replace(" ", "-")
    path.write_bytes(content)
    started = time.perf_counter()
    with Peak() as peak:
        try:
            became = f"{len(read(path, folder)):,} pages"
        except ExtractionError as error:
            became = f"refused: {error.message}"
    return f"{became} {time.perf_counter() - started:.1f} s, {peak.megabytes:.0f} MB"


def _csv(rows: int) -> bytes:
    lines = (
        f"{n},Person {n},Town {n % 97},{n * 1.37:.2f},2024-03-01,open,note {n % 31}" for n in range(rows)
    )
    return "\n".join(["Id,Name,Town,Amount,Date,State,Note", *lines]).encode()


LARGE: dict[str, Callable[[], bytes]] = {
    "20 pages.docx": lambda: docx(
        "".join(paragraph("The tenant shall give notice in writing. " * 12) for _ in range(115))
    ),
    "30 slides.pptx": lambda: made_pptx(sentences()[:120]),
    "300,000 paragraphs.docx": lambda: docx(paragraph("Nothing is due.") * 300_000),
    "100,000 rows.csv": lambda: _csv(100_000),
}

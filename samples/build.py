"""Builds the sample PDFs from their Markdown: `python -m samples.build [folder]`, always the same bytes."""

import sys
from dataclasses import dataclass
from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Paragraph, Spacer

from samples.flowables import Typesetter
from samples.styles import FAINT, LOOKS, RULE, Look

SAMPLES = Path(__file__).resolve().parent
SOURCES = SAMPLES / "source"
PAGE_WIDTH, PAGE_HEIGHT = A4
MARGIN = 68.0
TOP, BOTTOM = 74.0, 66.0
TEXT_WIDTH = PAGE_WIDTH - 2 * MARGIN
BANNER_HEIGHT = 168.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A Markdown source: its `key: value` lines above the first rule, and the text below it."""

    facts: dict[str, str]
    body: str

    @property
    def look(self) -> Look:
        return LOOKS[self.facts["look"]]


def read_source(path: Path) -> Source:
    head, body = path.read_text(encoding="utf-8").split("\n---\n", 1)
    facts = dict(line.split(": ", 1) for line in head.splitlines())
    return Source(facts=facts, body=body)


class SampleDocument(BaseDocTemplate):
    """A4 pages with a running head and "Page n of total" at the foot."""

    def __init__(self, target: Path, source: Source, total: int) -> None:
        super().__init__(
            str(target),
            pagesize=A4,
            title=source.facts["title"],
            author=source.facts["author"],
            subject=source.facts["subtitle"],
            lang="en-GB",
            invariant=1,
            # Uncompressed pages do not depend on the zlib at hand, so every machine writes the same bytes.
            pageCompression=0,
        )
        self.source = source
        self.total = total
        first_top = BANNER_HEIGHT + 22 if source.look.banner else TOP
        self.addPageTemplates(
            [
                PageTemplate(
                    "first",
                    [self._text_frame(first_top)],
                    onPage=self._head_first,
                    onPageEnd=self._foot,
                    autoNextPageTemplate="later",
                ),
                PageTemplate("later", [self._text_frame(TOP)], onPage=self._head, onPageEnd=self._foot),
            ]
        )

    @staticmethod
    def _text_frame(top: float) -> Frame:
        return Frame(
            MARGIN,
            BOTTOM,
            TEXT_WIDTH,
            PAGE_HEIGHT - top - BOTTOM,
            leftPadding=0,
            rightPadding=0,
            topPadding=0,
            bottomPadding=0,
            id="text",
        )

    def _head_first(self, canvas: Canvas, _: BaseDocTemplate) -> None:
        if not self.source.look.banner:
            self._head(canvas, self)
            return
        facts, styles = self.source.facts, Typesetter(self.source.look, TEXT_WIDTH).styles
        canvas.setFillColor(self.source.look.accent)
        canvas.rect(0, PAGE_HEIGHT - BANNER_HEIGHT, PAGE_WIDTH, BANNER_HEIGHT, stroke=0, fill=1)
        for text, style, depth in ((facts["title"], "title", 92.0), (facts["subtitle"], "subtitle", 122.0)):
            paragraph = Paragraph(text, styles[style])
            paragraph.wrap(TEXT_WIDTH, BANNER_HEIGHT)
            paragraph.drawOn(canvas, MARGIN, PAGE_HEIGHT - depth)

    def _head(self, canvas: Canvas, _: BaseDocTemplate) -> None:
        baseline = PAGE_HEIGHT - 44
        canvas.setFont(self.source.look.family, 8.5)
        canvas.setFillColor(FAINT)
        canvas.drawString(MARGIN, baseline, self.source.facts["head"])
        canvas.drawRightString(PAGE_WIDTH - MARGIN, baseline, self.source.facts["reference"])
        canvas.setStrokeColor(RULE)
        canvas.setLineWidth(0.5)
        canvas.line(MARGIN, baseline - 7, PAGE_WIDTH - MARGIN, baseline - 7)

    def _foot(self, canvas: Canvas, _: BaseDocTemplate) -> None:
        canvas.setFont(self.source.look.family, 8.5)
        canvas.setFillColor(FAINT)
        canvas.drawString(MARGIN, 38, self.source.facts["foot"])
        canvas.drawRightString(PAGE_WIDTH - MARGIN, 38, f"Page {canvas.getPageNumber()} of {self.total}")


def story_of(source: Source) -> list[Flowable]:
    typesetter = Typesetter(source.look, TEXT_WIDTH)
    opening: list[Flowable] = []
    if not source.look.banner:
        opening = [Paragraph(source.facts[name], typesetter.styles[name]) for name in ("title", "subtitle")]
        opening.append(Spacer(1, 10))
    return opening + typesetter.flowables(source.body)


def build_pdf(source: Source, target: Path) -> int:
    """Writes one PDF and returns its number of pages; the first of two passes only counts them."""
    total = 0
    for _ in range(2):
        document = SampleDocument(target, source, total)
        document.build(story_of(source))
        total = int(document.page)
    return total


def build_all(folder: Path) -> dict[str, int]:
    """Builds every sample into `folder`; returns the pages of each by file name."""
    folder.mkdir(parents=True, exist_ok=True)
    targets = {path: folder / f"{path.stem}.pdf" for path in sorted(SOURCES.glob("*.md"))}
    return {target.name: build_pdf(read_source(path), target) for path, target in targets.items()}


if __name__ == "__main__":
    for name, pages in build_all(Path(sys.argv[1]) if len(sys.argv) > 1 else SAMPLES).items():
        print(f"{name}: {pages} pages")

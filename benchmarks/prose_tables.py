"""Made tables of wrapped words whose rows are known, ruled or not, in three languages, and pages of prose in
columns: how many rows are read whole, and how much prose is taken for a table.
"""

import random
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import typst
from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import simpleSplit
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas

from formats import PageText
from formats.pdf.reader import read_pdf
from formats.rendition.typesetting import font_folders
from ingestion.structure.block_tables import block_tables
from ingestion.structure.values import RowKind
from text.word_lists import words as words_of

SEED = 73
ROWS = 14
MARGIN = 60.0
LEADING = 1.25  # of the size of the print
RULINGS = ("grid", "across", "zebra", "none")
ORDERS = ("cells", "lines")
PLACES = ("top", "middle")
CHINESE = "Noto Sans CJK SC"
WORDS = {
    "en": words_of(
        """access review backup supplier customer encrypted records policy within thirty days the of and is
        kept by every team service region key incident report audit change yearly approved written contract
        data centre staff training"""
    ),
    "de": words_of(
        """Zugriff Sicherung Anbieter Kunden geschützte Akten Richtlinie innerhalb dreißig Tagen der die
        und wird geführt jedes Team Dienst Vorfall Bericht Prüfung Änderung jährlich genehmigt schriftlich
        Vertrag"""
    ),
    "zh": words_of(
        """访问 审查 备份 供应商 客户 加密 记录 政策 之内 三十天 由 每个 团队 服务 地区 密钥
        事件 报告 审计 变更 每年 批准 书面 合同 数据 中心 员工 培训"""
    ),
}
KINDS: dict[str, tuple[tuple[str, ...], tuple[float, ...], tuple[tuple[int, int], ...]]] = {
    "questionnaire": (("No.", "Question", "Answer"), (30, 180, 265), ((1, 1), (4, 14), (3, 34))),
    "service levels": (
        ("Level", "Description", "Response time", "Contact"),
        (60, 215, 90, 110),
        ((1, 1), (5, 26), (1, 6), (1, 5)),
    ),
    "risks": (
        ("ID", "Risk", "Cause", "Measure", "Owner", "Due"),
        (32, 95, 95, 130, 65, 58),
        ((1, 1), (2, 12), (2, 10), (4, 20), (1, 3), (1, 2)),
    ),
    "definitions": (("Term", "Meaning"), (120, 355), ((1, 3), (6, 40))),
    "terms": (
        ("Topic", "Today", "Proposal", "Reason", "State"),
        (70, 110, 110, 125, 60),
        ((1, 3), (3, 14), (3, 14), (3, 16), (1, 2)),
    ),
}


class TypstCanvas:
    """Draws what a canvas of ReportLab draws here, with fonts that have Chinese."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._said = [f"#set page(width: {A4[0]}pt, height: {A4[1]}pt, margin: 0pt)"]
        self._font, self._fill = "", "000000"

    def setFont(self, name: str, size: float) -> None:
        weight = "bold" if name.endswith("Bold") else "regular"
        self._font = f'font: "{CHINESE}", size: {size}pt, weight: "{weight}", top-edge: "baseline"'

    def setFillColor(self, colour: Any) -> None:
        self._fill = f"{colour.int_rgb():06x}"

    def drawString(self, x: float, y: float, words: str) -> None:
        self._place(x, y, f'text({self._font}, "{words}")')

    def line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self._place(x0, y0, f"line(end: ({x1 - x0}pt, {y0 - y1}pt), stroke: 0.5pt)")

    def rect(self, x: float, y: float, width: float, height: float, **_: int) -> None:
        self._place(x, y + height, f'rect(width: {width}pt, height: {height}pt, fill: rgb("{self._fill}"))')

    def showPage(self) -> None:
        self._said.append("#pagebreak()")

    def save(self) -> None:
        source = "\n".join(self._said).encode()
        fonts = typst.Fonts(include_system_fonts=False, font_paths=list(font_folders()))
        pdf = typst.Compiler(source, font_paths=fonts).compile(format="pdf")
        assert isinstance(pdf, bytes)
        Path(self._path).write_bytes(pdf)

    def _place(self, x: float, y: float, drawn: str) -> None:
        self._said.append(f"#place(top + left, dx: {x}pt, dy: {A4[1] - y}pt, {drawn})")


@dataclass(slots=True, kw_only=True)
class Drawing:
    """A table that is drawn from the top of a page on. rows: what its cells say, the heads apart."""

    heads: Sequence[str]
    widths: Sequence[float]
    rows: list[list[str]]
    language: str
    ruling: str
    order: str
    place: str
    bold_heads: bool
    size: float
    padding: float
    waiting: list[tuple[float, float, str, str]] = field(default_factory=list)

    @property
    def font(self) -> str:
        return CHINESE if self.language == "zh" else "Helvetica"

    def draw(self, canvas: Canvas | TypstCanvas, y: float) -> None:
        y = self._row(canvas, self.heads, y, -1)
        for number, row in enumerate(self.rows):
            if y - self._height(row) < MARGIN:
                self._end(canvas)
                canvas.showPage()
                y = self._row(canvas, self.heads, A4[1] - MARGIN, -1)
            y = self._row(canvas, row, y, number)
        self._end(canvas)

    def is_too_narrow(self) -> bool:
        """Whether a word is wider than its column."""
        return self.language != "zh" and any(
            pdfmetrics.stringWidth(word, "Helvetica-Bold", self.size) > width - 2 * self.padding
            for row in (self.heads, *self.rows)
            for cell, width in zip(row, self.widths, strict=True)
            for word in cell.split()
        )

    def _lines(self, words: str, width: float, is_head: bool) -> list[str]:
        room = width - 2 * self.padding
        if self.language == "zh" and not words.isascii():
            most = int(room / self.size)
            return [words[start : start + most] for start in range(0, len(words), most)]
        bold = is_head and self.bold_heads
        return list(simpleSplit(words, "Helvetica-Bold" if bold else "Helvetica", self.size, room))

    def _font(self, is_head: bool) -> str:
        return "Helvetica-Bold" if is_head and self.bold_heads else "Helvetica" if is_head else self.font

    def _height(self, row: Sequence[str], is_head: bool = False) -> float:
        lines = max(
            len(self._lines(words, width, is_head)) for words, width in zip(row, self.widths, strict=True)
        )
        return lines * self.size * LEADING + 2 * self.padding

    def _row(self, canvas: Canvas | TypstCanvas, row: Sequence[str], y: float, number: int) -> float:
        is_head = number < 0
        height, x = self._height(row, is_head), MARGIN
        self._rule(canvas, y, height, number)
        for words, width in zip(row, self.widths, strict=True):
            lines = self._lines(words, width, is_head)
            spare = height - 2 * self.padding - len(lines) * self.size * LEADING
            top = y - self.padding - (spare / 2 if self.place == "middle" else 0)
            for place, line in enumerate(lines):
                baseline = top - self.size - place * self.size * LEADING
                self.waiting.append((x + self.padding, baseline, line, self._font(is_head)))
            x += width
        return y - height

    def _rule(self, canvas: Canvas | TypstCanvas, y: float, height: float, number: int) -> None:
        whole = sum(self.widths)
        if self.ruling == "zebra" and number % 2:
            canvas.setFillColor(HexColor(0xC8D2DC if number < 0 else 0xEEF1F4))
            canvas.rect(MARGIN, y - height, whole, height, stroke=0, fill=1)
            canvas.setFillColor(HexColor(0))
        if self.ruling in ("grid", "across"):
            canvas.line(MARGIN, y, MARGIN + whole, y)
            canvas.line(MARGIN, y - height, MARGIN + whole, y - height)
        if self.ruling == "grid":
            for place in range(len(self.widths) + 1):
                x = MARGIN + sum(self.widths[:place])
                canvas.line(x, y, x, y - height)

    def _end(self, canvas: Canvas | TypstCanvas) -> None:
        """Draw the words of a page in their order."""
        if self.order == "lines":
            self.waiting.sort(key=lambda each: (-each[1], each[0]))
        for x, y, line, font in self.waiting:
            canvas.setFont(font, self.size)
            canvas.drawString(x, y, line)
        self.waiting.clear()


def run(seed: int = SEED) -> dict[str, Any]:
    """Shares of rows whose cells are all right, and of cells."""
    by_ruling: dict[str, list[int]] = {}
    rows = whole = cells = right = heads = named = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, drawing in made(seed):
            path = Path(folder) / "table.pdf"
            _draw(path, drawing, seed)
            found, says_heads = read(path)
            wrong = [row for row in drawing.rows if row not in found]
            rows, whole = rows + len(drawing.rows), whole + len(drawing.rows) - len(wrong)
            said = {cell for row in found for cell in row}
            cells += sum(map(len, drawing.rows))
            right += sum(cell in said for row in drawing.rows for cell in row)
            heads, named = heads + 1, named + says_heads
            kept = by_ruling.setdefault(f"{drawing.ruling}, drawn by {drawing.order}", [0, 0])
            kept[0] += len(drawing.rows) - len(wrong)
            kept[1] += len(drawing.rows)
            if wrong:
                print(f"  {name}: {len(wrong)} of {len(drawing.rows)} rows not whole")
        taken, pages = _articles(Path(folder), seed)
    return {
        "tables": heads,
        "rows": rows,
        "whole": whole,
        "share": round(whole / rows, 4),
        "share of cells": round(right / cells, 4),
        "tables with their heads": round(named / heads, 4),
        "pages of prose in columns": pages,
        "of them with a table": taken,
        **{name: f"{a} of {b}" for name, (a, b) in sorted(by_ruling.items())},
    }


def made(seed: int) -> Iterator[tuple[str, Drawing]]:
    for kind, language, ruling, order, place in product(KINDS, WORDS, RULINGS, ORDERS, PLACES):
        if order == "lines" and place == "middle" and ruling == "none":
            continue  # nothing on the page says what belongs together
        name = ", ".join((kind, language, ruling, order, place))
        lot = random.Random(f"{seed}{name}")
        heads, widths, lengths = KINDS[kind]
        drawing = Drawing(
            heads=heads,
            widths=widths,
            rows=_contents(lot, kind, language, lengths),
            language=language,
            ruling=ruling,
            order=order,
            place=place,
            bold_heads=lot.random() < 0.7,
            size=lot.choice((8.0, 9.0, 10.0)),
            padding=lot.choice((3.0, 4.0, 6.0)),
        )
        while drawing.is_too_narrow():
            drawing.size -= 0.5
        yield name, drawing


def _contents(
    lot: random.Random, kind: str, language: str, lengths: Sequence[tuple[int, int]]
) -> list[list[str]]:
    rows = []
    for number in range(1, ROWS + 1):
        row = [_words(lot, language, *length) for length in lengths]
        if kind in ("questionnaire", "risks"):
            row[0] = str(number) if kind == "questionnaire" else f"R{number}"
        rows.append(row)
    return rows


def _words(lot: random.Random, language: str, fewest: int, most: int) -> str:
    choice = sorted(WORDS[language])
    chosen = [lot.choice(choice) for _ in range(lot.randint(fewest, most))]
    if language == "zh":
        return "".join(chosen) + ("。" if most > 6 else "")
    said = " ".join(chosen)
    return said[0].upper() + said[1:] + ("." if most > 6 else "")


def _draw(path: Path, drawing: Drawing, seed: int) -> None:
    lot = random.Random(seed)
    canvas = TypstCanvas(str(path)) if drawing.language == "zh" else Canvas(str(path), pagesize=A4)
    canvas.setFont("Helvetica", 10)
    for number in range(4):
        canvas.drawString(MARGIN, A4[1] - MARGIN - 14 * number, _words(lot, "en", 13, 14))
    drawing.draw(canvas, A4[1] - MARGIN - 80)
    canvas.save()


def read(path: Path) -> tuple[list[list[str]], bool]:
    """The cells of each row, and whether the first row of the first page names the columns."""
    found: list[list[str]] = []
    says_heads = False
    for page in read_pdf(path):
        if not isinstance(page, PageText):
            continue
        for table in block_tables(page.text, page.layout.rows, guesses_heads=False):
            says_heads |= all(table.heads)
            found += [
                [page.text[cell.start : cell.end] for cell in row.cells]
                for row in table.rows
                if row.kind == RowKind.DATA
            ]
    return found, says_heads


def _articles(folder: Path, seed: int) -> tuple[int, int]:
    """Pages of prose in two or three columns, with headings: how many have a table, and of how many."""
    lot, path, pages = random.Random(seed), folder / "article.pdf", 40
    canvas = Canvas(str(path), pagesize=A4)
    for number in range(pages):
        columns, size = 2 + number % 2, lot.choice((8.0, 9.0, 10.0))
        width = (A4[0] - 2 * MARGIN - 18 * (columns - 1)) / columns
        for column in range(columns):
            y = A4[1] - MARGIN
            while y > MARGIN + 30:
                y = _paragraph(canvas, lot, MARGIN + column * (width + 18), y, width, size)
        canvas.showPage()
    canvas.save()
    return sum(bool(page.layout.rows) for page in read_pdf(path) if isinstance(page, PageText)), pages


def _paragraph(canvas: Canvas, lot: random.Random, x: float, y: float, width: float, size: float) -> float:
    """Where the next one begins."""
    if lot.random() < 0.2:
        canvas.setFont("Helvetica-Bold", size)
        canvas.drawString(x, y - size, _words(lot, "en", 2, 3))
        y -= 2 * size
    canvas.setFont("Times-Roman", size)
    for line in simpleSplit(_words(lot, "en", 20, 90), "Times-Roman", size, width):
        if y < MARGIN + size:
            break
        y -= size * LEADING
        canvas.drawString(x, y, line)
    return y - size * lot.choice((0.0, 0.6))


if __name__ == "__main__":
    for figure, value in run().items():
        print(figure, value)

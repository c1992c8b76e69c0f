"""Rows of tables in quarterly reports: is each figure in a cell of its own? Checked by another reader."""

import os
import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pdfplumber

from benchmarks import prose_tables
from benchmarks.filings import FOLDER
from formats import PageText
from formats.boxes import boxes_of
from formats.pdf.reader import read_pdf
from ingestion.structure.printed_tables import printed_tables

PAGES = 6  # of each report, drawn by lot
SEED = 40
FIGURE = re.compile(r"\(?-?[$€£]?\(?(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)\)?%?\)?")
YEAR = re.compile(r"(?:19|20)\d\d")
SIGNS = {"$", "€", "£", "("}
APART = 0.9  # heights of a word between a figure and what stands left of it, in a row of a table
SAME_LINE = 0.5

Word = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """A cell of ours: its row, what it says, and its boxes in points."""

    row: int
    column: int
    text: str
    boxes: Sequence[tuple[float, float, float, float]]

    def holds(self, x: float, y: float) -> bool:
        return any(x0 <= x <= x1 and y0 <= y <= y1 for x0, y0, x1, y1 in self.boxes)


def run() -> dict[str, Any]:
    """Reports are left out without the public collection."""
    return reports() | {f"sentences: {name}": value for name, value in prose_tables.run().items()}


def reports() -> dict[str, Any]:
    """Of figures, in quarterly reports."""
    data = os.environ.get("SVQ_BENCH_DATA")
    if not data or not (folder := Path(data) / "docugami_10q" / FOLDER / "docs").is_dir():
        return {}
    rows = whole = pages = 0
    seconds = 0.0
    wrong: list[str] = []
    for path in sorted(folder.glob("*.pdf")):
        ours = [item for item in read_pdf(path) if isinstance(item, PageText)]
        chosen = random.Random(f"{SEED}{path.name}").sample(range(len(ours)), min(PAGES, len(ours)))
        with pdfplumber.open(path) as theirs:
            for place in sorted(chosen):
                pages += 1
                started = time.perf_counter()
                cells = list(cells_of(ours[place]))
                seconds += time.perf_counter() - started
                for figures in rows_of(theirs.pages[place].extract_words()):
                    rows += 1
                    if is_whole(figures, cells):
                        whole += 1
                    else:
                        wrong.append(f"{path.stem} p. {place + 1}: {' '.join(w['text'] for w in figures)}")
    for each in wrong:
        print(f"  not whole: {each}")
    return {
        "reports": len(list(folder.glob("*.pdf"))),
        "pages": pages,
        "rows": rows,
        "whole": whole,
        "share": round(whole / max(rows, 1), 4),
        "ms a page": round(1000 * seconds / max(pages, 1), 1),
    }


def cells_of(page: PageText) -> Iterator[Placed]:
    number = 0
    for table in printed_tables(page.text, page.boxes, page.width, page.height):
        for row in table.rows:
            number += 1
            for cell in row.cells:
                yield Placed(
                    row=number,
                    column=cell.column,
                    text=page.text[cell.start : cell.end],
                    boxes=[
                        (
                            rect.x0 * page.width / 1000 - 1,
                            rect.y0 * page.height / 1000 - 2,
                            rect.x1 * page.width / 1000 + 1,
                            rect.y1 * page.height / 1000 + 2,
                        )
                        for rect in boxes_of(cell.start, cell.end, page.boxes, len(page.text))
                    ],
                )


def rows_of(words: Sequence[Word]) -> Iterator[list[Word]]:
    """The figures of each printed line that has two or more of them which stand apart from other words."""
    lines: list[list[Word]] = []
    for word in sorted(words, key=lambda word: (word["top"] + word["bottom"]) / 2):
        last = lines[-1][-1] if lines else None
        if last and _overlap(last, word) > SAME_LINE:
            lines[-1].append(word)
        else:
            lines.append([word])
    for line in lines:
        line.sort(key=lambda word: word["x0"])
        figures = [word for place, word in enumerate(line) if _stands_apart(line, place)]
        if len(figures) > 1:
            yield figures


def is_whole(figures: Sequence[Word], cells: Sequence[Placed]) -> bool:
    """Whether one of our rows has all the figures, each alone in a cell and in a column of its own."""
    found = []
    for word in figures:
        x, y = (word["x0"] + word["x1"]) / 2, (word["top"] + word["bottom"]) / 2
        cell = next((cell for cell in cells if cell.holds(x, y)), None)
        if cell is None or _digits(cell.text) != _digits(word["text"]):
            return False
        found.append(cell)
    return len({cell.row for cell in found}) == 1 and len({cell.column for cell in found}) == len(found)


def _overlap(a: Word, b: Word) -> float:
    shared = min(a["bottom"], b["bottom"]) - max(a["top"], b["top"])
    return float(shared / max(min(a["bottom"] - a["top"], b["bottom"] - b["top"]), 0.1))


def _stands_apart(line: Sequence[Word], place: int) -> bool:
    word = line[place]
    match = FIGURE.fullmatch(word["text"])
    if not match or YEAR.fullmatch(match[1]):
        return False
    before = place - 1
    while before >= 0 and line[before]["text"] in SIGNS:
        before -= 1
    if before < 0:
        return False
    nearest = line[before + 1]  # the figure, or the sign before it
    return bool(nearest["x0"] - line[before]["x1"] > APART * (word["bottom"] - word["top"]))


def _digits(text: str) -> str:
    return "".join(re.findall(r"\d", text))

"""Office files, web pages, mail and sheets made to break the reading: what becomes of each, at what cost."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.formats import cost
from benchmarks.office_files import archive, docx, paragraph, row, xlsx


def run() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        return {name: cost(name, make(), Path(folder)) for name, make in HOSTILE.items()}


def _bomb(name: str, inside: str) -> bytes:
    return archive({"_rels/.rels": "<r/>", name: inside})


ENTITIES = (
    '<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + ']><d xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>&j;</w:body></d>'
)
HOSTILE: dict[str, Callable[[], bytes]] = {
    "bomb.docx": lambda: docx(paragraph("a" * 400_000_000)),
    "bomb.xlsx": lambda: archive({"xl/workbook.xml": "<w/>", "xl/sharedStrings.xml": "a" * 400_000_000}),
    "bomb.epub": lambda: archive({"META-INF/container.xml": "<c/>", "a.xhtml": "a" * 400_000_000}),
    "nested.docx": lambda: docx("<w:sdt><w:sdtContent>" * 50_000 + "</w:sdtContent></w:sdt>" * 50_000),
    "nested.html": lambda: b"<html><body>" + b"<div>" * 100_000 + b"deep",
    "nested.md": lambda: b"> " * 100_000 + b"deep",
    "entities.docx": lambda: _bomb("word/document.xml", ENTITIES),
    "entities.html": lambda: ENTITIES.encode(),
    "wide span.docx": lambda: docx(
        '<w:tbl><w:tr><w:tc><w:tcPr><w:gridSpan w:val="2000000"/></w:tcPr>'
        f"{paragraph('a')}</w:tc><w:tc>{paragraph('b')}</w:tc></w:tr></w:tbl>"
    ),
    "wide span.html": lambda: (
        b"<html><table>" + b"<tr><td colspan=1000 rowspan=1000>a<td>b" * 2_000 + b"</table>"
    ),
    "far cell.xlsx": lambda: xlsx(
        {"A": row(1, "a") + '<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>'}
    ),
    "merged.xlsx": lambda: xlsx(
        {"A": row(1, "a") + '<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>'},
        merged='<mergeCell ref="A2:XFD1048575"/>',
    ),
    "wide.csv": lambda: (",".join(f"column {n}" for n in range(16_000)) + "\n").encode() * 20,
    "one line.csv": lambda: b"a" * 20_000_000,
    "quote.csv": lambda: b'a,b\n"' + b"never closed,\n" * 200_000,
    "long quote.csv": lambda: b'a,b\n"' + b"never closed,\n" * 1_450_000,
    "cut off.docx": lambda: docx(paragraph("a") * 1000)[:1000],
    "attachments.eml": lambda: (
        b"From: a\nContent-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 50_000
    ),
    "messages.eml": lambda: b"From: a\nContent-Type: message/rfc822\n\n" * 5_000 + b"deep",
}

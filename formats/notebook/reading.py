"""From a notebook to blocks: cells of text as Markdown, code as code, and what it has put out."""

import json
from base64 import b64decode
from binascii import Error as NoBase64
from collections.abc import Iterator
from typing import Any

from formats.base.characters import clean_text
from formats.base.errors import ExtractionError, gettext_noop
from formats.embedded.pictures import Pictures
from formats.markdown.reading import blocks_of as blocks_of_markdown
from formats.markup.parsing import parse_html
from formats.markup.walking import blocks_of as blocks_of_html
from formats.rendition.blocks import Block, Note, Paragraph

MOST_CELLS = 20_000
LONGEST_OUTPUT = 20_000  # characters; more are a log
PICTURES = ("image/png", "image/jpeg", "image/gif")


def blocks_of(content: bytes) -> Iterator[Block]:
    """Raises ExtractionError."""
    notebook = _parsed(content)
    pictures = Pictures()
    for cell in notebook[:MOST_CELLS]:
        if not isinstance(cell, dict):
            continue
        source = _text(cell.get("source", cell.get("input")))
        match cell.get("cell_type"):
            case "markdown":
                yield from blocks_of_markdown(source, pictures)
            case "code":
                yield from _code(source)
                yield from _outputs(cell.get("outputs"), pictures)
            case "raw" | "heading":
                yield from _code(source)
    if len(notebook) > MOST_CELLS:
        yield Note(text=f"Only the first {MOST_CELLS:,} cells are read.", label="Cells:")


def _parsed(content: bytes) -> list[Any]:
    """The cells; those of the oldest notebooks are in worksheets."""
    try:
        notebook = json.loads(content)
    except (ValueError, RecursionError):
        raise ExtractionError("corrupt") from None
    sheets = notebook.get("worksheets") if isinstance(notebook, dict) else None
    first = sheets[0] if isinstance(sheets, list) and sheets else notebook
    cells = first.get("cells") if isinstance(first, dict) else None
    if not isinstance(cells, list):
        raise ExtractionError("corrupt", gettext_noop("This file is named like a notebook but has no cells."))
    return cells


def _outputs(outputs: Any, pictures: Pictures) -> Iterator[Block]:
    for output in outputs if isinstance(outputs, list) else ():
        if not isinstance(output, dict):
            continue
        data = output.get("data", output)
        data = data if isinstance(data, dict) else {}
        picture = next((data[kind] for kind in PICTURES if kind in data), None)
        if output.get("output_type") == "stream":
            yield from _code(_text(output.get("text")), most=LONGEST_OUTPUT)
        elif output.get("output_type") in ("error", "pyerr"):
            yield Note(text=clean_text(f"{output.get('ename')}: {output.get('evalue')}"), label="Error:")
        elif picture is not None:
            yield from _picture(_text(picture), pictures)
        elif html := _text(data.get("text/html")):
            yield from blocks_of_html(parse_html(html), pictures)
        elif markdown := _text(data.get("text/markdown")):
            yield from blocks_of_markdown(markdown, pictures)
        else:
            yield from _code(_text(data.get("text/plain", data.get("text"))), most=LONGEST_OUTPUT)


def _picture(encoded: str, pictures: Pictures) -> Iterator[Block]:
    try:
        content = b64decode(encoded)
    except (NoBase64, ValueError):
        return
    if image := pictures.block(content):
        yield image


def _code(text: str, *, most: int | None = None) -> Iterator[Block]:
    clean = clean_text(text, kept="\t").expandtabs(4).strip("\n")
    if clean.strip():
        yield Paragraph(text=clean[:most], code=True)
    if most and len(clean) > most:
        yield Note(text=f"{len(clean) - most:,} more characters", label="Left out:")


def _text(value: Any) -> str:
    """Notebooks keep texts as one, or as lines."""
    if isinstance(value, list):
        return "".join(each for each in value if isinstance(each, str))
    return value if isinstance(value, str) else ""

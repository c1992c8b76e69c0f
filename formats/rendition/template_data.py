"""What document.typ is given of each part: plain values, long words made breakable. Pure."""

import base64
import re
from collections.abc import Sequence
from typing import Any

from formats.base.annotations import Annotation
from formats.rendition.blocks import (
    Address,
    Block,
    Frame,
    Heading,
    Image,
    ListItem,
    Note,
    PageBreak,
    Paragraph,
    Row,
    Slide,
    Table,
)
from formats.rendition.columns import LETTER, PADDING, widths
from formats.rendition.parts import MARGIN, Part

LINE = 60  # letters; longer words may be cut anywhere
CODE_LINE = 84
LEVELS = 6
DEEPEST = 8  # steps to the right
HIGHEST_PICTURE = 640.0  # points
POINTS_A_PIXEL = 0.75
BREAK_HERE = "\u200b"
NO_BREAK_SPACE = "\u00a0"


def part_data(part: Part) -> dict[str, Any]:
    room = part.width - 2 * MARGIN
    margin = ". ".join(filter(None, (part.address.text, part.address.note)))
    blocks = [_data(block, room) for block in part.blocks if not isinstance(block, Address)]
    return {"width": part.width, "margin": margin, "blocks": blocks}


def _data(block: Block, room: float) -> dict[str, Any]:
    match block:
        case Heading():
            return {
                "kind": "heading",
                "text": _broken(block.text, 40),
                "level": max(1, min(block.level, LEVELS)),
            }
        case Paragraph(code=True):
            spaced = block.text.replace(" ", NO_BREAK_SPACE)
            return {"kind": "code", "text": _broken(spaced, CODE_LINE)}
        case Paragraph():
            indent = min(block.indent, DEEPEST)
            return {"kind": "paragraph", "text": _broken(block.text, LINE), "indent": indent}
        case ListItem():
            level = min(block.level, DEEPEST)
            return {
                "kind": "item",
                "text": _broken(block.text, LINE - 4 * level),
                "label": block.label[:40],
                "level": level,
            }
        case Note():
            return {"kind": "note", "text": _broken(block.text, LINE), "label": block.label}
        case Image():
            return _image(block, room)
        case Table():
            return _table(block, room)
        case Slide():
            frames = [_frame(frame) for frame in block.frames]
            below = [_data(note, block.width) for note in block.below]
            size = {"width": block.width, "height": block.height}
            return {"kind": "slide", **size, "frames": frames, "below": below}
        case PageBreak() | Address() | Annotation():
            return {"kind": "break"}


def _frame(frame: Frame) -> dict[str, Any]:
    return {
        "x": frame.x,
        "y": frame.y,
        "width": frame.width,
        "height": frame.height,
        "size": frame.size,
        "blocks": [_data(block, frame.width) for block in frame.blocks],
    }


def _table(table: Table, room: float) -> dict[str, Any]:
    columns = widths(table, room)
    letters = [int((width - PADDING) / LETTER) for width in columns]
    rows = [_row(row, letters) for row in table.rows]
    if table.numbers:
        rows = [[str(number), *row] for number, row in zip(table.numbers, rows, strict=True)]
    return {
        "kind": "table",
        "rows": rows,
        "heads": table.heads,
        "widths": columns,
        "numbers": bool(table.numbers),
    }


def _row(row: Row, letters: Sequence[int]) -> list[str | dict[str, Any]]:
    """letters: that fit in each column. A plain string is set several times faster."""
    cells: list[str | dict[str, Any]] = []
    column = 0
    for cell in row:
        if isinstance(cell, str):
            cells.append(_broken(cell, max(2, sum(letters[column : column + 1]))))
            column += 1
        else:
            text = _broken(cell.text, max(2, sum(letters[column : column + cell.columns])))
            cells.append({"text": text, "columns": cell.columns, "rows": cell.rows})
            column += cell.columns
    return cells


def _image(image: Image, room: float) -> dict[str, Any]:
    """As an SVG around it: the template cannot read files, nor JSON hold bytes."""
    across, down = image.across, image.down
    mime = "image/png" if image.content.startswith(b"\x89PNG") else "image/jpeg"
    width = min(image.width or across * POINTS_A_PIXEL, room, HIGHEST_PICTURE * across / down)
    data = base64.b64encode(image.content).decode()
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{across}" height="{down}">'
        f'<image width="{across}" height="{down}" xlink:href="data:{mime};base64,{data}"/></svg>'
    )
    return {"kind": "image", "svg": svg, "width": width, "text": _broken(image.text, LINE)}


def _broken(text: str, most: int) -> str:
    """Words of more letters than a line has may be cut anywhere."""
    if len(text) <= most:
        return text
    return re.sub(rf"\S{{{most + 1},}}", lambda word: BREAK_HERE.join(word[0]), text)

"""Which rows and columns a workbook of Excel hides: read like others, and said, as nobody sees them there."""

import re
from collections.abc import Callable
from contextlib import suppress
from itertools import islice

from formats.base.errors import ExtractionError
from formats.embedded.parts import Package
from formats.embedded.xml import whole_number
from formats.sheets.sheet_parts import sheet_parts

MOST_NAMED = 5  # stretches of rows or columns
MOST_TAGS = 2_000_000
LAST_COLUMN = 16_384

_ROW = re.compile(rb"<(?:\w+:)?row\b([^>]*)>")
_COLUMN = re.compile(rb"<(?:\w+:)?col\b([^>]*)>")
_ATTRIBUTE = re.compile(rb"""\b(r|min|max|hidden)\s*=\s*["']([^"']*)["']""")

Span = tuple[int, int]


def hidden_of(package: Package) -> dict[str, str]:
    """By the name of the sheet, such as “Rows 5 to 9 and column C are hidden in the file”.

    Nothing for parts that are damaged or no XML, as in an XLSB.
    """
    found = {}
    with suppress(ExtractionError):
        for name, part in sheet_parts(package):
            content = package.content_if_whole(part)
            if content and b"hidden" in content:
                found[name] = _said(_hidden(_ROW, content), _hidden(_COLUMN, content))
    return found


def _hidden(tag: re.Pattern[bytes], content: bytes) -> list[Span]:
    """Joined where one follows the other. Tags without a number are those behind the one before."""
    spans: list[Span] = []
    number = 0
    for match in islice(tag.finditer(content), MOST_TAGS):
        values = {key: value.decode("ascii", "replace") for key, value in _ATTRIBUTE.findall(match[1])}
        first = whole_number(values.get(b"r", values.get(b"min")), number + 1)
        number = whole_number(values.get(b"max"), first)
        if values.get(b"hidden") not in ("1", "true"):
            continue
        if spans and first <= spans[-1][1] + 1:
            spans[-1] = (spans[-1][0], max(spans[-1][1], number))
        else:
            spans.append((first, number))
    return spans


def _said(rows: list[Span], columns: list[Span]) -> str:
    """Columns without an end, which hide what is right of a table, have nothing in them."""
    columns = [span for span in columns if span[1] < LAST_COLUMN]
    parts = [_named("row", rows, str), _named("column", columns, _letters)]
    said = " and ".join(filter(None, parts))
    is_one = sum(last - first + 1 for first, last in [*rows, *columns]) == 1
    return f"{said[0].upper()}{said[1:]} {'is' if is_one else 'are'} hidden in the file" if said else ""


def _named(kind: str, spans: list[Span], name: Callable[[int], str]) -> str:
    """Such as “rows 5 to 9, 12”."""
    if not spans:
        return ""
    shown = [name(first) if first == last else f"{name(first)} to {name(last)}" for first, last in spans]
    more = f" and others ({len(spans) - MOST_NAMED:,} places)" if len(spans) > MOST_NAMED else ""
    is_one = len(spans) == 1 and spans[0][0] == spans[0][1]
    return f"{kind}{'' if is_one else 's'} {', '.join(shown[:MOST_NAMED])}{more}"


def _letters(column: int) -> str:
    """A for 1, AA for 27."""
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters

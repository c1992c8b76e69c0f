"""Frameworks as a table: a row a requirement, the first row the names of the columns. Pure."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence

from desks.compliance.frameworks.reading.draft import (
    LONGEST_TEXT,
    MOST_REQUIREMENTS,
    Draft,
    Node,
    no_framework,
)

COLUMNS = ("ref", "parent", "title", "text", "domain", "assessable")
EXAMPLE = (
    ("1", "", "Contracts", "", "Contracts", "no"),
    ("1.1", "1", "", "The contract describes all services that are provided.", "Contracts", "yes"),
    ("1.1.a", "1.1", "", "It names the countries in which data is stored.", "Contracts", "yes"),
)
_YES = {"", "yes", "y", "true", "1", "x", "ja", "oui", "sí", "si"}
_NO = {"no", "n", "false", "0", "-", "nein", "non"}
_TRANSLATED = re.compile(r"(title|text):([a-z]{2,3}(?:-[a-z0-9]{2,8})?)$")


def read_csv(text: str) -> Draft:
    """Raises ExtractionError."""
    csv.field_size_limit(10 * LONGEST_TEXT)
    sample = text[:10_000].splitlines()[0] if text.strip() else ""
    mark = max(",;\t", key=sample.count)
    try:
        return read_rows("CSV", list(csv.reader(io.StringIO(text), delimiter=mark)))
    except csv.Error as error:
        raise no_framework("This file is not valid CSV: {error}.", error=str(error)) from None


def read_rows(source: str, rows: Sequence[Sequence[str]]) -> Draft:
    """Raises ExtractionError, which names the row."""
    filled = [
        (number, [cell.strip() for cell in row])
        for number, row in enumerate(rows, start=1)
        if any(cell.strip() for cell in row)
    ]
    if not filled:
        raise no_framework("This table is empty.")
    heads = [cell.lower() for cell in filled[0][1]]
    known = {head for head in heads if head in COLUMNS or _TRANSLATED.match(head)}
    if "text" not in known and "title" not in known:
        raise no_framework(
            "The first row of this table names no column “text” or “title”. The columns are {names}; the "
            "template has them.",
            names=", ".join(COLUMNS),
        )
    if len(known) < sum(head in known for head in heads):
        raise no_framework("Two columns of this table have the same name.")
    if len(filled) - 1 > MOST_REQUIREMENTS:
        raise no_framework(
            "This table has {n} rows; {most} are allowed.", n=len(filled) - 1, most=MOST_REQUIREMENTS
        )
    table = [
        (number, {head: cell for head, cell in zip(heads, cells, strict=False) if head in known})
        for number, cells in filled[1:]
    ]
    return Draft(name="", source=source, nodes=tuple(_nodes(table)))


def _nodes(table: Sequence[tuple[int, Mapping[str, str]]]) -> Iterator[Node]:
    """In the order of the file, children moved behind their parents."""
    refs: dict[str, int] = {}
    for place, (number, row) in enumerate(table):
        ref = row.get("ref", "")
        if ref and ref in refs:
            raise no_framework("Row {row}: the reference {ref} is there twice.", row=number, ref=ref[:60])
        refs[ref or f"\0{place}"] = place
    children: dict[int | None, list[int]] = {}
    for place, (number, row) in enumerate(table):
        children.setdefault(_parent(number, row, refs), []).append(place)
    waiting = [(place, 0) for place in reversed(children.get(None, []))]
    given = 0
    while waiting:
        place, depth = waiting.pop()
        given += 1
        yield _node(*table[place], depth)
        waiting += [(child, depth + 1) for child in reversed(children.get(place, []))]
    if given < len(table):
        raise no_framework("Some rows name one another as parents.")


def _parent(number: int, row: Mapping[str, str], refs: Mapping[str, int]) -> int | None:
    """By its reference; where the column is empty, the longest reference that this one begins with."""
    named = row.get("parent", "")
    if named:
        if named not in refs:
            raise no_framework(
                "Row {row}: there is no row with the reference {ref}, its parent.", row=number, ref=named[:60]
            )
        return refs[named]
    ref = row.get("ref", "")
    ends = [match.start() for match in re.finditer(r"[.(/\s-]", ref)]
    return next((refs[ref[:end]] for end in reversed(ends) if end and ref[:end] in refs), None)


def _node(number: int, row: Mapping[str, str], depth: int) -> Node:
    said = row.get("assessable", "").lower()
    if said not in _YES | _NO:
        raise no_framework(
            "Row {row}: “{value}” in the column assessable is neither yes nor no.",
            row=number,
            value=said[:40],
        )
    if not (row.get("title") or row.get("text")):
        raise no_framework("Row {row} has neither a title nor a text.", row=number)
    translations: dict[str, dict[str, str]] = {}
    for head, cell in row.items():
        if (match := _TRANSLATED.match(head)) and cell:
            translations.setdefault(match[2], {})[match[1]] = cell
    is_heading = "assessable" in row and said == "" and not row.get("text")
    return Node(
        depth=depth,
        ref=row.get("ref", ""),
        title=row.get("title", ""),
        text=row.get("text", ""),
        domain=row.get("domain", ""),
        translations=translations,
        is_assessable=said in _YES and not is_heading,
    )

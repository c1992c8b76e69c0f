"""Whether a claim takes a figure of a table from the row and the column that it names."""

from collections.abc import Iterator

from citations.support.alignment import Alignment
from citations.support.outcome import Difference
from english.reading import Reading


def cells_differ(alignment: Alignment) -> Iterator[Difference]:
    """The first figure that stands in another row or column than the claim's words for it."""
    quote = alignment.quote
    head_rows = _head_rows(quote)
    for place, there in sorted(alignment.to_quote.items()):
        token = quote.tokens[there]
        if not token.quantity or token.row in head_rows or token.cell == 0:
            continue
        surface = alignment.claim.tokens[place].surface
        label = [
            other
            for other in quote.content
            if quote.tokens[other].row == token.row and quote.tokens[other].cell == 0
        ]
        if label and not any(other in alignment.to_claim for other in label):
            yield Difference(text=f"In the quote “{surface}” stands in the row “{_text(quote, label)}”.")
        heads = _heads(quote, head_rows, token.row)
        own = _column(quote, token.row, token.cell, head_rows)
        named = {
            column for column, places in heads.items() if any(other in alignment.to_claim for other in places)
        }
        if named - {own}:
            yield Difference(
                exact=own in heads and own not in named,
                text=f"In the quote “{surface}” stands under “{_text(quote, heads.get(own, []))}”.",
            )
        if not named and len(heads) > 1:
            yield Difference(
                text=f"The row has {len(heads)} columns, and the claim does not say which it means."
            )


def _head_rows(quote: Reading) -> set[int]:
    """Rows above the first that has a label and a figure beside it."""
    rows = sorted({token.row for token in quote.tokens})
    labelled = {token.row for token in quote.tokens if token.cell == 0 and token.is_content}
    figures = {token.row for token in quote.tokens if token.cell > 0 and token.quantity}
    first = next((row for row in rows if row in labelled and row in figures), len(rows))
    return {row for row in rows if row < first}


def _width(quote: Reading, row: int) -> int:
    return max((token.cell for token in quote.tokens if token.row == row), default=0)


def _column(quote: Reading, row: int, cell: int, head_rows: set[int]) -> int:
    """The column counted from the right, as rows may lack the empty cell over their labels."""
    return _width(quote, row) - cell


def _heads(quote: Reading, head_rows: set[int], row: int) -> dict[int, list[int]]:
    """For each column, counted from the right, the words that stand over it and over no other."""
    columns: dict[int, list[int]] = {}
    for place in quote.content:
        token = quote.tokens[place]
        if token.row in head_rows and _width(quote, token.row) > 0:
            column = _width(quote, token.row) - token.cell
            if column < _width(quote, row) or not _width(quote, row):
                columns.setdefault(column, []).append(place)
    said = {column: {_key(quote, place) for place in places} for column, places in columns.items()}
    return {
        column: [
            place
            for place in places
            if not any(_key(quote, place) in keys for other, keys in said.items() if other != column)
        ]
        for column, places in columns.items()
    }


def _key(quote: Reading, place: int) -> str:
    token = quote.tokens[place]
    return token.key or str(token.quantity)


def _text(quote: Reading, places: list[int]) -> str:
    return " ".join(dict.fromkeys(quote.tokens[place].surface for place in places))

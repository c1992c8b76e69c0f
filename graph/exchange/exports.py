"""The graph as a file: its text piece by piece, for the command, for REST and for the page's links."""

import json
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

from datasources.models import Datasource
from graph.exchange.graphml import graphml, node_link
from graph.exchange.jsonl_export import export_rows

BLOCK = 1 << 16  # characters sent at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A form that the graph can be had in; `pieces` give its text."""

    mime: str
    ending: str
    pieces: Callable[[Datasource], Iterator[str]]


def exchange_lines(datasource: Datasource) -> Iterator[str]:
    """What `import_graph` takes in again."""
    return (json.dumps(row, ensure_ascii=False) + "\n" for row in export_rows(datasource))


FORMS = {
    "jsonl": Form(mime="application/x-ndjson", ending="jsonl", pieces=exchange_lines),
    "graphml": Form(mime="application/xml", ending="graphml", pieces=graphml),
    "json": Form(mime="application/json", ending="json", pieces=node_link),
}


def blocks(pieces: Iterator[str]) -> Iterator[bytes]:
    """The pieces, joined so that none is tiny."""
    waiting: list[str] = []
    length = 0
    for piece in pieces:
        waiting.append(piece)
        length += len(piece)
        if length >= BLOCK:
            yield "".join(waiting).encode()
            waiting, length = [], 0
    yield "".join(waiting).encode()


def next_of(made: Iterator[bytes]) -> bytes:
    """Empty at the end."""
    return next(made, b"")


def download(datasource: Datasource, form: Form) -> StreamingHttpResponse:
    """The file, made while it is sent."""
    made = blocks(form.pieces(datasource))

    async def content() -> AsyncIterator[bytes]:
        while block := await sync_to_async(next_of)(made):
            yield block

    response = StreamingHttpResponse(content(), content_type=f"{form.mime}; charset=utf-8")
    name = f"{datasource.name}, graph.{form.ending}"
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response

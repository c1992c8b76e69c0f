"""The graph as a file: its text piece by piece, for the command, for REST and for the page's links."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.http import StreamingHttpResponse

from datasources.models import Datasource
from datasources.storage.in_blocks import text_in_blocks
from datasources.web.downloads import saved_as
from graph.exchange.graphml import graphml, node_link
from graph.exchange.jsonl_export import export_rows


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


def download(datasource: Datasource, form: Form) -> StreamingHttpResponse:
    """The file, made while it is sent."""
    made = text_in_blocks(form.pieces(datasource))
    response = StreamingHttpResponse(made, content_type=f"{form.mime}; charset=utf-8")
    name = f"{datasource.name}, graph.{form.ending}"
    response["Content-Disposition"] = saved_as(name)
    return response

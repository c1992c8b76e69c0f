"""The graph as other programs draw it: GraphML, and JSON of nodes and edges. Hidden entities stay out."""

import json
import re
from collections.abc import Iterator
from typing import Any
from xml.sax.saxutils import escape

from datasources.models import Datasource
from graph.models import Entity, Relation

_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

NODE_FIELDS = {
    "name": "string",
    "types": "string",
    "description": "string",
    "mentions": "int",
    "documents": "int",
}
EDGE_FIELDS = {
    "type": "string",
    "description": "string",
    "keywords": "string",
    "strength": "double",
    "mentions": "int",
}


def nodes(datasource: Datasource) -> Iterator[dict[str, Any]]:
    for entity in (
        Entity.objects.filter(datasource=datasource, hidden=False).order_by("key", "sense").iterator()
    ):
        yield {
            "id": entity.pk,
            "name": entity.name,
            "types": entity.types,
            "description": entity.description,
            "mentions": entity.mention_count,
            "documents": entity.document_count,
        }


def edges(datasource: Datasource) -> Iterator[dict[str, Any]]:
    shown = Relation.objects.filter(datasource=datasource, source__hidden=False, target__hidden=False)
    for relation in shown.order_by("source__key", "source__sense", "target__key", "target__sense").iterator():
        yield {
            "source": relation.source_id,
            "target": relation.target_id,
            "type": relation.type,
            "description": relation.description,
            "keywords": relation.keywords,
            "strength": relation.strength,
            "mentions": relation.mention_count,
        }


def nodes_and_edges(datasource: Datasource) -> Iterator[tuple[str, dict[str, Any]]]:
    """All nodes, then all edges. Edges that came after the nodes were read stay out: no end is missing."""
    known: set[int] = set()
    for node in nodes(datasource):
        known.add(node["id"])
        yield "node", node
    for edge in edges(datasource):
        if edge["source"] in known and edge["target"] in known:
            yield "edge", edge


def node_link(datasource: Datasource) -> Iterator[str]:
    """The text of {"directed": true, "nodes": [...], "edges": [...]}; an edge's ends are ids of nodes."""
    yield '{"directed": true, "multigraph": false, "graph": {}, "nodes": ['
    last, comma = "node", ""
    for kind, value in nodes_and_edges(datasource):
        if kind != last:
            yield '], "edges": ['
            last, comma = kind, ""
        yield f"{comma}\n{json.dumps(value, ensure_ascii=False)}"
        comma = ","
    yield "]}\n" if last == "edge" else '], "edges": []}\n'


def graphml(datasource: Datasource) -> Iterator[str]:
    """The lines of a GraphML file, for Gephi, yEd, Cytoscape or networkx. Lists are joined by commas."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
    for kind, fields in (("node", NODE_FIELDS), ("edge", EDGE_FIELDS)):
        for name, type_ in fields.items():
            yield f'<key id="{kind}_{name}" for="{kind}" attr.name="{name}" attr.type="{type_}"/>\n'
    yield '<graph edgedefault="directed">\n'
    for kind, value in nodes_and_edges(datasource):
        if kind == "node":
            yield f'<node id="n{value["id"]}">{_data("node", NODE_FIELDS, value)}</node>\n'
        else:
            ends = f'source="n{value["source"]}" target="n{value["target"]}"'
            yield f"<edge {ends}>{_data('edge', EDGE_FIELDS, value)}</edge>\n"
    yield "</graph>\n</graphml>\n"


def _data(kind: str, fields: dict[str, str], values: dict[str, Any]) -> str:
    return "".join(f'<data key="{kind}_{name}">{_text(values[name])}</data>' for name in fields)


def _text(value: Any) -> str:
    text = ", ".join(value) if isinstance(value, list) else str(value)
    return escape(_NOT_XML.sub("", text))

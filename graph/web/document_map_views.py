"""The page of the map: the drawing, the list as its equal, the panel of one document."""

from dataclasses import dataclass, replace
from typing import Any, Self, cast
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_safe

from datasources.models import Datasource, Document, DocumentStatus
from datasources.numbers import limited
from datasources.web.pages import bar, datasource_for
from graph.aggregate.queue import defer_lay_out_graph
from graph.document_map import queries, similarity
from graph.document_map.build import ABOVE, MOST_NEIGHBOURS, NEIGHBOURS
from graph.document_map.drawing import GREY, NARROW, WIDE, draw, tones
from graph.models import DocumentNode

CLOSE = round(ABOVE * 100)


@dataclass(frozen=True, slots=True, kw_only=True)
class MapQuery:
    """What the address asks for. `above` is in hundredths; 0 and empty mean: not chosen."""

    as_list: bool = False
    words: str = ""
    groups: tuple[str, ...] = ()
    k: int = NEIGHBOURS
    above: int = CLOSE
    by: queries.By = "text"
    document: int = 0

    @classmethod
    def from_query(cls, query: QueryDict) -> Self:
        by = query.get("by", "")
        return cls(
            as_list=query.get("view") == "list",
            words=query.get("q", "").strip()[:200],
            groups=tuple(query.getlist("group")),
            k=limited(query.get("k"), 1, MOST_NEIGHBOURS, NEIGHBOURS),
            above=limited(query.get("above"), 0, 100, CLOSE),
            by=cast(queries.By, by) if by in ("text", "entities") else "text",
            document=limited(query.get("document"), 0, 10**18),
        )

    @property
    def view(self) -> queries.View:
        return queries.View(k=self.k, above=self.above / 100, by=self.by)

    def address(self, **changes: Any) -> str:
        """The query of the same page with other choices; what is as usual is left out."""
        values, usual = replace(self, **changes), type(self)()
        parts: list[tuple[str, Any]] = [("view", "list")] if values.as_list else []
        parts += [("group", name) for name in values.groups]
        named = {"q": "words", "k": "k", "above": "above", "by": "by", "document": "document"}
        for name, field in named.items():
            if (value := getattr(values, field)) != getattr(usual, field):
                parts.append((name, value))
        return f"?{urlencode(parts)}"


@login_required
@require_safe
def documents(request: HttpRequest, pk: int) -> HttpResponse:
    """The page. ?document= opens a panel, ?view=list shows the list."""
    datasource, asked = datasource_for(request, pk), MapQuery.from_query(request.GET)
    nodes = queries.nodes_of(datasource)
    state = state_of(datasource, nodes)
    context = bar(datasource, "graph") | {"asked": asked, "state": state, "half": "documents"}
    if state == "ready":
        context |= drawing_context(nodes, asked)
        chosen = next((node for node in nodes if node.document_id == asked.document), None)
        context |= document_context(chosen, asked, context["tone"]) if chosen else {}
        context["gone"] = bool(asked.document) and chosen is None
    return render(request, "graph/documents.html", context)


def state_of(datasource: Datasource, nodes: list[DocumentNode]) -> str:
    """“ready”; “drawing” until the map is drawn; “few” when there is nothing to compare yet."""
    if len(nodes) > 1:
        return "ready"
    if datasource.documents.filter(status=DocumentStatus.READY).count() < 2:
        return "few"
    defer_lay_out_graph(datasource.pk)
    return "drawing"


def drawing_context(nodes: list[DocumentNode], asked: MapQuery) -> dict[str, Any]:
    """The drawing and the same as rows of the list."""
    edges = similarity.edges(queries.compared(nodes, asked.by), asked.k, asked.above / 100)
    groups = queries.groups_of(nodes)
    if {name for name, _ in groups} <= set(asked.groups):
        asked = replace(asked, groups=())
    drawing, narrow = (
        draw(nodes, edges, groups, selected=asked.document, words=asked.words, only=asked.groups, frame=frame)
        for frame in (WIDE, NARROW)
    )
    tied: dict[int, list[tuple[Document, float]]] = {}
    for a, b, score in edges:
        for one, other in ((a, b), (b, a)):
            tied.setdefault(one, []).append((nodes[other].document, score))
    shown = [i for i, mark in enumerate(drawing.marks) if not mark.dim]
    return {
        "drawing": drawing,
        "drawings": [("wide", WIDE, drawing), ("narrow", NARROW, narrow)],
        "tone": tones([name for name, _ in groups]),
        "rows": [(nodes[i], drawing.marks[i], tied.get(i, [])[: asked.k]) for i in shown],
        "total": len(nodes),
        "here": _open(asked.address(document=0)),
        "as_graph": asked.address(as_list=False),
        "as_list": asked.address(as_list=True),
        "all_groups": asked.address(groups=(), words=""),
    }


def _open(query: str) -> str:
    """The query, ready for one more name and value."""
    return query if query == "?" else f"{query}&"


def document_context(node: DocumentNode, asked: MapQuery, tone: dict[str, str]) -> dict[str, Any]:
    return {
        "node": node,
        "node_tone": tone.get(node.group, GREY),
        "counts": queries.counts(node.document),
        "neighbours": queries.neighbours(node.document, asked.view),
        "only_here": queries.only_here(node.document),
    }

"""The graph page: the drawing and its data, the list as its equal, the panel of one entity."""

import json
from hashlib import sha256
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

from datasources.counts import document_counts
from datasources.models import UNFINISHED, Datasource
from datasources.web.pages import HtmxRequest, bar, can_edit, datasource_for
from graph.aggregate.queue import defer_lay_out_graph
from graph.curation import review
from graph.layout import node_positions
from graph.models import Entity
from graph.models.listing import entities_of
from graph.values.type_styles import TypeStyle, first_style
from graph.web.canvas import canvas
from graph.web.entity_list import count_types, list_context
from graph.web.entity_panel import evidence, panel
from graph.web.first_view import chosen_types
from graph.web.query import FIRST, TIMES, GraphQuery

SUGGESTED = 8
DOCUMENTS = 300  # offered to choose from


@login_required
@require_safe
def graph(request: HtmxRequest, pk: int) -> HttpResponse:
    """The page. ?entity= opens a panel, ?view=list shows the list, which is there without scripts anyway."""
    datasource, asked = datasource_for(request, pk), GraphQuery.from_query(request.GET)
    state = state_of(datasource)
    context = bar(datasource, "graph") | {
        "asked": asked,
        "first": FIRST,
        "times": TIMES,
        "state": state,
        "half": "entities",
    }
    if state in ("ready", "drawing"):
        context |= list_context(datasource, asked)
        context |= {
            "total": datasource.entities.filter(hidden=False).count(),
            "open_pairs": review.count(pk),
            "searchable": document_counts(datasource.documents.all()).searchable,
            "documents": datasource.documents.ready().order_by("title")[:DOCUMENTS],
        }
        entity = datasource.entities.filter(pk=asked.entity).first()
        context |= entity_context(request, entity, asked) if entity else {}
        context["gone"] = bool(asked.entity) and entity is None
    return render(request, "graph/graph.html", context)


def state_of(datasource: Datasource) -> str:
    """“ready”; “drawing” until the first layout; “building” while the first are read; else “empty”."""
    if not datasource.entities.exists():
        reading = datasource.documents.filter(status__in=UNFINISHED).exists()
        return "building" if reading else "empty"
    if not node_positions.exist(datasource):
        defer_lay_out_graph(datasource.pk)
        return "drawing"
    return "ready"


# --- the island's data -----------------------------------------------------------------------------------
@login_required
@require_safe
def data(request: HtmxRequest, pk: int) -> HttpResponse:
    """The drawing as JSON, see `canvas`. An unchanged graph is answered with 304."""
    datasource, asked = datasource_for(request, pk), GraphQuery.from_query(request.GET)
    types = chosen_types(asked.types, count_types(datasource, asked.document))
    drawn = canvas(
        datasource, shown=asked.shown, types=sorted(types), document=asked.document, entity=asked.entity
    )
    content = json.dumps(drawn, ensure_ascii=False, separators=(",", ":")).encode()
    etag = f'"{sha256(content).hexdigest()[:32]}"'
    fresh = HttpResponse(content, content_type="application/json")
    response = get_conditional_response(request, etag=etag, response=fresh) or fresh
    response["ETag"] = etag
    return response


@login_required
@require_safe
def entities(request: HtmxRequest, pk: int) -> HttpResponse:
    """Suggestions for ?q=, for the field that finds an entity; the list for who has no scripts."""
    datasource, asked = datasource_for(request, pk), GraphQuery.from_query(request.GET)
    if not request.htmx:
        return redirect(reverse("graph", args=[pk]) + asked.address(as_list=True))
    found = entities_of(datasource, words=asked.words)[:SUGGESTED] if asked.words else []
    suggested: list[tuple[Entity, TypeStyle]] = [(entity, first_style(entity.types)) for entity in found]
    return render(
        request, "graph/_suggestions.html", {"suggested": suggested, "words": asked.words, "pk": pk}
    )


# --- one entity ------------------------------------------------------------------------------------------
@login_required
@require_safe
def entity(request: HtmxRequest, pk: int, entity: int) -> HttpResponse:
    """The article on an entity: in the panel beside the graph, or as a page."""
    datasource, asked = datasource_for(request, pk), GraphQuery.from_query(request.GET)
    found = get_object_or_404(datasource.entities, pk=entity)
    context = bar(datasource, "graph") | entity_context(request, found, asked)
    return render(request, "graph/_entity.html" if request.htmx else "graph/entity.html", context)


def entity_context(request: HtmxRequest, entity: Entity, asked: GraphQuery) -> dict[str, Any]:
    opened = entity.datasource.relations.filter(pk=asked.relation).first() if asked.relation else None
    return {
        "entity": entity,
        "panel": panel(entity, asked.mentions),
        "opened": opened,
        "evidence": evidence(opened) if opened else [],
        "may_edit": can_edit(request, entity.datasource),
    }


@login_required
@require_safe
def relation(request: HtmxRequest, pk: int, relation: int) -> HttpResponse:
    """The quotes that a relation rests on; its source's panel, opened there, for who has no scripts."""
    datasource = datasource_for(request, pk)
    found = get_object_or_404(datasource.relations.select_related("source", "target"), pk=relation)
    if not request.htmx:
        query = {"entity": found.source_id, "relation": found.pk}
        return redirect(reverse("graph", args=[pk], query=query))
    return render(request, "graph/_evidence.html", {"relation": found, "evidence": evidence(found)})

"""The page on which papers are chosen on two maps."""

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from datasources.numbers import numbers_in
from datasources.web.pages import HtmxRequest, bar, datasource_for
from desks.research.web.maps import maps_of
from graph.document_map import queries
from graph.web.document_map_views import state_of


@login_required
@require_safe
def maps(request: HtmxRequest, pk: int) -> HttpResponse:
    """?documents= are chosen. Each mark is a link to the page after a click on it."""
    datasource = datasource_for(request, pk)
    nodes = queries.nodes_of(datasource)
    context = bar(datasource, "papers") | {"state": state_of(datasource, nodes)}
    if context["state"] == "ready":
        drawn = maps_of(datasource, nodes, numbers_in(request.GET.getlist("documents")))
        context |= {
            "maps": drawn,
            "papers": [(mark, _address(mark.then)) for mark in drawn.papers],
            "things": [(mark, _address(mark.then)) for mark in drawn.things],
            "chosen": [(mark, _address(mark.then)) for mark in drawn.chosen],
        }
    return render(request, "research/maps.html", context)


def _address(documents: object) -> str:
    return f"?{urlencode({'documents': documents}, doseq=True)}"

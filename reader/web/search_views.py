"""The search page: of one datasource, and of all that a person may see."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe
from django_htmx.http import replace_url

from datasources.models import Datasource, Document
from datasources.web.pages import HtmxRequest, bar, datasource_for, signed_in
from ingestion.models import Chunk
from jobs.fair_slots import Busy
from localization.lists import either, in_quotes
from providers.spending.metering import Payer
from reader.search import choices, results
from reader.search.asked import LONGEST, Asked
from reader.search.days_added import days_of
from reader.search.finding import count_documents, find
from reader.search.in_the_way import in_the_way
from reader.search.listing import PER_PAGE, list_all
from reader.search.markup import has_markup, markup_with
from retrieval.engine.embedders import SharedEmbedders
from retrieval.legs.mentions import SECONDS
from retrieval.slots import MOST_DATASOURCES, SCANS, SEARCHES
from sql.time_limit import TooSlow


@login_required
@require_safe
def search(request: HtmxRequest, pk: int) -> HttpResponse:
    """?q= the words, ?exact=1 for the exact words, ?exact=markup for comments and tracked changes; filters
    ?document=, ?type=, ?tag=, ?since=, ?until=.
    """
    datasource = datasource_for(request, pk)
    asked = replace(Asked.from_query(request.GET), datasources=frozenset())
    return _page(request, asked, [datasource], bar(datasource, "search"), reverse("search", args=[pk]))


@login_required
@require_safe
def search_all(request: HtmxRequest) -> HttpResponse:
    """The same, and ?datasource= for some of them."""
    asked = replace(Asked.from_query(request.GET), everywhere=True)
    every = list(Datasource.objects.listed_for(signed_in(request)).order_by("-updated"))
    asked = replace(asked, datasources=asked.datasources & {each.pk for each in every})
    chosen = [each for each in every if each.pk in asked.datasources] or every
    left_out = max(0, len(chosen) - MOST_DATASOURCES)
    context = {"tab": "search", "every": every, "left_out": left_out, "most": MOST_DATASOURCES}
    return _page(request, asked, chosen[:MOST_DATASOURCES], context, reverse("search_all"))


def _page(
    request: HtmxRequest,
    asked: Asked,
    datasources: Sequence[Datasource],
    context: dict[str, Any],
    here: str,
) -> HttpResponse:
    context |= {"asked": asked, "here": here, "longest": LONGEST}
    person = signed_in(request).pk
    try:
        is_scan = asked.text and (asked.exact or asked.markup)
        with (SCANS if is_scan else SEARCHES).taken_by(person):
            context |= _searched(datasources, asked)
            embedders = SharedEmbedders(Payer.asking(person, [each.pk for each in datasources]))
            context |= _results(asked, datasources, person, embedders)
            if asked.text and asked.is_narrowed and not asked.markup and not context["groups"]:
                every = context.get("every", datasources)
                context["filtered_out"] = in_the_way(asked, datasources, every, person, embedders)
    except Busy:
        context["stopped"] = _("Many searches are running at the moment. Press Enter to search again.")
    except TooSlow:
        context["stopped"] = ngettext(
            "Reading through all passages took longer than {n} second, so it was stopped. "
            "Choose fewer documents, or search for the closest passages.",
            "Reading through all passages took longer than {n} seconds, so it was stopped. "
            "Choose fewer documents, or search for the closest passages.",
            SECONDS,
        ).format(n=SECONDS)
    if "stopped" in context:
        context |= _ticked(datasources, asked)
    if "every" in context:
        in_datasource = Counter({each.pk: 0 for each in datasources if asked.text})
        for group in context.get("groups", ()):
            in_datasource[group.datasource.pk] += len(group.hits)
        for group in context["markup"].groups if "markup" in context else ():
            in_datasource[group.datasource.pk] += len(group.remarks)
        context["datasources"] = choices.datasources(context["every"], in_datasource, asked)
    boxes = {name: context.get(f"{name}s", []) for name in ("datasource", "document", "type", "tag")}
    context["filters_set"] = choices.filters_set(asked, boxes)
    if not request.htmx:
        return render(request, "reader/search.html", context)
    query = replace(asked, everywhere=False).query
    address = f"{here}?{query}" if query else here
    return replace_url(render(request, "reader/_found.html", context | {"oob": True}), address)


def _searched(datasources: Sequence[Datasource], asked: Asked) -> dict[str, Any]:
    """What there is to search, and the filters that do not depend on what is found."""
    return {
        "searched": Chunk.objects.filter(datasource__in=datasources).searchable().count(),
        "searched_documents": Document.objects.ready().filter(datasource__in=datasources).count(),
        "types": choices.types(datasources, asked),
        "tags": choices.tags(datasources, asked),
        "days": days_of(datasources, asked),
        "has_markup": asked.markup or has_markup(datasources),
    }


def _ticked(datasources: Sequence[Datasource], asked: Asked) -> dict[str, Any]:
    """The filters that are set, so that they stay set if nothing could be searched."""
    return {
        "documents": choices.documents(datasources, {}, asked),
        "types": choices.ticked_types(asked),
        "tags": choices.ticked_tags(asked),
    }


def _results(
    asked: Asked, datasources: Sequence[Datasource], person: int, embedders: SharedEmbedders
) -> dict[str, Any]:
    if not asked.text:
        return {"documents": choices.documents(datasources, {}, asked)}
    if asked.markup:
        markup = markup_with(asked, datasources, person)
        return {"markup": markup, **_boxes(asked, datasources, person, markup.counts)}
    if asked.exact:
        listed = list_all(asked, datasources, person)
        return {
            "listed": listed,
            "from": (listed.page - 1) * PER_PAGE + 1,
            "to": min(listed.page * PER_PAGE, listed.count),
            "groups": results.of_listed(listed, asked, datasources),
            **_boxes(asked, datasources, person, listed.counts),
            "documents_left": choices.left_out(listed.counts),
        }
    found = find(asked, datasources, person, embedders)
    everything = find(asked.without_documents, datasources, person, embedders) if asked.documents else found
    counts = Counter(passage.evidence.document_id for passage in everything.passages)
    groups = results.of_found(found, asked)
    return {
        "found": found,
        "absent": _any_of(found.absent),
        "groups": groups,
        "passages": sum(len(group.hits) for group in groups),
        "with_words": sum(group.with_words for group in groups),
        **_boxes(asked, datasources, person, counts),
    }


def _any_of(words: Sequence[str]) -> str:
    """“a”, “b” or “c”; empty without any."""
    return either([in_quotes(Truncator(word).chars(40)) for word in words])


def _boxes(
    asked: Asked, datasources: Sequence[Datasource], person: int, counts: Mapping[int, int]
) -> dict[str, Any]:
    """The documents to choose from, and how many others that pass the other filters have no passage."""
    boxes = choices.documents(datasources, counts, asked)
    told = len(counts) + sum(not box.count for box in boxes)  # one that is ticked has a box in any case
    looked_in = count_documents(asked.without_documents, datasources, person)
    return {"documents": boxes, "documents_without": max(0, looked_in - told)}

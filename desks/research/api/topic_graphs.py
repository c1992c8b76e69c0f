"""`build_graph`, as programs of a paper assistant send it: papers on a topic with what ties them.

A session is a datasource of abstracts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.core.exceptions import ValidationError
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import refuse_limited_token, signed_in
from accounts.api_tokens import still_counts
from accounts.models import TokenScope, User
from accounts.quotas import QuotaUsedUp
from chat.api.waiting import LOST, Answer, Coroutines, View, looked_for, standing_for
from datasources.models import UNFINISHED, Datasource
from datasources.services import own_datasource
from desks.research import papers, searching
from desks.research.arxiv_api.feed import ArxivPaper
from desks.research.arxiv_api.query import PAGE, PaperQuery
from desks.research.models import Paper, PaperSearch, SearchStatus
from desks.research.services import prepare_graph
from formats.base.characters import visible_name
from graph.document_map import similarity
from graph.document_map.build import ABOVE, MOST_NEIGHBOURS, bring_nodes, vectors_of
from graph.models import Entity, Relation
from graph.web.relation_words import relation_types, sure_verb
from jobs.threads import SEARCHES
from retrieval.api.errors import CompatibleView, with_error
from retrieval.api.refusals import Code, Refusal

LONGEST_NAME = 100  # characters of a datasource that is named after a topic
MOST_NAMED, MOST_TIED = 500, 2_000  # entities and relations of the answer, the most frequent
TIED = "related to"


class TopicSerializer(serializers.Serializer[Any]):
    """Other fields are ignored."""

    topic = serializers.CharField(max_length=500)
    max_results = serializers.IntegerField(required=False, default=10, min_value=1, max_value=PAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be found, for whom."""

    search: UUID
    reader: User
    topic: str
    most: int


class BuildGraph(CompatibleView):
    """Papers on a topic, how alike they are, and the graph of what their abstracts say."""

    token_scope = TokenScope.WRITE

    @extend_schema(exclude=True)
    def post(self, request: Request) -> Response:
        """Searches arXiv, keeps the abstracts in a datasource named after the topic, and waits until they are
        read.
        """
        refuse_limited_token(request)
        given = TopicSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        person, topic = signed_in(request), given.validated_data["topic"]
        row = searching.find(person, PaperQuery.of({"words": topic}))
        response = Response({})
        response.wanted = Wanted(  # type: ignore[attr-defined]
            search=row.pk, reader=person, topic=topic, most=given.validated_data["max_results"]
        )
        return response

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        return _built(super().as_view(**initkwargs))


def _built(view: View) -> Coroutines:
    """The view, then the end of the search and of the reading of what it found."""

    async def wrapped(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        response = await sync_to_async(view)(request, **kwargs)
        wanted: Wanted | None = getattr(response, "wanted", None)
        if wanted is not None:
            await sync_to_async(close_old_connections)()
            response.status_code, response.data = await _answer(wanted)  # type: ignore[attr-defined]
        return response

    return standing_for(view, wrapped)


async def _answer(wanted: Wanted) -> Answer:
    found = await looked_for(lambda: _searched(wanted))
    if found is None:
        return _refused("arXiv has not answered within five minutes.", "Send the same again later.")
    if found.status == SearchStatus.FAILED:
        return _refused(found.error_message, found.error_hint or "Send the same again in a minute.")
    try:
        number = await SEARCHES.run(_collected, wanted, found.papers[: wanted.most])
    except ValidationError as refusal:
        told = {
            "code": getattr(refusal, "code", None) or "invalid",
            "message": refusal.messages[0],
            "hint": "",
        }
        is_late = isinstance(refusal, QuotaUsedUp) and refusal.wait
        code = status.HTTP_429_TOO_MANY_REQUESTS if is_late else status.HTTP_400_BAD_REQUEST
        return code, with_error(told)
    session = await looked_for(lambda: _read(wanted, number))
    numbers = [paper.number for paper in found.papers[: wanted.most]]
    return await SEARCHES.run(_graph, wanted, number, numbers, session is not None)


def _refused(message: str, hint: str) -> Answer:
    response = Refusal(Code.SEARCH_FAILED, message, hint).response()
    return response.status_code, with_error(response.data)


def _searched(wanted: Wanted) -> PaperSearch | None:
    """The search once it has ended; one that is gone counts as failed."""
    row = PaperSearch.objects.filter(pk=wanted.search).first() if still_counts(wanted.reader) else None
    if row is None:
        return PaperSearch(status=SearchStatus.FAILED, error_message="The search is gone.")
    return None if row.is_unfinished else row


def _collected(wanted: Wanted, found: Sequence[ArxivPaper]) -> int:
    """The datasource of the topic with the abstracts of these papers. Raises ValidationError."""
    datasource = _session_of(wanted.reader, wanted.topic)
    here = papers.here(datasource, [each.number for each in found])
    for paper in found:
        if paper.number not in here and paper.abstract:
            papers.keep_abstract(datasource, wanted.reader, paper)
    return datasource.pk


def _session_of(person: User, topic: str) -> Datasource:
    datasource = own_datasource(person, visible_name(f"Papers: {topic}")[:LONGEST_NAME].strip())
    prepare_graph(datasource)
    return datasource


def _read(wanted: Wanted, datasource: int) -> int | None:
    """The datasource once all of it is read, or it is gone."""
    visible = Datasource.objects.visible_to(wanted.reader).filter(pk=datasource)
    if visible.filter(documents__status__in=UNFINISHED).exists() and still_counts(wanted.reader):
        return None
    return datasource


def _graph(wanted: Wanted, number: int, found: Sequence[str], is_whole: bool) -> Answer:
    """Of the papers that were found now; the session may have more."""
    datasource = Datasource.objects.visible_to(wanted.reader).filter(pk=number).first()
    if datasource is None or not still_counts(wanted.reader):
        return status.HTTP_404_NOT_FOUND, with_error(LOST)
    papers_found = Paper.objects.of(datasource).filter(number__in=found)
    rows = {paper.document_id: paper for paper in papers_found}
    return status.HTTP_200_OK, {
        "success": True,
        "session_id": str(datasource.pk),
        "complete": is_whole,
        "nodes": [_node(paper) for paper in rows.values()],
        "edges": _edges(datasource, rows),
        "knowledge_graph": _knowledge(datasource),
    }


def _node(paper: Paper) -> dict[str, Any]:
    return {
        "id": paper.number,
        "title": paper.title,
        "summary": paper.abstract,
        "authors": paper.authors,
        "published": paper.published.isoformat(),
        "link": paper.as_arxiv_paper.link,
    }


def _edges(datasource: Datasource, rows: dict[int, Paper]) -> list[dict[str, Any]]:
    """Papers whose texts are alike: the cosine of their vectors, above ABOVE."""
    nodes = [node for node in bring_nodes(datasource.pk) if node.document_id in rows]
    numbers = [rows[node.document_id].number for node in nodes]
    found = similarity.edges(vectors_of(nodes), MOST_NEIGHBOURS, ABOVE)
    return [{"source": numbers[a], "target": numbers[b], "weight": weight} for a, b, weight in found]


def _knowledge(datasource: Datasource) -> dict[str, Any]:
    shown = Entity.objects.filter(datasource=datasource, hidden=False)
    types = relation_types(datasource)
    relations = (
        Relation.objects.filter(datasource=datasource, source__hidden=False, target__hidden=False)
        .select_related("source", "target")
        .order_by("-strength", "pk")[:MOST_TIED]
    )
    return {
        "nodes": [
            {"name": entity.name, "type": entity.types[0] if entity.types else "other"}
            for entity in shown.order_by("-mention_count", "pk")[:MOST_NAMED]
        ],
        "edges": [
            {
                "source": relation.source.name,
                "relation": sure_verb(relation.keywords, types) or TIED,
                "target": relation.target.name,
            }
            for relation in relations
        ],
    }

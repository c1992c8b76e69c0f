"""REST: the graph's entities and relations with where they are told, and what people decide about them."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import generics, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_tokens import BY_METHOD
from datasources.api.views import find_datasource, find_row
from datasources.models import Datasource, Role
from graph.api.serializers import (
    ALIAS,
    CandidateSerializer,
    DecidedSerializer,
    DecisionSerializer,
    EntityDetailSerializer,
    EntityQuery,
    EntitySerializer,
    MentionSerializer,
    NewDecisionSerializer,
    RelationDetailSerializer,
    RelationEvidenceSerializer,
    RelationQuery,
    RelationSerializer,
    VerdictSerializer,
)
from graph.curation import services
from graph.curation.decisions import holder
from graph.curation.review import open_candidates
from graph.models import (
    OF_RELATIONS,
    Decision,
    DecisionKind,
    Entity,
    EntityMention,
    EntityName,
    MergeCandidate,
    Relation,
    RelationMention,
)
from graph.models.listing import entities_of, evidence_of, mentions_of, relations_of


def list_parameters(request: Request, query: type[Serializer[Any]]) -> dict[str, Any]:
    """The parameters of a list's address. Raises rest_framework's ValidationError."""
    given = query(data=request.query_params)
    given.is_valid(raise_exception=True)
    return given.validated_data


# --- entities and relations ------------------------------------------------------------------------------
class Entities(generics.ListAPIView[Entity]):
    """The things that a datasource's documents name."""

    token_scope = BY_METHOD
    serializer_class = EntitySerializer
    queryset = Entity.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Entity]:
        datasource = find_datasource(self.request, self.kwargs["pk"])
        query = list_parameters(self.request, EntityQuery)
        return entities_of(
            datasource,
            words=query.get("q", ""),
            types=query.get("type", ()),
            documents=query.get("document", ()),
            min_mentions=query.get("min_mentions", 0),
            hidden=query["hidden"],
            order=query["order"],
        )

    @extend_schema(parameters=[EntityQuery])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class EntityDetail(APIView):
    """One entity: its names, what it is connected with, where documents mention it."""

    token_scope = BY_METHOD

    @extend_schema(responses=EntityDetailSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return Response(EntityDetailSerializer(find_row(request, Entity.objects.all(), pk)).data)


class EntityMentions(generics.ListAPIView[EntityMention]):
    """Every place where the documents name an entity, in reading order."""

    token_scope = BY_METHOD
    serializer_class = MentionSerializer
    queryset = EntityMention.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[EntityMention]:
        return mentions_of(find_row(self.request, Entity.objects.all(), self.kwargs["pk"]))


class Relations(generics.ListAPIView[Relation]):
    """What the documents say about two things, without those that are hidden."""

    token_scope = BY_METHOD
    serializer_class = RelationSerializer
    queryset = Relation.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Relation]:
        datasource = find_datasource(self.request, self.kwargs["pk"])
        query = list_parameters(self.request, RelationQuery)
        return relations_of(
            datasource,
            entity=query.get("entity"),
            words=query.get("q", ""),
            documents=query.get("document", ()),
            min_mentions=query.get("min_mentions", 0),
            order=query["order"],
        )

    @extend_schema(parameters=[RelationQuery])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)


class RelationDetail(APIView):
    """One relation with the statements that prove it."""

    token_scope = BY_METHOD

    @extend_schema(responses=RelationDetailSerializer)
    def get(self, request: Request, pk: int) -> Response:
        rows = Relation.objects.select_related("source", "target")
        return Response(RelationDetailSerializer(find_row(request, rows, pk)).data)


class RelationEvidence(generics.ListAPIView[RelationMention]):
    """Every statement that proves a relation, in reading order."""

    token_scope = BY_METHOD
    serializer_class = RelationEvidenceSerializer
    queryset = RelationMention.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[RelationMention]:
        return evidence_of(find_row(self.request, Relation.objects.all(), self.kwargs["pk"]))


# --- decisions -------------------------------------------------------------------------------------------
class Decisions(generics.ListAPIView[Decision]):
    """What people have decided about the graph, the newest first."""

    token_scope = BY_METHOD
    serializer_class = DecisionSerializer
    queryset = Decision.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Decision]:
        datasource = find_datasource(self.request, self.kwargs["pk"])
        return datasource.graph_decisions.select_related("decided_by").order_by("-pk")

    @extend_schema(request=NewDecisionSerializer, responses={201: DecidedSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Merge, name, part, rename, retype or hide; dismiss or relate a relation. For later uploads too. For
        editors.
        """
        datasource = find_datasource(request, pk, Role.EDITOR)
        given = NewDecisionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return decision_response(decide(datasource, given.validated_data, request))


def decide(datasource: Datasource, given: dict[str, Any], request: Request) -> Decision:
    """Raises ValidationError."""
    person = signed_in(request)
    kind = given["kind"]
    if kind in (DecisionKind.APART, DecisionKind.SPLIT):
        names = [row_of(datasource, EntityName.objects.all(), pk, "name") for pk in given["names"]]
        if kind == DecisionKind.SPLIT:
            document = row_of(datasource, datasource.documents.current(), given["document"], "document")
            return services.split(names[0], document, person)
        if len(names) == 1:
            return services.separate(names[0], person)
        return services.keep_apart(names[0], names[1], person)
    if kind in OF_RELATIONS:
        relation = row_of(datasource, relations_of(datasource), given["relation"], "relation")
        if kind == DecisionKind.DISMISS:
            return services.dismiss([relation], person)[0]
        return services.relate([relation], given["name"], person)[0]
    entity = row_of(datasource, Entity.objects.all(), given["entity"], "entity")
    if kind == DecisionKind.MERGE:
        other = row_of(datasource, Entity.objects.all(), given["other"], "entity")
        return services.merge(entity, other, person)
    acts: dict[str, Callable[[], Decision]] = {
        ALIAS: lambda: services.add_alias(entity, given["name"], person),
        DecisionKind.RENAME: lambda: services.rename(entity, given["name"], person),
        DecisionKind.RETYPE: lambda: services.retype(entity, given["types"], person),
        DecisionKind.HIDE: lambda: services.hide(entity, person),
    }
    return acts[kind]()


M = TypeVar("M", bound=Model)


def row_of(datasource: Datasource, rows: QuerySet[M], pk: int, what: str) -> M:
    """A row of this datasource. Raises ValidationError."""
    row = rows.filter(datasource=datasource, pk=pk).first()
    if row is None:
        raise ValidationError(
            f"There is no {what} {pk} in this datasource. Nothing was changed; the graph may have grown"
            " since, so list it again.",
            code=f"no_such_{what}",
        )
    return row


def decision_response(decision: Decision) -> Response:
    """The decision, and the entity as it is now."""
    entity = holder(decision.datasource, decision.key, decision.sense)
    row = {"decision": decision, "entity": entity}
    return Response(DecidedSerializer(row).data, status.HTTP_201_CREATED)


class DecisionDetail(APIView):
    """One decision."""

    token_scope = BY_METHOD

    @extend_schema(responses=DecisionSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return Response(DecisionSerializer(find_row(request, Decision.objects.all(), pk)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Undo it: the graph is as if it had never been made. For editors."""
        services.undo(find_row(request, Decision.objects.all(), pk, Role.EDITOR))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Candidates(generics.ListAPIView[MergeCandidate]):
    """Pairs of names that may mean one thing, the likeliest first: for a person to decide."""

    token_scope = BY_METHOD
    serializer_class = CandidateSerializer
    queryset = MergeCandidate.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[MergeCandidate]:
        datasource = find_datasource(self.request, self.kwargs["pk"])
        return datasource.merge_candidates.filter(pk__in=open_candidates(datasource.pk)).select_related(
            "a", "b"
        )


class CandidateDetail(APIView):
    """One pair of names."""

    token_scope = BY_METHOD

    @extend_schema(request=VerdictSerializer, responses={201: DecidedSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Say whether both mean one thing; the pair leaves the list. For editors."""
        rows = MergeCandidate.objects.select_related("a__entity", "b__entity")
        candidate = find_row(request, rows, pk, Role.EDITOR)
        given = VerdictSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        person = signed_in(request)
        one, other = candidate.a.entity, candidate.b.entity
        if not given.validated_data["same"]:
            return decision_response(services.keep_apart(candidate.a, candidate.b, person))
        if one is None or other is None:
            raise Http404
        return decision_response(services.merge(one, other, person))

"""REST: who reads for the graph, what that will cost and has cost, and what has failed."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from datasources.api.number_fields import AmountField, WholeField
from datasources.api.views import find_datasource
from datasources.models import Datasource, Role
from graph.extraction.llm.budget import Estimate, Spend
from graph.extraction.status import ExtractionStatus, estimate, extraction_status, failed_chunks
from graph.models import ChunkExtraction, GraphExtractor, GraphSettings
from graph.services import change_extraction, require_model, retry_chunks
from graph.values.ontology import Ontology
from ingestion.models import Chunk

MAX_CHUNKS = 10_000  # of one request


class SpendSerializer(serializers.Serializer[Spend]):
    """What was spent so far, deleted documents included."""

    calls = serializers.IntegerField()
    cached_calls = serializers.IntegerField(help_text="Saved by answers that were there.")
    prompt_tokens = serializers.IntegerField()
    completion_tokens = serializers.IntegerField()
    tokens = serializers.IntegerField(help_text="Both together: what the budget limits.")
    money = serializers.DecimalField(None, None, allow_null=True, help_text="Null while prices are unknown.")


class ReadingSerializer(serializers.Serializer[ExtractionStatus]):
    """How far the model is, in chunks."""

    read = serializers.IntegerField()
    left = serializers.IntegerField()
    failed = serializers.IntegerField()
    documents_held = serializers.IntegerField(help_text="Documents that wait for a larger budget.")
    is_reading = serializers.BooleanField()
    is_held = serializers.BooleanField(help_text="The budget has stopped it.")


class ChoicesSerializer(KnownFields[GraphSettings], serializers.ModelSerializer[GraphSettings]):
    """What the owner chooses. Empty lists of types: those of the ontology. A budget of null: no limit."""

    token_budget = WholeField(
        required=False,
        allow_null=True,
        min_value=0,
        max_value=2**63 - 1,
        help_text="Tokens that the graph may cost in all.",
    )
    money_budget = AmountField(
        12, 4, required=False, allow_null=True, min_value=0, help_text="What the graph may cost in all."
    )

    class Meta:
        model = GraphSettings
        fields = (
            "extractor",
            "ontology",
            "entity_types",
            "relation_types",
            "token_budget",
            "money_budget",
        )


class TypesSerializer(serializers.Serializer[Any]):
    entities = serializers.ListField(child=serializers.CharField())
    relations = serializers.ListField(child=serializers.CharField(), help_text="Empty: any words.")


class ExtractionSerializer(ChoicesSerializer):
    model = serializers.CharField(allow_blank=True, help_text="Empty when the server has none.")
    types = TypesSerializer(help_text="Those that are in force.")
    spend = SpendSerializer()
    reading = ReadingSerializer()

    class Meta(ChoicesSerializer.Meta):
        fields = (*ChoicesSerializer.Meta.fields, "model", "types", "spend", "reading")  # type: ignore[assignment]


class EstimateSerializer(serializers.Serializer[Estimate]):
    """What it will cost to have the model read what it has not read yet."""

    chunks = serializers.IntegerField()
    calls = serializers.IntegerField()
    cached = serializers.IntegerField(help_text="Answers that exist already and cost nothing.")
    prompt_tokens = serializers.IntegerField()
    completion_tokens = serializers.IntegerField()
    money = serializers.DecimalField(None, None, allow_null=True, help_text="Null while prices are unknown.")
    fits = serializers.BooleanField(help_text="Within what is left of the budget.")


class FailedChunkSerializer(serializers.ModelSerializer[ChunkExtraction]):
    chunk = serializers.IntegerField(source="chunk_id")
    index = serializers.IntegerField(source="chunk.index")
    page = serializers.IntegerField(source="chunk.first_page")

    class Meta:
        model = ChunkExtraction
        fields = ("chunk", "document", "index", "page", "error")
        read_only_fields = fields


class ChunksSerializer(KnownFields[Any]):
    chunks = serializers.ListField(
        child=serializers.IntegerField(),
        required=False,
        max_length=MAX_CHUNKS,
        help_text="Only these; without it all that failed.",
    )


class RetriedSerializer(serializers.Serializer[Any]):
    retried = serializers.IntegerField()


class Extraction(APIView):
    """Who reads for the graph, what it costs, how far it is."""

    token_scope = BY_METHOD

    @extend_schema(responses=ExtractionSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return self.shown(find_datasource(request, pk))

    @extend_schema(request=ChoicesSerializer, responses=ExtractionSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Choose the extractor, the types, the budget. The model then reads what it may and has not read: ask
        for the estimate first. For owners.
        """
        datasource = find_datasource(request, pk, Role.OWNER)
        with transaction.atomic():
            chosen = GraphSettings.objects.locked(datasource)  # what another request has just set stays
            given = ChoicesSerializer(chosen, data=request.data, partial=True)
            given.is_valid(raise_exception=True)
            new = {name: getattr(chosen, name) for name in ChoicesSerializer.Meta.fields}
            new |= given.validated_data
            change_extraction(
                datasource,
                extractor=GraphExtractor(new["extractor"]),
                ontology=Ontology(new["ontology"]),
                entity_types=new["entity_types"],
                relation_types=new["relation_types"],
                tokens=new["token_budget"],
                money=new["money_budget"],
            )
        return self.shown(datasource)

    def shown(self, datasource: Datasource) -> Response:
        chosen, status = GraphSettings.objects.of(datasource), extraction_status(datasource)
        types = {"entities": list(chosen.types.entities), "relations": list(chosen.types.relations)}
        choices = {name: getattr(chosen, name) for name in ChoicesSerializer.Meta.fields}
        values = {"model": status.model, "types": types, "spend": status.spend, "reading": status}
        return Response(ExtractionSerializer(choices | values).data)  # type: ignore[arg-type]


class ExtractionEstimate(APIView):
    """What it would cost to begin now."""

    token_scope = BY_METHOD

    @extend_schema(responses=EstimateSerializer)
    def get(self, request: Request, pk: int) -> Response:
        """Calls, tokens and money for all that the model has not read, whether or not it is chosen yet."""
        datasource = find_datasource(request, pk)
        require_model(datasource)
        return Response(EstimateSerializer(estimate(datasource)).data)


class FailedChunks(generics.ListAPIView[ChunkExtraction]):
    """Chunks that the model could not read; the rules have read them."""

    token_scope = BY_METHOD
    serializer_class = FailedChunkSerializer
    queryset = ChunkExtraction.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[ChunkExtraction]:
        return failed_chunks(find_datasource(self.request, self.kwargs["pk"]))


class ExtractionRetry(APIView):
    """Another try at what has failed."""

    token_scope = BY_METHOD

    @extend_schema(request=ChunksSerializer, responses=RetriedSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Have failed chunks read again, within the budget. For editors."""
        datasource = find_datasource(request, pk, Role.EDITOR)
        given = ChunksSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        chunks = None
        if "chunks" in given.validated_data:
            chunks = Chunk.objects.filter(datasource=datasource, pk__in=given.validated_data["chunks"])
        return Response({"retried": retry_chunks(datasource, chunks)})

"""REST: `rag/retrieve`, the passages for a question."""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.db.models import TextChoices
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import quotas
from accounts.api import signed_in
from accounts.api_fields import KnownFields
from accounts.api_tokens import WithinTokenScopes
from accounts.models import TokenScope, UsageKind, User
from datasources.models import Document
from datasources.models.documents import READ_ELSEWHERE
from providers.protocols import ProviderError
from retrieval.api.document_ids import DocumentIdField, Id
from retrieval.api.documents import scopes_of
from retrieval.api.refusals import Refusal, search_failed
from retrieval.engine import Evidence, Filters, Leg, Query, Rerank, Result
from retrieval.engine.several import retrieve_from
from retrieval.filter_values import KEYS, BadFilter, filters_of
from retrieval.query import LIMIT
from retrieval.slots import MOST_DATASOURCES, SEARCHES
from text.normal_forms.storable import storable

BY_SERVER, BY_MODEL = "bge", "llm"
MAX_QUERY = 4000  # characters
MAX_DOCUMENTS = 10_000
MAX_PASSAGES = 100  # programs rank them again themselves
MAX_GRADE = 100  # characters
MOST_FILTERS, LONGEST_FILTER = 20, 500  # keys, characters of a value
OFF = {"enabled": False}
NO_RERANKER = "No reranker is set on this server."


class Engine(TextChoices):
    ADVANCED = "advanced"  # joins all ways to search
    NAIVE = "naive"  # the nearest in meaning


class RerankSerializer(KnownFields[Any]):
    enabled = serializers.BooleanField(default=True)
    strategy = serializers.ChoiceField([BY_SERVER, BY_MODEL], default=BY_SERVER)
    topK = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_PASSAGES,
        help_text="How many stay, reranked or not; else all.",
    )
    score = serializers.FloatField(
        default=0.0,
        min_value=0,
        max_value=1,
        help_text="The least score that stays, of the search where the reranker failed.",
    )


@extend_schema_field({"oneOf": [{"type": "number"}, {"type": "string"}]})
class GradeField(serializers.Field[Any, Any, Any, Any]):
    """A number is the least similarity, a text the `grade` in the metadata of documents."""

    def to_internal_value(self, data: Any) -> float | str:
        """Raises ValidationError."""
        if isinstance(data, str) and 0 < len(data) <= MAX_GRADE:
            if storable(data) != data:
                raise serializers.ValidationError("Null characters and halves of characters are not allowed.")
            return data
        if isinstance(data, int | float) and not isinstance(data, bool) and 0 <= data <= 1:
            return float(data)
        raise serializers.ValidationError(
            f"Must be a number from 0 to 1, or a text of at most {MAX_GRADE} characters."
        )

    def to_representation(self, value: Any) -> Any:
        return value


@extend_schema_field({"type": "object", "additionalProperties": {}})
class FiltersField(serializers.Field[Any, Any, Any, Any]):
    """Conditions on documents by key, see `retrieval.filter_values`."""

    def to_internal_value(self, data: Any) -> Filters:
        """Raises ValidationError."""
        fits = isinstance(data, dict) and len(data) <= MOST_FILTERS
        if not fits or not all(map(_is_simple, [*data, *data.values()])):
            raise serializers.ValidationError(
                f"Must be an object with at most {MOST_FILTERS} keys, whose values are texts of at most "
                f"{LONGEST_FILTER} characters, numbers, or lists of these."
            )
        try:
            return filters_of(data)
        except BadFilter as error:
            raise serializers.ValidationError(str(error)) from error

    def to_representation(self, value: Any) -> Any:
        return value


def _is_simple(value: Any) -> bool:
    if isinstance(value, list):
        return len(value) <= MAX_DOCUMENTS and not any(
            isinstance(each, list) or not _is_simple(each) for each in value
        )
    if isinstance(value, str):
        return len(value) <= LONGEST_FILTER and storable(value) == value
    return value is None or isinstance(value, bool | int | float)


class RetrieveSerializer(KnownFields[Any]):
    query = serializers.CharField(max_length=MAX_QUERY)
    grade = GradeField(
        default=0.0,
        help_text="A number from 0 to 1: the least similarity (cosine) to the query. A text: search only "
        "documents whose metadata has this `grade`.",
    )
    similarityTopK = serializers.IntegerField(
        default=LIMIT, min_value=1, max_value=MAX_PASSAGES, help_text="How many passages at most."
    )
    docIds = serializers.ListField(
        child=DocumentIdField(),
        required=False,
        allow_null=True,
        max_length=MAX_DOCUMENTS,
        help_text="Search only these: numbers, or the externalId of documents; left out, all that you may "
        f"see, in the {MOST_DATASOURCES} datasources that changed last.",
    )
    filters = FiltersField(
        required=False, help_text=f"Conditions on the documents. Keys: {KEYS}. Days as 2024-01-31."
    )
    engineName = serializers.ChoiceField(Engine.choices, default=Engine.ADVANCED)
    alpha = serializers.FloatField(
        required=False,
        min_value=0,
        max_value=1,
        help_text="The share of meaning beside words in `advanced`; left out, the question itself tells.",
    )
    rerank = RerankSerializer(default=OFF)
    expand = serializers.BooleanField(
        default=False, help_text="Have the language model write three other wordings, and search them too."
    )


class PassagePlaceSerializer(serializers.Serializer[Any]):
    documentId = DocumentIdField(help_text="As it was asked for: its number, or its externalId.")
    fileName = serializers.CharField()
    chunkIndex = serializers.IntegerField(help_text="From 0, in reading order.")
    pageNumber = serializers.IntegerField(help_text="The first that it is on, from 1.")
    contentType = serializers.CharField(help_text="Always “text”.")
    # Beyond what was asked for, so that a passage can be cited and opened:
    kind = serializers.CharField(help_text="prose, clause, heading, list, table or boilerplate.")
    document = serializers.IntegerField(help_text="Its number.")
    chunkId = serializers.IntegerField()
    title = serializers.CharField()
    read_elsewhere = serializers.BooleanField(help_text=READ_ELSEWHERE)


class PassageSerializer(serializers.Serializer[Any]):
    content = serializers.CharField()
    score = serializers.FloatField(help_text="0 to 1; comparable within one answer.")
    metadata = PassagePlaceSerializer()


class PipelineSerializer(serializers.Serializer[Any]):
    reranked = serializers.BooleanField()
    rerankStrategy = serializers.CharField(allow_null=True, help_text="Null where nothing was reranked.")
    candidatesConsidered = serializers.IntegerField()
    rerankFailed = serializers.CharField(allow_null=True, help_text="Why not, where it was asked for.")
    wordings = serializers.ListField(
        child=serializers.CharField(), help_text="Other wordings that were searched too."
    )
    expandFailed = serializers.CharField(allow_null=True, help_text="Why none, where they were asked for.")


class RetrievedSerializer(serializers.Serializer[Any]):
    results = PassageSerializer(many=True)
    totalResults = serializers.IntegerField()
    engineUsed = serializers.ChoiceField(Engine.choices)
    pipeline = PipelineSerializer()


class Retrieve(APIView):
    """The passages that answer a question, without an answer."""

    token_scope = TokenScope.READ

    @extend_schema(request=RetrieveSerializer, responses=RetrievedSerializer)
    def post(self, request: Request) -> Response:
        """`naive` takes the nearest in meaning; `advanced` joins all ways to search. 404 `NO_DOCUMENTS` for
        unknown documents, 409 `PROCESSING_INCOMPLETE` for those that are not read, 429 with `Retry-After`
        while many searches of yours are running. Reranking by `llm` and `expand` ask the language model: they
        need a token with the right to ask, and count as a question.
        """
        given = RetrieveSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        person, asked = signed_in(request), given.validated_data
        query = query_of(asked)
        try:
            with SEARCHES.taken_by(person.pk):
                scopes = scopes_of(person, asked.get("docIds"))
                if query.expand or query.rerank == Rerank.LLM:
                    count_as_question(person)
                return Response(documented_answer(asked, retrieve_from(query, scopes)))
        except Refusal as refusal:
            return refusal.response()
        except ProviderError as error:
            return search_failed(error, "the owner").response()


def count_as_question(person: User) -> None:
    """The language model is asked. Raises PermissionDenied, QuotaUsedUp."""
    if not person.may(TokenScope.ASK):
        raise PermissionDenied(WithinTokenScopes.message, WithinTokenScopes.code)
    with transaction.atomic():
        quotas.use(person, {UsageKind.QUESTIONS: 1})


def query_of(asked: dict[str, Any]) -> Query:
    """The request in the engine's terms."""
    rerank, grade = asked["rerank"], asked["grade"]
    query = Query(
        text=asked["query"],
        k=asked["similarityTopK"],
        min_similarity=0.0 if isinstance(grade, str) else grade,
        filters=_graded(asked.get("filters", Filters()), grade),
        rerank=Rerank(rerank["strategy"]) if rerank["enabled"] else Rerank.NONE,
        expand=asked["expand"],
        alpha=asked.get("alpha"),
    )
    if asked["engineName"] == Engine.NAIVE:
        query = replace(query, legs=frozenset({Leg.DENSE}), alpha=1.0)
    return query


def _graded(filters: Filters, grade: float | str) -> Filters:
    """A grade in words is one of the documents' metadata."""
    return (
        replace(filters, metadata={**filters.metadata, "grade": grade}) if isinstance(grade, str) else filters
    )


def documented_answer(asked: dict[str, Any], result: Result) -> dict[str, Any]:
    """The answer as it is documented."""
    rerank, evidence = asked["rerank"], result.evidence
    if rerank["enabled"]:  # also where the reranker failed: then the scores are those of the search
        evidence = tuple(each for each in evidence if each.score >= rerank["score"])[: rerank.get("topK")]
    documents = Document.objects.in_bulk({each.document_id for each in evidence})
    asked_for = set(asked.get("docIds") or ())
    passages = [
        passage(each, documents[each.document_id], asked_for)
        for each in evidence
        if each.document_id in documents
    ]
    failed = rerank["enabled"] and not result.reranked
    return {
        "results": passages,
        "totalResults": len(passages),
        "engineUsed": asked["engineName"],
        "pipeline": {
            "reranked": result.reranked,
            "rerankStrategy": rerank["strategy"] if result.reranked else None,
            "candidatesConsidered": result.candidates,
            "rerankFailed": (result.rerank_failed or NO_RERANKER) if failed else None,
            "wordings": result.wordings,
            "expandFailed": result.expand_failed or None,
        },
    }


def passage(evidence: Evidence, document: Document, asked_for: Collection[Id] = ()) -> dict[str, Any]:
    known = next((each for each in document.external_ids if each in asked_for), document.pk)
    return {
        "content": evidence.text,
        "score": evidence.score,
        "metadata": {
            "documentId": known,
            "fileName": document.filename,
            "chunkIndex": evidence.chunk_index,
            "pageNumber": evidence.first_page,
            "contentType": "text",
            "kind": evidence.kind,
            "document": document.pk,
            "chunkId": evidence.chunk_id,
            "title": evidence.document_title,
            "read_elsewhere": document.read_elsewhere,
        },
    }

"""`embed/single` and `rerank`: SVQ's own models for programs that search by themselves."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api import signed_in
from accounts.models import TokenScope
from providers.cross_encoders import reranker
from providers.embedders import configured_embedder
from providers.protocols import ProviderError
from providers.spending.metering import Payer
from retrieval.api.errors import CompatibleView, with_error
from retrieval.api.refusals import search_failed
from retrieval.engine.reranking import NO_SERVER
from retrieval.slots import SEARCHES

LONGEST_TEXT = 20_000  # characters
MOST_DOCUMENTS = 100


class TextSerializer(serializers.Serializer[Any]):
    text = serializers.CharField(max_length=LONGEST_TEXT)


class RankedSerializer(serializers.Serializer[Any]):
    """Other fields, such as the model's name, are ignored."""

    query = serializers.CharField(max_length=LONGEST_TEXT)
    documents = serializers.ListField(
        child=serializers.CharField(max_length=LONGEST_TEXT), allow_empty=False, max_length=MOST_DOCUMENTS
    )
    top_n = serializers.IntegerField(required=False, allow_null=True, min_value=1)


class EmbedOne(CompatibleView):
    """The vector of a text, by the deployment's embedder."""

    token_scope = TokenScope.READ

    @extend_schema(exclude=True)
    def post(self, request: Request) -> Response:
        given = TextSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        person = signed_in(request)
        try:
            with SEARCHES.taken_by(person.pk):
                model = configured_embedder(Payer.asking(person.pk, ()))
                vector = model.embed([given.validated_data["text"]])[0]
        except ProviderError as error:
            return failed(error)
        return Response({"embedding": vector.tolist(), "dimensions": len(vector), "model": model.name})


class RankAgain(CompatibleView):
    """Documents by how well they answer, by the deployment's reranker."""

    token_scope = TokenScope.READ

    @extend_schema(exclude=True)
    def post(self, request: Request) -> Response:
        """Best first."""
        given = RankedSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        person, asked = signed_in(request), given.validated_data
        try:
            with SEARCHES.taken_by(person.pk):
                model = reranker(Payer.asking(person.pk, ()))
                if model is None:
                    raise ProviderError(NO_SERVER)
                scores = model.score(asked["query"], asked["documents"])
        except ProviderError as error:
            return failed(error)
        ranked = sorted(enumerate(scores), key=lambda pair: -pair[1])[: asked.get("top_n")]
        return Response([{"index": index, "relevance_score": round(score, 6)} for index, score in ranked])


def failed(error: ProviderError) -> Response:
    response = search_failed(error, "an administrator").response()
    response.data = with_error(response.data)
    return response

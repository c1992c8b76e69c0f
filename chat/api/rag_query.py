"""REST: `rag/query`, an answer from chosen documents for programs that keep the conversation themselves."""

from collections.abc import Sequence
from typing import Any

from django.db.models import TextChoices
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts import quotas
from accounts.api import signed_in
from accounts.api_fields import KnownFields
from accounts.models import TokenScope, UsageKind, User
from chat import services
from chat.api.turns import accepted
from chat.api.waiting import Answer, waiting
from chat.exports import answer_of, differ_json
from chat.models import Citation, Turn, TurnStatus
from chat.wording import beside, count, documents_counted, explanation, headline
from citations.choices import OnPage
from datasources.models import Datasource, Document, Role
from datasources.models.documents import READ_ELSEWHERE
from providers.embedders import embedder
from providers.protocols import ProviderError
from providers.spending.metering import Payer
from retrieval.api.document_ids import DocumentIdField, Id, SubjectField
from retrieval.api.documents import REST, Hints, scopes_of
from retrieval.api.refusals import STATUS, Code, Refusal
from retrieval.api.views import MAX_DOCUMENTS
from retrieval.engine import Leg, Query
from retrieval.engine.several import retrieve_from
from retrieval.legs import dense
from retrieval.query import MAX_LIMIT, Scope
from retrieval.slots import SEARCHES

MAX_EARLIER = 12  # messages that are read, the last ones
MAX_MESSAGE = 20_000  # characters of one


class Speaker(TextChoices):
    USER = "user"
    ASSISTANT = "assistant"


class SaidSerializer(KnownFields[Any]):
    role = serializers.ChoiceField(Speaker.choices)
    content = serializers.CharField(max_length=MAX_MESSAGE, trim_whitespace=False)


class QuerySerializer(KnownFields[Any]):
    question = serializers.CharField(max_length=services.MAX_QUESTION)
    documentIds = serializers.ListField(
        child=DocumentIdField(),
        required=False,
        allow_null=True,
        max_length=MAX_DOCUMENTS,
        help_text="Of one datasource. Left out, the datasource is asked whose passages come nearest.",
    )
    subjectId = SubjectField(
        required=False,
        allow_null=True,
        help_text="Of these documents, those alone whose metadata has this `subjectId`.",
    )
    conversationHistory = serializers.ListField(
        child=SaidSerializer(),
        required=False,
        max_length=1000,
        help_text=f"What was said before, oldest first; the last {MAX_EARLIER} are read.",
    )


class SourceSerializer(serializers.Serializer[Any]):
    docId = serializers.IntegerField()
    title = serializers.CharField()
    pageNumber = serializers.IntegerField(help_text="Of the passage nearest to the question.")
    pageRange = serializers.CharField(help_text="All that are cited: “2”, “2-4”, “2, 7-8”.")
    chunkId = serializers.IntegerField(allow_null=True, help_text="Of the passage nearest to the question.")
    similarity = serializers.FloatField(allow_null=True, help_text="Its cosine to the question.")
    read_elsewhere = serializers.BooleanField(help_text=READ_ELSEWHERE)


class AnswerSerializer(serializers.Serializer[Any]):
    success = serializers.BooleanField()
    answer = serializers.CharField(help_text="Markdown; [n] where citation n of the turn stands.")
    sources = SourceSerializer(
        many=True, help_text="One a document that is cited or counted, the nearest first."
    )
    chunksUsed = serializers.IntegerField(help_text="Passages that the answer cites.")
    model = serializers.CharField()
    differ = serializers.DictField(
        allow_null=True, help_text="Where two documents answer differently, as in GET turns/{turn}."
    )
    turn = serializers.UUIDField(help_text="GET turns/{turn} has every citation with its check.")


class RagQuery(APIView):
    """A question about some documents, with its answer and its sources."""

    token_scope = TokenScope.ASK

    @extend_schema(request=QuerySerializer, responses=AnswerSerializer)
    def post(self, request: Request) -> HttpResponse:
        """Waits for the answer. That nothing was found is an answer too, without sources. 404 `NO_DOCUMENTS`,
        409 `PROCESSING_INCOMPLETE`, 400 `SEVERAL_DATASOURCES`, 502 `GENERATION_FAILED`.
        """
        return ask(request, request.data)

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        return waiting(super().as_view(**initkwargs), told)


def ask(request: Request, body: Any) -> HttpResponse:
    """For `waiting`. Raises ValidationError."""
    given = QuerySerializer(data=body)
    given.is_valid(raise_exception=True)
    person, asked = signed_in(request), given.validated_data
    try:
        ids, subject = asked.get("documentIds"), asked.get("subjectId")
        scope = scope_of(person, asked["question"], ids, subject=subject)
    except Refusal as refusal:
        return refusal.response()
    turn = services.ask(
        person,
        get_object_or_404(Datasource, pk=scope.datasource_id),
        asked["question"],
        document_ids=scope.document_ids,
        earlier=asked.get("conversationHistory", [])[-MAX_EARLIER:],
    )
    return accepted(request, turn, wait=True)


def scope_of(
    person: User,
    question: str,
    ids: Sequence[Id] | None,
    datasource: int | None = None,
    hints: Hints = REST,
    subject: Id | None = None,
) -> Scope:
    """Where to look. Raises Refusal, QuotaUsedUp, Busy."""
    scopes = scopes_of(person, ids, datasource, hints, subject, Role.ASKER)
    if len(scopes) == 1:
        return scopes[0]
    if ids is not None:
        raise Refusal(
            Code.SEVERAL_DATASOURCES,
            "These documents are in several datasources, and an answer is from one.",
            "Ask once for each datasource.",
        )
    quotas.check(person, {UsageKind.QUESTIONS: 1})  # a refused question is not searched for
    try:
        with SEARCHES.taken_by(person.pk):
            found = retrieve_from(Query(text=question, k=1, legs=frozenset({Leg.DENSE})), scopes).evidence
    except ProviderError as error:
        raise Refusal(Code.GENERATION_FAILED, error.message, "Try again.") from error
    nearest = {passage.document_id for passage in found}
    chosen = Datasource.objects.filter(documents__in=nearest).values_list("pk", flat=True)
    return next((scope for scope in scopes if scope.datasource_id in chosen), scopes[0])


def told(turn: Turn, _: User) -> Answer:
    """The outcome of a turn in the shape documented here. Passages in place of an answer that a model failed
    to write are no answer to a program.
    """
    if refused := failed(turn):
        return refused
    cited = cited_in(turn)
    return status.HTTP_200_OK, {**answered(turn, cited), "sources": sources(turn, cited)}


def failed(turn: Turn) -> Answer | None:
    """The refusal where there is no answer."""
    if not (turn.error_code or turn.status in {TurnStatus.FAILED, TurnStatus.STOPPED}):
        return None
    message = turn.error_message or "The answer was stopped."
    refusal = Refusal(Code.GENERATION_FAILED, message, turn.error_hint or "Ask again.")
    return STATUS[refusal.code], refusal.response().data


def cited_in(turn: Turn) -> list[Citation]:
    """What an answer cites; nothing where none was found."""
    if turn.status == TurnStatus.NOT_FOUND:
        return []
    return [each for each in turn.citations.all() if each.on_page != OnPage.ABSENT and each.document_id]


def answered(turn: Turn, cited: Sequence[Citation]) -> dict[str, Any]:
    """All but the sources."""
    answer = " ".join(filter(None, [f"{headline(turn)}.", explanation(turn), *beside(turn)]))
    if turn.status != TurnStatus.NOT_FOUND:
        answer = "\n\n".join(filter(None, [count(turn), answer_of(turn)]))
    return {
        "success": True,
        "answer": answer,
        "chunksUsed": len({(each.document_id, each.chunk_id_hint) for each in cited}),
        "model": turn.model,
        "differ": differ_json(turn) if cited else None,
        "turn": str(turn.pk),
    }


def sources(turn: Turn, cited: Sequence[Citation]) -> list[dict[str, Any]]:
    """One for each document that is cited or counted, nearest to the question first."""
    counted = documents_counted(turn)
    chunks = [each.chunk_id_hint for each in cited if each.chunk_id_hint]
    nearness = similarities(turn, [*chunks, *(each["chunk"] for each in counted)])
    by_document: dict[int, list[Citation]] = {}
    for citation in cited:
        by_document.setdefault(citation.document_id or 0, []).append(citation)
    rows = []
    for document, citations in by_document.items():
        best = max(citations, key=lambda each: nearness.get(each.chunk_id_hint or 0, -1.0))
        rows.append(
            {
                "docId": document,
                "title": best.document_title,
                "pageNumber": best.pages[0] if best.pages else 1,
                "pageRange": in_ranges(sorted({page for each in citations for page in each.pages})),
                "chunkId": best.chunk_id_hint,
                "similarity": nearness.get(best.chunk_id_hint or 0),
                "read_elsewhere": best.read_elsewhere,
            }
        )
    alone = Document.objects.filter(pk__in={each["document"] for each in counted} - set(by_document))
    imported = set(alone.filter(read_elsewhere=True).values_list("pk", flat=True))
    rows += [
        {
            "docId": each["document"],
            "title": each["title"],
            "pageNumber": each["page"],
            "pageRange": str(each["page"]),
            "chunkId": each["chunk"],
            "similarity": nearness.get(each["chunk"]),
            "read_elsewhere": each["document"] in imported,
        }
        for each in counted
        if each["document"] not in by_document
    ]
    return sorted(rows, key=lambda row: -(row["similarity"] or 0.0))


def similarities(turn: Turn, chunks: Sequence[int]) -> dict[int, float]:
    """The cosine of each chunk to the question; none where the embedder does not answer now."""
    if not chunks:
        return {}
    datasource = turn.conversation.datasource
    scope = Scope(user_id=turn.conversation.user_id, datasource_id=datasource.pk)
    try:
        asker = Payer(person=scope.user_id, datasource=datasource.pk)
        vector = embedder(datasource, asker).embed_questions([turn.question])[0]
    except ProviderError:
        return {}
    near = dense.search(scope, vector, MAX_LIMIT, among=set(chunks))
    return {passage.chunk_id: passage.score for passage in near}


def in_ranges(pages: Sequence[int]) -> str:
    """“2, 7-9” for 2, 7, 8, 9."""
    runs: list[list[int]] = []
    for page in pages:
        if runs and page == runs[-1][-1] + 1:
            runs[-1].append(page)
        else:
            runs.append([page])
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)

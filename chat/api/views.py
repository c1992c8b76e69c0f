"""REST: conversations, questions and their answers, and the proof behind each citation."""

from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import generics, status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from chat import services
from chat.api.serializers import (
    AcceptedTurnSerializer,
    ConversationChangeSerializer,
    ConversationDetailSerializer,
    ConversationSerializer,
    PlacedCitationSerializer,
    QuestionSerializer,
    StoppedSerializer,
    TurnSerializer,
)
from chat.api.waiting import waiting
from chat.exports import as_json, as_markdown, citation_json
from chat.models import Citation, Conversation, Mode, Turn
from datasources.api import find_datasource, find_document
from datasources.models import Document
from datasources.negotiation import AnyAccept
from reader import page_images
from reader.api.files import kept

WEBP, PDF, MARKDOWN = "image/webp", "application/pdf", "text/markdown"
EVENT_STREAM = "text/event-stream"


def find_conversation(request: Request, pk: UUID) -> Conversation:
    """One's own conversation. Raises Http404."""
    return get_object_or_404(Conversation.objects.visible_to(signed_in(request)), pk=pk)


def find_turn(request: Request, pk: UUID) -> Turn:
    """One's own turn. Raises Http404."""
    return get_object_or_404(Turn.objects.visible_to(signed_in(request)), pk=pk)


def find_citation(request: Request, pk: UUID, n: int) -> Citation:
    """A citation of one's own turn. Raises Http404."""
    citations = find_turn(request, pk).citations.select_related("document")
    return get_object_or_404(citations, n=n)


# --- conversations ---------------------------------------------------------------------------------------
class Conversations(generics.ListAPIView[Conversation]):
    """Your conversations about a datasource, the newest first."""

    serializer_class = ConversationSerializer
    queryset = Conversation.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Conversation]:
        datasource = find_datasource(self.request, self.kwargs["pk"])
        mine = Conversation.objects.visible_to(signed_in(self.request))
        return mine.filter(datasource=datasource).prefetch_related("documents")

    @extend_schema(request=ConversationChangeSerializer, responses={201: ConversationSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Begin one, to choose its documents before the first question."""
        datasource = find_datasource(request, pk)
        given = ConversationChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        conversation = services.begin_conversation(
            signed_in(request),
            datasource,
            given.validated_data.get("title", ""),
            given.validated_data.get("documents", ()),
        )
        return Response(ConversationSerializer(conversation).data, status.HTTP_201_CREATED)


class ConversationDetail(APIView):
    """One of your conversations with its questions and answers."""

    @extend_schema(responses=ConversationDetailSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        conversation = find_conversation(request, pk)
        turns = conversation.turns.order_by("number").prefetch_related("citations")
        return Response(
            {**ConversationSerializer(conversation).data, "turns": [as_json(turn) for turn in turns]}
        )

    @extend_schema(request=ConversationChangeSerializer, responses=ConversationSerializer)
    def patch(self, request: Request, pk: UUID) -> Response:
        """Change its title, or which documents are searched from now on."""
        conversation = find_conversation(request, pk)
        given = ConversationChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        if "documents" in given.validated_data:
            services.set_scope(conversation, given.validated_data["documents"])
        if "title" in given.validated_data:
            services.rename(conversation, given.validated_data["title"])
        return Response(ConversationSerializer(conversation).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: UUID) -> Response:
        """Delete it with its questions, answers and events."""
        services.delete_conversation(find_conversation(request, pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ConversationExport(APIView):
    """All questions, answers and sources of a conversation as Markdown."""

    content_negotiation_class = AnyAccept

    @extend_schema(responses={(200, MARKDOWN): OpenApiTypes.STR})
    def get(self, request: Request, pk: UUID) -> HttpResponse:
        conversation = find_conversation(request, pk)
        turns = conversation.turns.order_by("number").prefetch_related("citations")
        return markdown("\n".join(as_markdown(turn) for turn in turns), str(conversation))


def markdown(text: str, title: str) -> HttpResponse:
    """A text to be kept as a file."""
    disposition = content_disposition_header(True, f"{title}.md") or "attachment"
    headers = {"Content-Disposition": disposition, "Cache-Control": "private, no-cache"}
    return HttpResponse(text, content_type=f"{MARKDOWN}; charset=utf-8", headers=headers)


# --- questions -------------------------------------------------------------------------------------------
class Ask(APIView):
    """A question about a datasource."""

    content_negotiation_class = AnyAccept

    @extend_schema(
        request=QuestionSerializer,
        responses={200: TurnSerializer, 202: AcceptedTurnSerializer, 303: None},
    )
    def post(self, request: Request, pk: int) -> HttpResponse:
        """200 with the answer when the turn has ended. 202 at once with `wait: false`, or after 300 s: the
        turn goes on, ask for it at its address. 303 to its event stream with `Accept: text/event-stream`.
        """
        datasource = find_datasource(request, pk)
        given = QuestionSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        asked = given.validated_data
        conversation = None
        if "conversation" in asked:
            mine = Conversation.objects.visible_to(signed_in(request)).filter(datasource=datasource)
            conversation = get_object_or_404(mine, pk=asked["conversation"])
        turn = services.ask(
            signed_in(request),
            datasource,
            asked["question"],
            conversation=conversation,
            document_ids=asked.get("documents"),
            mode=Mode(asked["mode"]),
        )
        return accepted(request, turn, wait=asked["wait"])

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        return waiting(super().as_view(**initkwargs))


def accepted(request: Request, turn: Turn, *, wait: bool) -> HttpResponse:
    """Where to follow the turn; `chat.api.waiting` replaces it by the answer when `wait` is set."""
    address, stream = reverse("api-turn", args=[turn.pk]), f"/events/?channel={turn.channel}"
    if EVENT_STREAM in request.headers.get("Accept", ""):
        return HttpResponse(status=status.HTTP_303_SEE_OTHER, headers={"Location": stream})
    names = {"id": str(turn.pk), "conversation": str(turn.conversation_id), "status": turn.status}
    response = Response(
        {**names, "turn": address, "events": stream}, status.HTTP_202_ACCEPTED, headers={"Location": address}
    )
    response.wait = wait  # type: ignore[attr-defined]
    return response


class TurnDetail(APIView):
    """One of your questions with its answer, as far as it has come."""

    @extend_schema(responses=TurnSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        return Response(as_json(find_turn(request, pk)))


class TurnStop(APIView):
    """Ending an answer that is being written."""

    @extend_schema(request=None, responses=StoppedSerializer)
    def post(self, request: Request, pk: UUID) -> Response:
        """Stop it; what was written so far is kept."""
        turn = find_turn(request, pk)
        stopped = services.stop(turn)
        turn.refresh_from_db()
        return Response({**as_json(turn), "stopped": stopped})


class TurnExport(APIView):
    """One question with its answer and sources as Markdown."""

    content_negotiation_class = AnyAccept

    @extend_schema(responses={(200, MARKDOWN): OpenApiTypes.STR})
    def get(self, request: Request, pk: UUID) -> HttpResponse:
        turn = find_turn(request, pk)
        return markdown(as_markdown(turn), str(turn))


# --- proof -----------------------------------------------------------------------------------------------
class CitationDetail(APIView):
    """A citation and where its words stand."""

    @extend_schema(responses=PlacedCitationSerializer)
    def get(self, request: Request, pk: UUID, n: int) -> Response:
        citation = find_citation(request, pk, n)
        shown = citation.pages if page_images.has_pages(citation.document) else []
        address = partial(self.address, pk, n)
        return Response(
            {
                **citation_json(citation),
                "boxes": citation.boxes,
                "images": {str(p): address("api-citation-image", p) for p in shown},
                "crops": {
                    str(p): address("api-citation-crop", p) for p in shown if citation.boxes.get(str(p))
                },
                "pdf": address("api-citation-pdf") if shown else None,
            }
        )

    def address(self, pk: UUID, n: int, name: str, *page: int) -> str:
        return reverse(name, args=[pk, n, *page])


class CitationFile(APIView):
    """Base of what shows a citation's place."""

    content_negotiation_class = AnyAccept

    def find(self, request: Request, pk: UUID, n: int, page: int | None = None) -> tuple[Citation, Document]:
        citation = find_citation(request, pk, n)
        if not page_images.has_pages(citation.document) or not citation.pages:
            raise NotFound("This citation has no page to show. Read its quote in the citation.", "no_page")
        if page is not None and page not in citation.pages:
            raise NotFound("The quote is not on that page. Take one of the citation's pages.", "other_page")
        assert citation.document is not None
        return citation, find_document(request, citation.document.pk)  # it may be on its way out


class CitationImage(CitationFile):
    """A page that the quote overlaps, its words highlighted."""

    @extend_schema(responses={(200, WEBP): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: UUID, n: int, page: int) -> HttpResponse:
        citation, document = self.find(request, pk, n, page)
        return kept(request, partial(page_images.marked_page, document, page, citation.boxes_on(page)), WEBP)


class CitationCrop(CitationFile):
    """The surroundings of the quote on one of its pages, its words highlighted."""

    @extend_schema(responses={(200, WEBP): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: UUID, n: int, page: int) -> HttpResponse:
        citation, document = self.find(request, pk, n, page)
        if not (boxes := citation.boxes_on(page)):
            raise NotFound("The words' place on this page is not known. Take the whole page.", "no_place")
        return kept(request, partial(page_images.crop, document, page, boxes), WEBP)


class CitationPdf(CitationFile):
    """A PDF of just the pages that the quote overlaps."""

    @extend_schema(responses={(200, PDF): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: UUID, n: int) -> HttpResponse:
        citation, document = self.find(request, pk, n)
        name = f"{citation.document_title}, p. {'-'.join(map(str, citation.pages))}.pdf"
        response = kept(request, partial(page_images.cut_pdf, document, citation.pages), PDF)
        response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
        return response

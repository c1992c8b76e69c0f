"""REST: one's own instructions for a datasource, its notebook, and the models to choose from."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from accounts.models import TokenScope
from chat import instructions, notebook
from chat.api.citations import find_citation
from chat.api.turns import find_turn
from chat.exports import MARKDOWN
from datasources.api.negotiation import AnyAccept
from datasources.api.views import find_datasource
from datasources.models import Role
from providers.roles import choices_of

LISTED = 500  # notes


class InstructionsSerializer(KnownFields[Any]):
    text = serializers.CharField(
        allow_blank=True, max_length=instructions.MAX_INSTRUCTIONS, help_text="Empty takes them away."
    )


class OwnInstructions(APIView):
    """What you ask of every answer in a datasource; nobody else sees it."""

    token_scope = BY_METHOD

    @extend_schema(responses=InstructionsSerializer)
    def get(self, request: Request, pk: int) -> Response:
        datasource = find_datasource(request, pk, Role.ASKER)
        return Response({"text": instructions.instructions_of(signed_in(request).pk, datasource.pk)})

    @extend_schema(request=InstructionsSerializer, responses=InstructionsSerializer)
    def put(self, request: Request, pk: int) -> Response:
        datasource = find_datasource(request, pk, Role.ASKER)
        given = InstructionsSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return Response(
            {"text": instructions.change(signed_in(request), datasource, given.validated_data["text"])}
        )


class ChoiceSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    model = serializers.CharField()
    host = serializers.CharField()


class ModelChoices(APIView):
    """The models that you may choose for a question, besides the usual one."""

    token_scope = TokenScope.ASK

    @extend_schema(responses=ChoiceSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        offered = choices_of(find_datasource(request, pk, Role.ASKER))
        return Response([{"id": each.pk, "model": each.model, "host": each.host} for each in offered])


class KeptSourceSerializer(serializers.Serializer[Any]):
    """What a note or a memo keeps of a citation."""

    n = serializers.IntegerField()
    document = serializers.IntegerField(allow_null=True)
    title = serializers.CharField()
    pages = serializers.ListField(child=serializers.IntegerField())
    where = serializers.CharField(help_text="“page 3”, or what the file calls the place.")
    quote = serializers.CharField()
    said = serializers.CharField(help_text="What was known of the quote and its claim when it was kept.")


class NoteSourceSerializer(KeptSourceSerializer):
    said = serializers.CharField(
        help_text="What was known of the quote and its claim when it was kept, or that its file was deleted."
    )
    address = serializers.CharField(
        help_text="Its page in the reader; empty without a place, and where the file was deleted."
    )


class NoteSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    author = serializers.CharField()
    question = serializers.CharField()
    text = serializers.CharField(help_text="Markdown; [n] where source n stands. Empty for a quote alone.")
    sources = NoteSourceSerializer(many=True)
    remark = serializers.CharField()
    created = serializers.DateTimeField()


class KeepSerializer(KnownFields[Any]):
    turn = serializers.UUIDField(help_text="One of your own.")
    citation = serializers.IntegerField(required=False, help_text="Keep this quote alone.")


class Notebook(APIView):
    """Answers and quotes that were kept, for everybody who may read the datasource."""

    token_scope = BY_METHOD

    @extend_schema(responses=NoteSerializer(many=True))
    def get(self, request: Request, pk: int) -> Response:
        """The newest 500. Older ones are in the export."""
        notes = find_datasource(request, pk).notes.select_related("author")[:LISTED]
        return Response(notebook.as_json(pk, list(notes)))

    @extend_schema(request=KeepSerializer, responses={201: NoteSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Editors keep one of their own answers, or one of its quotes."""
        datasource = find_datasource(request, pk, Role.EDITOR)
        given = KeepSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        asked = given.validated_data
        turn = find_turn(request, asked["turn"], Role.VIEWER)
        get_object_or_404(datasource.conversations, pk=turn.conversation_id)
        if "citation" in asked:
            kept = notebook.keep_quote(
                signed_in(request), find_citation(request, turn.pk, asked["citation"], Role.VIEWER)
            )
        else:
            kept = notebook.keep_answer(signed_in(request), turn)
        return Response(notebook.as_json(pk, [kept])[0], status.HTTP_201_CREATED)


class NoteDetail(APIView):
    """One note."""

    token_scope = BY_METHOD

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, note: int) -> Response:
        get_object_or_404(find_datasource(request, pk, Role.EDITOR).notes, pk=note).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class NotebookExport(APIView):
    """The whole notebook as Markdown, with quotes, pages and links."""

    token_scope = TokenScope.READ
    content_negotiation_class = AnyAccept

    @extend_schema(responses={(200, MARKDOWN): OpenApiTypes.STR})
    def get(self, request: Request, pk: int) -> HttpResponse:
        return notebook.notebook_file(find_datasource(request, pk))

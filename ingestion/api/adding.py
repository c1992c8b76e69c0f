"""REST: documents that come without a file, pasted text and web pages that the server fetches."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from accounts.audit import made_in_audit_log
from datasources.api.views import find_datasource
from datasources.models import Document, Role
from ingestion.adding.pasting import add_text
from ingestion.adding.upload import Accepted
from ingestion.api.serializers import DocumentSerializer
from ingestion.web_pages.adding import add_web_page


class PastedTextSerializer(KnownFields[Document]):
    title = serializers.CharField(allow_blank=True)
    text = serializers.CharField(allow_blank=True, trim_whitespace=False)


class WebAddressSerializer(KnownFields[Document]):
    address = serializers.CharField(allow_blank=True)


class PastedText(APIView):
    """A text as a document."""

    token_scope = BY_METHOD

    @extend_schema(request=PastedTextSerializer, responses={201: DocumentSerializer, 200: DocumentSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Add a text under a title. 200 with the document that has this text already. For editors."""
        datasource = find_datasource(request, pk, Role.EDITOR)
        given = PastedTextSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        values = given.validated_data
        return added(request, add_text(datasource, signed_in(request), values["title"], values["text"]))


class WebPage(APIView):
    """A web page as a document."""

    token_scope = BY_METHOD

    @extend_schema(request=WebAddressSerializer, responses={201: DocumentSerializer, 200: DocumentSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Have the server fetch an address, where its administrator allows that. 200 with the document that
        has this address already. For editors.
        """
        datasource = find_datasource(request, pk, Role.EDITOR)
        given = WebAddressSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        return added(request, add_web_page(datasource, signed_in(request), given.validated_data["address"]))


def added(request: Request, accepted: Accepted) -> Response:
    document = accepted.document
    made_in_audit_log(request, "document", [document.pk], document.datasource_id)
    code = status.HTTP_200_OK if accepted.duplicate else status.HTTP_201_CREATED
    return Response(DocumentSerializer(document).data, code)

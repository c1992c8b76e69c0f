"""REST: a datasource as a bundle, and bundles on their way in."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import refuse_limited_token, signed_in
from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from datasources.api.negotiation import AnyAccept
from datasources.api.views import find_datasource
from datasources.models import Role
from exchange.bundles import services
from exchange.bundles.models import BundleImport, ImportStatus
from exchange.bundles.sending import ZIP, bundle_file
from ingestion.api.serializers import ErrorSerializer

OWN = "own"


class BundleImportSerializer(serializers.ModelSerializer[BundleImport]):
    status = serializers.ChoiceField(ImportStatus.choices, read_only=True)
    error = ErrorSerializer(read_only=True, allow_null=True, help_text="Why it was not imported.")
    notices = serializers.ListField(
        child=serializers.CharField(), read_only=True, help_text="What its owner has to know, in sentences."
    )

    class Meta:
        model = BundleImport
        fields = (
            "id",
            "filename",
            "status",
            "done",
            "datasource",
            "notices",
            "error",
            "created",
            "changed",
        )
        read_only_fields = fields


class BundleFileSerializer(KnownFields[BundleImport]):
    file = serializers.FileField(help_text="A bundle, as an export has made it.")


class Bundle(APIView):
    """A datasource with all that belongs to it as one ZIP file, which another SVQ imports."""

    token_scope = BY_METHOD
    http_method_names = ["get", "options"]  # HEAD would write a bundle that nobody reads
    content_negotiation_class = AnyAccept

    @extend_schema(
        parameters=[
            OpenApiParameter(
                "conversations", enum=[OWN], description="`own`: with your own conversations. Else with none."
            )
        ],
        responses={(200, ZIP): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, pk: int) -> HttpResponseBase:
        """For owners."""
        datasource = find_datasource(request, pk, Role.OWNER)
        own = request.query_params.get("conversations") == OWN
        return bundle_file(datasource, signed_in(request), conversations=own)


class BundleImports(generics.ListCreateAPIView[BundleImport]):
    """The bundles that you have imported of late."""

    token_scope = BY_METHOD
    serializer_class = BundleImportSerializer
    parser_classes = (MultiPartParser,)
    queryset = BundleImport.objects.none()

    def get_queryset(self) -> QuerySet[BundleImport]:
        return BundleImport.objects.visible_to(signed_in(self.request))

    @extend_schema(
        request={"multipart/form-data": BundleFileSerializer}, responses={202: BundleImportSerializer}
    )
    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Import a bundle: it becomes a new datasource of yours, unless it is refused."""
        refuse_limited_token(request)
        given = BundleFileSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        file = given.validated_data["file"]
        row = services.hand_over(signed_in(request), file.name, file)
        return Response(BundleImportSerializer(row).data, status.HTTP_202_ACCEPTED)


class BundleImportDetail(APIView):
    """How far the import of a bundle is, and what came of it."""

    token_scope = BY_METHOD

    @extend_schema(responses=BundleImportSerializer)
    def get(self, request: Request, pk: UUID) -> Response:
        row = get_object_or_404(BundleImport.objects.visible_to(signed_in(request)), pk=pk)
        return Response(BundleImportSerializer(row).data)

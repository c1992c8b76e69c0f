"""REST: invitations to a datasource by a link, for its owners."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from accounts.invitations import ADDRESS_TOLD, USUAL_DAYS
from datasources import join_links
from datasources.api.views import find_datasource
from datasources.models import JoinLink, Role


class NewJoinLinkSerializer(KnownFields[JoinLink]):
    role = serializers.ChoiceField(Role.choices, default=Role.VIEWER)
    days = serializers.IntegerField(default=USUAL_DAYS, help_text="How long it lasts: 1 to 30.")
    email = serializers.EmailField(
        default="", allow_blank=True, help_text="For the account of this address; empty: for whoever has it."
    )


class JoinLinkSerializer(serializers.ModelSerializer[JoinLink]):
    made_by = serializers.EmailField(source="made_by.email", read_only=True)
    used_by = serializers.EmailField(source="used_by.email", default="", read_only=True)

    class Meta:
        model = JoinLink
        fields = ("id", "email", "role", "made_by", "created", "expires", "used", "used_by")
        read_only_fields = fields


class MadeJoinLinkSerializer(JoinLinkSerializer):
    address = serializers.CharField(help_text=ADDRESS_TOLD)

    class Meta(JoinLinkSerializer.Meta):
        fields = (*JoinLinkSerializer.Meta.fields, "address")  # type: ignore[assignment]
        read_only_fields = fields  # type: ignore[assignment]


class JoinLinks(generics.ListAPIView[JoinLink]):
    """Invitations to a datasource by a link, the newest first. For owners."""

    token_scope = BY_METHOD
    serializer_class = JoinLinkSerializer
    queryset = JoinLink.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[JoinLink]:
        datasource = find_datasource(self.request, self.kwargs["pk"], Role.OWNER)
        return datasource.join_links.select_related("made_by", "used_by")

    @extend_schema(request=NewJoinLinkSerializer, responses={201: MadeJoinLinkSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """A link that makes a member of whoever opens it, once."""
        datasource = find_datasource(request, pk, Role.OWNER)
        given = NewJoinLinkSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        asked = given.validated_data | {"role": Role(given.validated_data["role"])}
        made = join_links.make_join_link(datasource, **asked, by=signed_in(request))
        told = {**JoinLinkSerializer(made.link).data, "address": made.shown(request)}
        return Response(told, status.HTTP_201_CREATED)


class OneJoinLink(APIView):
    """One invitation by a link. For owners."""

    token_scope = BY_METHOD

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, link: int) -> Response:
        """It opens nothing from now on. Who has come by it stays a member."""
        datasource = find_datasource(request, pk, Role.OWNER)
        join_links.withdraw(get_object_or_404(datasource.join_links, pk=link), by=signed_in(request))
        return Response(status=status.HTTP_204_NO_CONTENT)

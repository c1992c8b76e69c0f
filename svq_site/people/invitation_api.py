"""REST: invitations to have an account, for administrators."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import administrator
from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from accounts.invitations import ADDRESS_TOLD, USUAL_DAYS, invite_to_account, withdraw
from accounts.models import AccountInvitation


class NewInvitationSerializer(KnownFields[AccountInvitation]):
    email = serializers.EmailField()
    days = serializers.IntegerField(default=USUAL_DAYS, help_text="How long it lasts: 1 to 30.")


class InvitationSerializer(serializers.ModelSerializer[AccountInvitation]):
    made_by = serializers.EmailField(source="made_by.email", read_only=True)
    is_open = serializers.BooleanField(read_only=True, help_text="Whether it still opens something.")

    class Meta:
        model = AccountInvitation
        fields = ("id", "email", "made_by", "is_open", "created", "expires")
        read_only_fields = fields


class MadeInvitationSerializer(InvitationSerializer):
    address = serializers.CharField(help_text=ADDRESS_TOLD)

    class Meta(InvitationSerializer.Meta):
        fields = (*InvitationSerializer.Meta.fields, "address")  # type: ignore[assignment]
        read_only_fields = fields  # type: ignore[assignment]


class Invitations(generics.ListAPIView[AccountInvitation]):
    """Those that nobody has used, the newest first. For administrators."""

    token_scope = BY_METHOD
    serializer_class = InvitationSerializer
    queryset = AccountInvitation.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[AccountInvitation]:
        administrator(self.request)
        return AccountInvitation.objects.filter(used=None).select_related("made_by")

    @extend_schema(request=NewInvitationSerializer, responses={201: MadeInvitationSerializer})
    def post(self, request: Request) -> Response:
        """Invite an address to have an account. An earlier link for it ends."""
        by = administrator(request)
        given = NewInvitationSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        made = invite_to_account(**given.validated_data, by=by)
        told = {**InvitationSerializer(made.link).data, "address": made.shown(request)}
        return Response(told, status.HTTP_201_CREATED)


class OneInvitation(APIView):
    """One invitation. For administrators."""

    token_scope = BY_METHOD

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """It opens nothing from now on."""
        by = administrator(request)
        withdraw(get_object_or_404(AccountInvitation, pk=pk, used=None), by=by)
        return Response(status=status.HTTP_204_NO_CONTENT)

"""REST: the webhooks of a datasource, for its owners."""

from typing import Any

from django.db import transaction
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
from accounts.models import User
from datasources.api.views import find_datasource
from datasources.models import Role
from exchange.webhooks import services
from exchange.webhooks.models import CHOSEN, Webhook, WhyOff

KINDS = [(kind.value, kind.label) for kind in CHOSEN]


class WebhookSerializer(KnownFields[Webhook], serializers.ModelSerializer[Webhook]):
    address = serializers.CharField(max_length=services.LONGEST)
    kinds = serializers.ListField(
        child=serializers.ChoiceField(KINDS),
        min_length=1,
        max_length=len(KINDS),
        help_text="What it is notified of.",
    )
    is_on = serializers.BooleanField(source="is_enabled", read_only=True)
    why_off = serializers.ChoiceField(WhyOff.choices, read_only=True, help_text="Empty while it is on.")

    class Meta:
        model = Webhook
        fields = ("id", "address", "kinds", "is_on", "why_off", "failing_since", "last_failure", "created")
        read_only_fields = ("failing_since", "last_failure")


class MadeWebhookSerializer(WebhookSerializer):
    secret = serializers.CharField(
        read_only=True, help_text="With which messages are signed. Told once, here and nowhere else."
    )

    class Meta(WebhookSerializer.Meta):
        fields = (*WebhookSerializer.Meta.fields, "secret")  # type: ignore[assignment]


class WebhookChangeSerializer(WebhookSerializer):
    is_on = serializers.BooleanField(
        required=False, help_text="What happens while it is off is not told, not later either."
    )


class Webhooks(generics.ListAPIView[Webhook]):
    """Those of a datasource. For owners."""

    token_scope = BY_METHOD
    serializer_class = WebhookSerializer
    queryset = Webhook.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Webhook]:
        return find_datasource(self.request, self.kwargs["pk"], Role.OWNER).webhooks.all()

    @extend_schema(request=WebhookSerializer, responses={201: MadeWebhookSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Make one. It is told what happens from now on, a test first."""
        datasource = find_datasource(request, pk, Role.OWNER)
        given = WebhookSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        hook, secret = services.make_webhook(datasource, **given.validated_data, by=signed_in(request))
        return Response({**WebhookSerializer(hook).data, "secret": secret}, status.HTTP_201_CREATED)


class WebhookDetail(APIView):
    """One webhook. For owners."""

    token_scope = BY_METHOD

    def find(self, request: Request, pk: int, webhook: int) -> Webhook:
        return get_object_or_404(find_datasource(request, pk, Role.OWNER).webhooks, pk=webhook)

    @extend_schema(responses=WebhookSerializer)
    def get(self, request: Request, pk: int, webhook: int) -> Response:
        return Response(WebhookSerializer(self.find(request, pk, webhook)).data)

    @extend_schema(request=WebhookChangeSerializer(partial=True), responses=WebhookSerializer)
    def patch(self, request: Request, pk: int, webhook: int) -> Response:
        """Another address, other kinds; off, or on again. Its secret stays."""
        hook = self.find(request, pk, webhook)
        given = WebhookChangeSerializer(data=request.data, partial=True)
        given.is_valid(raise_exception=True)
        return Response(WebhookSerializer(_changed(hook, given.validated_data, signed_in(request))).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, webhook: int) -> Response:
        """Its secret is lost, and what waits is not sent."""
        self.find(request, pk, webhook).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


@transaction.atomic  # all of it or nothing
def _changed(hook: Webhook, changed: dict[str, Any], by: User) -> Webhook:
    """Raises Http404 where somebody has deleted it meanwhile."""
    hook = get_object_or_404(Webhook.objects.select_for_update(), pk=hook.pk)
    if "address" in changed or "kinds" in changed:
        services.change_webhook(hook, changed.get("address", hook.address), changed.get("kinds", hook.kinds))
    if changed.get("is_on") is True:
        services.open_again(hook, by)
    elif changed.get("is_on") is False:
        services.switch_off(hook, WhyOff.OWNER)
    hook.refresh_from_db()
    return hook

"""Webhooks in the admin: to be looked at. Addresses belong to owners."""

from django.contrib import admin

from datasources.admin import ReadOnlyAdmin
from exchange.webhooks.models import Delivery, Webhook


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    open_fields = ("datasource", "kinds", "made_by", "created", "failing_since", "disabled")
    list_display = ("__str__", *open_fields)
    list_filter = ("disabled", "created")
    list_select_related = ("datasource", "made_by")
    search_fields = ("datasource__name",)


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    open_fields = ("webhook", "kind", "created", "attempts", "next_attempt", "delivered", "answer")
    list_display = ("id", *open_fields)
    list_filter = ("kind", "created")
    list_select_related = ("webhook__datasource",)
    search_fields = ("id",)

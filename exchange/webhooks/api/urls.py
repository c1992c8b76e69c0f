"""REST addresses of webhooks, under /api/v1/."""

from django.urls import path

from exchange.webhooks.api.views import WebhookDetail, Webhooks

urlpatterns = [
    path("data-sources/<int:pk>/webhooks", Webhooks.as_view(), name="api-webhooks"),
    path("data-sources/<int:pk>/webhooks/<int:webhook>", WebhookDetail.as_view(), name="api-webhook"),
]

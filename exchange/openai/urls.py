"""Addresses of OpenAI's protocol, under /api/v1/openai/ and, as clients know them, under /v1/."""

from django.urls import path

from exchange.openai.views import ChatCompletions, Models, OneModel

urlpatterns = [
    path("models", Models.as_view(), name="openai-models"),
    path("models/<str:name>", OneModel.as_view(), name="openai-model"),
    path("chat/completions", ChatCompletions.as_view(), name="openai-chat-completions"),
]

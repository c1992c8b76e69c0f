"""Addresses of OpenAI's protocol, under /v1/, where its clients look for it."""

from django.urls import path

from exchange.openai.views import ChatCompletions, Models, OneModel

urlpatterns = [
    path("models", Models.as_view(), name="api-openai-models"),
    path("models/<str:name>", OneModel.as_view(), name="api-openai-model"),
    path("chat/completions", ChatCompletions.as_view(), name="api-openai-chat-completions"),
]

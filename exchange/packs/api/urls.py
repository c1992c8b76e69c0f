"""REST addresses of evidence packs, under /api/v1/."""

from django.urls import path

from exchange.packs.api.views import ConversationPack, SigningKey, TurnPack

urlpatterns = [
    path("turns/<uuid:pk>/pack", TurnPack.as_view(), name="api-turn-pack"),
    path("conversations/<uuid:pk>/pack", ConversationPack.as_view(), name="api-conversation-pack"),
    path("signing-key", SigningKey.as_view(), name="api-signing-key"),
]

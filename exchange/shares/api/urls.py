"""REST addresses of share links, under /api/v1/."""

from django.urls import path

from exchange.shares.api.views import ConversationShareLinks, ShareLinkDetail, ShareLinks, TurnShareLinks

urlpatterns = [
    path("turns/<uuid:pk>/share-links", TurnShareLinks.as_view(), name="api-turn-share-links"),
    path(
        "conversations/<uuid:pk>/share-links",
        ConversationShareLinks.as_view(),
        name="api-conversation-share-links",
    ),
    path("share-links", ShareLinks.as_view(), name="api-share-links"),
    path("share-links/<int:pk>", ShareLinkDetail.as_view(), name="api-share-link"),
]

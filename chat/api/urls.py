"""REST addresses of conversations, questions and citations, under /api/v1/."""

from django.urls import path

from chat.api import around, citations, of_datasource
from chat.api.answer_settings import Answering
from chat.api.conversations import ConversationDetail, ConversationExport, Conversations
from chat.api.rag_query import RagQuery
from chat.api.turns import Ask, TurnDetail, TurnExport, TurnStop

urlpatterns = [
    path("data-sources/<int:pk>/conversations", Conversations.as_view(), name="api-conversations"),
    path("data-sources/<int:pk>/ask", Ask.as_view(), name="api-ask"),
    path(
        "data-sources/<int:pk>/instructions",
        of_datasource.OwnInstructions.as_view(),
        name="api-instructions",
    ),
    path("data-sources/<int:pk>/answering", Answering.as_view(), name="api-answering"),
    path("data-sources/<int:pk>/models", of_datasource.ModelChoices.as_view(), name="api-model-choices"),
    path("data-sources/<int:pk>/notebook", of_datasource.Notebook.as_view(), name="api-notebook"),
    path(
        "data-sources/<int:pk>/notebook/export",
        of_datasource.NotebookExport.as_view(),
        name="api-notebook-export",
    ),
    path("data-sources/<int:pk>/notebook/<int:note>", of_datasource.NoteDetail.as_view(), name="api-note"),
    path("conversations/<uuid:pk>", ConversationDetail.as_view(), name="api-conversation"),
    path(
        "conversations/<uuid:pk>/export",
        ConversationExport.as_view(),
        name="api-conversation-export",
    ),
    path("rag/query", RagQuery.as_view(), name="api-rag-query"),
    path("turns/<uuid:pk>", TurnDetail.as_view(), name="api-turn"),
    path("turns/<uuid:pk>/again", around.AskAgain.as_view(), name="api-turn-again"),
    path("turns/<uuid:pk>/feedback", around.TurnFeedback.as_view(), name="api-turn-feedback"),
    path("turns/<uuid:pk>/follow-ups", around.FollowUps.as_view(), name="api-turn-follow-ups"),
    path("turns/<uuid:pk>/stop", TurnStop.as_view(), name="api-turn-stop"),
    path("turns/<uuid:pk>/export", TurnExport.as_view(), name="api-turn-export"),
    path("turns/<uuid:pk>/citations/<int:n>", citations.CitationDetail.as_view(), name="api-citation"),
    path(
        "turns/<uuid:pk>/citations/<int:n>/pages/<int:page>/image",
        citations.CitationImage.as_view(),
        name="api-citation-image",
    ),
    path(
        "turns/<uuid:pk>/citations/<int:n>/pages/<int:page>/crop",
        citations.CitationCrop.as_view(),
        name="api-citation-crop",
    ),
    path("turns/<uuid:pk>/citations/<int:n>/pdf", citations.CitationPdf.as_view(), name="api-citation-pdf"),
]

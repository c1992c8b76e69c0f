"""The addresses of other systems, at the places where their clients look for them."""

from django.urls import path

from exchange.compatible.datasources import DataSources
from exchange.compatible.knowledge_base import KnowledgeBase, KnowledgeBaseChunks, KnowledgeBaseDocument
from exchange.compatible.query import Query
from exchange.compatible.vectors import EmbedOne, RankAgain

urlpatterns = [
    path("api/data-sources", DataSources.as_view(), name="api-compatible-datasources"),
    path("api/knowledge-base", KnowledgeBase.as_view(), name="api-compatible-documents"),
    path(  # ids may have slashes
        "api/knowledge-base/<path:document>/chunks",
        KnowledgeBaseChunks.as_view(),
        name="api-compatible-chunks",
    ),
    path(
        "api/knowledge-base/<path:document>", KnowledgeBaseDocument.as_view(), name="api-compatible-document"
    ),
    path("api/rag/query", Query.as_view(), name="api-compatible-query"),
    path("api/v1/embed/single", EmbedOne.as_view(), name="api-compatible-embed"),
    path("v1/rerank", RankAgain.as_view(), name="api-compatible-rerank"),
]

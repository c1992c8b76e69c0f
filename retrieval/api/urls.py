"""REST addresses of searches, under /api/v1/."""

from django.urls import path

from retrieval.api.views import Retrieve

urlpatterns = [path("rag/retrieve", Retrieve.as_view(), name="api-rag-retrieve")]

"""Pages of the map of documents."""

from django.urls import path

from ingestion.similarity import views

urlpatterns = [path("d/<int:pk>/graph/documents/", views.documents, name="document_graph")]

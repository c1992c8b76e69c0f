"""Pages of the map of documents."""

from django.urls import path

from graph.web import document_map_views

urlpatterns = [path("d/<int:pk>/graph/documents/", document_map_views.documents, name="document_graph")]

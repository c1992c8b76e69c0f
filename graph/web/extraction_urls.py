"""Pages of reading for the graph, and the graph as a file."""

from django.urls import path

from graph.web import extraction_views

urlpatterns = [
    path("d/<int:pk>/graph/extraction/", extraction_views.extraction, name="graph_extraction"),
    path("d/<int:pk>/graph/extraction/types/", extraction_views.extraction_types, name="extraction_types"),
    path("d/<int:pk>/graph/extraction/state/", extraction_views.extraction_state, name="extraction_state"),
    path("d/<int:pk>/graph/extraction/budget/", extraction_views.raise_budget, name="extraction_budget"),
    path("d/<int:pk>/graph/extraction/retry/", extraction_views.retry, name="extraction_retry"),
    path("d/<int:pk>/graph/export/<str:form>/", extraction_views.graph_export, name="graph_export"),
]

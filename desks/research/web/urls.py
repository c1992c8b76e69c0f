"""Pages of papers: the import from arXiv, the papers of a datasource, what an answer cites."""

from django.urls import path

from desks.research.web import import_views, maps_views, paper_views

urlpatterns = [
    path("papers/import/", import_views.import_page, name="import_papers"),
    path("papers/import/queue/", import_views.import_queue, name="import_queue"),
    path("papers/import/start/", import_views.start, name="import_start"),
    path("papers/import/<int:pk>/", import_views.change, name="import_change"),
    path("d/<int:pk>/papers/", paper_views.papers, name="papers"),
    path("d/<int:pk>/papers/maps/", maps_views.maps, name="papers_maps"),
    path("d/<int:pk>/papers/update/", paper_views.update, name="papers_update"),
    path("d/<int:pk>/papers/export/<str:form>/", paper_views.export, name="papers_export"),
    path("turn/<uuid:turn>/cited/<str:form>/", paper_views.export_cited, name="export_cited"),
]

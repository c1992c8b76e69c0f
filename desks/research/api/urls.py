"""Addresses of the REST interface of research."""

from django.urls import path

from desks.research.api import views

urlpatterns = [
    path("paper-searches", views.PaperSearches.as_view(), name="api-paper-searches"),
    path("paper-searches/<uuid:pk>", views.PaperSearchDetail.as_view(), name="api-paper-search"),
    path("data-sources/<int:pk>/papers", views.Papers.as_view(), name="api-papers"),
    path("data-sources/<int:pk>/paper-imports", views.PaperImports.as_view(), name="api-paper-imports"),
    path("paper-imports/<int:pk>", views.PaperImportDetail.as_view(), name="api-paper-import"),
    path("paper-imports/<int:pk>/pause", views.PaperImportPause.as_view(), name="api-paper-import-pause"),
    path("paper-imports/<int:pk>/resume", views.PaperImportResume.as_view(), name="api-paper-import-resume"),
    path("paper-imports/<int:pk>/cancel", views.PaperImportCancel.as_view(), name="api-paper-import-cancel"),
    path("turns/<uuid:pk>/bibliography/<str:form>", views.Bibliography.as_view(), name="api-bibliography"),
]

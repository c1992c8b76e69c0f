"""Pages of documents at a glance."""

from django.urls import path

from digest.web import views
from digest.web.compare_views import compare

urlpatterns = [
    path("d/<int:pk>/documents/<int:doc>/compare/", compare, name="compare_documents"),
    path("d/<int:pk>/documents/<int:doc>/terms/", views.terms_of_document, name="document_terms"),
    path("d/<int:pk>/at-a-glance/", views.of_datasource, name="glance"),
    path("d/<int:pk>/at-a-glance/<str:form>/", views.file_of_datasource, name="glance_file"),
    path("d/<int:pk>/documents/<int:doc>/at-a-glance/", views.of_document, name="document_glance"),
    path(
        "d/<int:pk>/documents/<int:doc>/at-a-glance/<str:form>/",
        views.file_of_document,
        name="document_glance_file",
    ),
]

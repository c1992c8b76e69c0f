"""Pages: the documents of a datasource, what people do with them, and the datasource's deletion."""

from django.urls import path

from ingestion.lifecycle import pausing, recognising, retrying
from ingestion.web import (
    adding_views,
    deletion_views,
    details_views,
    downloads,
    rechunk_views,
    vector_views,
    views,
)

urlpatterns = [
    path("deletions/", deletion_views.receipts, name="receipts"),
    path("deletions/<uuid:deletion>/", deletion_views.receipt, name="receipt"),
    path("d/<int:pk>/", views.documents, name="documents"),
    path("d/<int:pk>/upload/", views.upload, name="documents_upload"),
    path("d/<int:pk>/paste/", adding_views.paste, name="paste_text"),
    path("d/<int:pk>/web-page/", adding_views.web_page, name="add_web_page"),
    path("d/<int:pk>/pause/", views.switch, {"act": pausing.pause}, name="reading_pause"),
    path("d/<int:pk>/resume/", views.switch, {"act": pausing.resume}, name="reading_resume"),
    path("d/<int:pk>/selection/", views.selection, name="documents_selection"),
    path("d/<int:pk>/undo/", deletion_views.undo, name="documents_undo"),
    path("d/<int:pk>/rechunk/", rechunk_views.rechunk_documents, name="rechunk"),
    path("d/<int:pk>/vectors/", vector_views.vectors_state, name="vectors_state"),
    path("d/<int:pk>/vectors/change/", vector_views.change_embedding_model, name="change_embedding_model"),
    path("d/<int:pk>/vectors/undo/", vector_views.undo_embedding_model, name="undo_embedding_model"),
    path("d/<int:pk>/delete/", views.delete_datasource, name="datasource_delete"),
    path(
        "d/<int:pk>/documents/<int:doc>/retry/", views.change, {"act": retrying.retry}, name="document_retry"
    ),
    path(
        "d/<int:pk>/documents/<int:doc>/recognise/",
        views.change,
        {"act": recognising.recognise},
        name="document_recognise",
    ),
    path("d/<int:pk>/documents/<int:doc>/fetch/", adding_views.fetch, name="document_fetch"),
    path(
        "d/<int:pk>/documents/<int:doc>/cancel/",
        views.change,
        {"act": retrying.cancel},
        name="document_cancel",
    ),
    path(
        "d/<int:pk>/documents/<int:doc>/delete/",
        deletion_views.remove,
        name="document_remove",
    ),
    path("d/<int:pk>/documents/<int:doc>/unlock/", views.unlock, name="document_unlock"),
    path("d/<int:pk>/documents/<int:doc>/details/", details_views.details, name="document_details"),
    path("d/<int:pk>/documents/<int:doc>/replace/", views.replace, name="document_replace"),
    path("d/<int:pk>/documents/<int:doc>/file/", downloads.original, name="document_original"),
]

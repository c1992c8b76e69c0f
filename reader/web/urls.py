"""The document reader and the chunk page of a datasource."""

from django.urls import path

from reader.web import chunk_views, views

urlpatterns = [
    path("d/<int:pk>/documents/<int:doc>/", views.reader, name="reader"),
    path("d/<int:pk>/documents/<int:doc>/pages/<int:number>.webp", views.page_image, name="page_image"),
    path("d/<int:pk>/chunks/", chunk_views.chunks, name="chunks"),
    path("d/<int:pk>/chunks/<int:chunk>/", chunk_views.leave_out, name="leave_out"),
]

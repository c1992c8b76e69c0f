"""The search page, the document reader and the chunk page."""

from django.urls import path

from reader.web import chunk_views, search_views, views

urlpatterns = [
    path("search/", search_views.search_all, name="search_all"),
    path("d/<int:pk>/search/", search_views.search, name="search"),
    path("d/<int:pk>/documents/<int:doc>/", views.reader, name="reader"),
    path("d/<int:pk>/documents/<int:doc>/pages/<int:number>.webp", views.page_image, name="page_image"),
    path("d/<int:pk>/documents/<int:doc>/original-look/", views.original, name="original_look"),
    path(
        "d/<int:pk>/documents/<int:doc>/original-look/<int:number>.webp",
        views.original_image,
        name="original_look_image",
    ),
    path("d/<int:pk>/chunks/", chunk_views.chunks, name="chunks"),
    path("d/<int:pk>/chunks/leave-out/", chunk_views.leave_out_several, name="leave_out_several"),
    path("d/<int:pk>/chunks/<int:chunk>/", chunk_views.leave_out, name="leave_out"),
]

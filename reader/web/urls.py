"""The search page, the document reader and the chunk page."""

from django.urls import path

from reader.web import chunk_views, passage_views, search_views, views

PASSAGE = "d/<int:pk>/documents/<int:doc>/passage/<int:start>-<int:end>/"

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
    path(PASSAGE, passage_views.card, name="passage_card"),
    path(f"{PASSAGE}<int:number>.webp", passage_views.crop, name="passage_crop"),
    path("d/<int:pk>/chunks/", chunk_views.chunks, name="chunks"),
    path("d/<int:pk>/chunks/leave-out/", chunk_views.leave_out_several, name="leave_out_several"),
    path("d/<int:pk>/chunks/<int:chunk>/", chunk_views.leave_out, name="leave_out"),
]

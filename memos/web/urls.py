"""Pages of memos."""

from django.urls import path

from memos.web import views

MEMO = "d/<int:pk>/memos/<int:memo>/"

urlpatterns = [
    path("d/<int:pk>/memos/", views.write_memo, name="write_memo"),
    path(MEMO, views.memo, name="memo"),
    path(f"{MEMO}sources/take-out/", views.take_out, name="take_out_source"),
    path(f"{MEMO}delete/", views.delete_memo, name="delete_memo"),
    path(f"{MEMO}file/<str:form>/", views.memo_file, name="memo_file"),
]

"""REST addresses of memos, under /api/v1/."""

from django.urls import path

from memos.api.views import MemoDetail, MemoFile, MemoNotes, Memos, MemoSourceDetail

MEMO = "data-sources/<int:pk>/memos/<int:memo>"

urlpatterns = [
    path("data-sources/<int:pk>/memos", Memos.as_view(), name="api-memos"),
    path(MEMO, MemoDetail.as_view(), name="api-memo"),
    path(f"{MEMO}/notes", MemoNotes.as_view(), name="api-memo-notes"),
    path(f"{MEMO}/sources/<int:n>", MemoSourceDetail.as_view(), name="api-memo-source"),
    path(f"{MEMO}/file/<str:form>", MemoFile.as_view(), name="api-memo-file"),
]

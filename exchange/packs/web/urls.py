"""Pages of evidence packs."""

from django.urls import path

from exchange.packs.web import views

urlpatterns = [
    path("turn/<uuid:turn>/pack/", views.answer_pack, name="answer_pack"),
    path("turn/<uuid:turn>/pack.zip", views.answer_pack_file, name="answer_pack_file"),
    path("d/<int:pk>/chat/<uuid:conversation>/pack/", views.conversation_pack, name="conversation_pack"),
    path(
        "d/<int:pk>/chat/<uuid:conversation>/pack.zip",
        views.conversation_pack_file,
        name="conversation_pack_file",
    ),
    path("packs/svq-signing-key.pem", views.pack_key, name="pack_key"),
    path("packs/verify.html", views.pack_verifier, name="pack_verifier"),
]

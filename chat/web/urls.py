"""The chat of a datasource: conversations, questions, and the sources of their answers."""

from django.urls import path

from chat.web import source_views, views

urlpatterns = [
    path("d/<int:pk>/chat/", views.new_chat, name="chat"),
    path("d/<int:pk>/chat/ask/", views.ask, name="ask_new"),
    path("d/<int:pk>/chat/scope/", views.scope, name="chat_scope"),
    path("d/<int:pk>/chat/<uuid:conversation>/", views.conversation, name="conversation"),
    path("d/<int:pk>/chat/<uuid:conversation>/ask/", views.ask, name="ask"),
    path("d/<int:pk>/chat/<uuid:conversation>/rename/", views.rename, name="rename_conversation"),
    path("d/<int:pk>/chat/<uuid:conversation>/delete/", views.delete, name="delete_conversation"),
    path("d/<int:pk>/chat/<uuid:conversation>/export/", views.export, name="export_conversation"),
    path("turn/<uuid:turn>/stop/", views.stop, name="stop"),
    path("turn/<uuid:turn>/source/<int:n>/", source_views.pane, name="source"),
    path("turn/<uuid:turn>/source/<int:n>/card/", source_views.card, name="source_card"),
]

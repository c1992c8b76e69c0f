"""The chat of a datasource: conversations, questions, and the sources of their answers."""

from django.urls import path

from chat.web.again_views import again
from chat.web.answer_settings import answer_settings
from chat.web.asking_views import ask, newer, stage, stop
from chat.web.conversation_views import delete, export, export_word, rename
from chat.web.feedback_views import give_feedback
from chat.web.follow_up_views import follow_ups_of
from chat.web.instructions_views import instructions
from chat.web.model_sample_views import model_sample
from chat.web.notebook_views import change_note, export_notebook, keep_answer, keep_quote, notebook
from chat.web.source_views import card, page, pane
from chat.web.thread_views import conversation, new_chat, scope
from chat.web.verdict_views import verdicts

urlpatterns = [
    path("d/<int:pk>/chat/", new_chat, name="chat"),
    path("d/<int:pk>/chat/ask/", ask, name="ask_new"),
    path("d/<int:pk>/chat/settings/", answer_settings, name="answer_settings"),
    path("d/<int:pk>/chat/scope/", scope, name="chat_scope"),
    path("d/<int:pk>/chat/<uuid:conversation>/", conversation, name="conversation"),
    path("d/<int:pk>/chat/<uuid:conversation>/ask/", ask, name="ask"),
    path("d/<int:pk>/chat/<uuid:conversation>/newer/", newer, name="newer_questions"),
    path("d/<int:pk>/chat/<uuid:conversation>/rename/", rename, name="rename_conversation"),
    path("d/<int:pk>/chat/<uuid:conversation>/delete/", delete, name="delete_conversation"),
    path("d/<int:pk>/chat/<uuid:conversation>/export/", export, name="export_conversation"),
    path("d/<int:pk>/chat/<uuid:conversation>/export/word/", export_word, name="export_conversation_word"),
    path("d/<int:pk>/chat/instructions/", instructions, name="instructions"),
    path("d/<int:pk>/verdicts/", verdicts, name="verdicts"),
    path("d/<int:pk>/notebook/", notebook, name="notebook"),
    path("d/<int:pk>/notebook/export/", export_notebook, name="export_notebook"),
    path("d/<int:pk>/notebook/<int:note>/", change_note, name="change_note"),
    path("chat/model-sample/", model_sample, name="model_sample"),
    path("turn/<uuid:turn>/again/", again, name="ask_again"),
    path("turn/<uuid:turn>/feedback/", give_feedback, name="feedback"),
    path("turn/<uuid:turn>/follow-ups/", follow_ups_of, name="follow_ups"),
    path("turn/<uuid:turn>/keep/", keep_answer, name="keep_answer"),
    path("turn/<uuid:turn>/source/<int:n>/keep/", keep_quote, name="keep_quote"),
    path("turn/<uuid:turn>/stage/", stage, name="stage"),
    path("turn/<uuid:turn>/stop/", stop, name="stop"),
    path("turn/<uuid:turn>/source/<int:n>/", pane, name="source"),
    path("turn/<uuid:turn>/source/<int:n>/card/", card, name="source_card"),
    path("turn/<uuid:turn>/source/<int:n>/pages/<int:number>.webp", page, name="source_page"),
]

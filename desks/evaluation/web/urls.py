"""Pages of evaluation."""

from django.urls import path

from desks.evaluation.web import judge_views, set_views, views

HERE = "d/<int:pk>/evaluation/"
SET = f"{HERE}sets/<int:question_set>/"
RUN = f"{HERE}runs/<int:number>/"

urlpatterns = [
    path(HERE, views.overview, name="evaluation"),
    path(f"{HERE}state/", views.state, name="evaluation_state"),
    path(f"{HERE}new/", views.new_run, name="evaluation_new"),
    path(f"{RUN}judge/", judge_views.check_judge, name="evaluation_judge"),
    path(f"{RUN}end/", views.end_run, name="evaluation_end"),
    path(f"{RUN}questions/<int:question>/", views.question, name="evaluation_question"),
    path(f"{RUN}export/<str:form>/", views.export, name="evaluation_export"),
    path(f"{HERE}sets/", set_views.question_sets, name="question_sets"),
    path(SET, set_views.question_set, name="question_set"),
    path(f"{SET}change/", set_views.change_set, name="question_set_change"),
    path(f"{SET}schedule/", set_views.change_schedule, name="question_set_schedule"),
    path(f"{SET}new/", set_views.edit_question, name="question_new"),
    path(f"{SET}remove/", set_views.remove, name="questions_remove"),
    path(f"{SET}export/<str:form>/", set_views.export_set, name="question_set_export"),
    path(f"{SET}<uuid:key>/", set_views.edit_question, name="question_edit"),
]

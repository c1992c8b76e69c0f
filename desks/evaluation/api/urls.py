"""Addresses of the REST interface of evaluation."""

from django.urls import path

from desks.evaluation.api import views

urlpatterns = [
    path("data-sources/<int:pk>/question-sets", views.QuestionSets.as_view(), name="api-question-sets"),
    path("question-sets/<int:pk>", views.QuestionSetDetail.as_view(), name="api-question-set"),
    path("question-sets/<int:pk>/questions", views.Questions.as_view(), name="api-questions"),
    path("question-sets/<int:pk>/schedule", views.ScheduleDetail.as_view(), name="api-schedule"),
    path("data-sources/<int:pk>/evaluation-runs", views.Runs.as_view(), name="api-runs"),
    path("evaluation-runs/<int:pk>", views.RunDetail.as_view(), name="api-run"),
    path("evaluation-runs/<int:pk>/stop", views.RunStop.as_view(), name="api-run-stop"),
    path("evaluation-runs/<int:pk>/results", views.Results.as_view(), name="api-results"),
]

"""Addresses of usage and cost."""

from django.urls import path

from svq_site.usage import views

urlpatterns = [
    path("usage/", views.usage, name="usage"),
    path("usage/csv/", views.usage_csv, name="usage_csv"),
    path("d/<int:pk>/budget/", views.datasource_budget, name="datasource_budget"),
]

"""Addresses of summaries."""

from django.urls import path

from summaries.web.settings_section import summary_settings

urlpatterns = [path("d/<int:pk>/settings/summaries/", summary_settings, name="summary_settings")]

"""Addresses of the pages about models."""

from django.urls import path

from providers.web import connected, local_model_views, views

urlpatterns = [
    path("models/", views.models, name="models"),
    path("models/found/", views.found, name="models_found"),
    path("models/health/", connected.health, name="models_health"),
    path("models/offered/", views.listed, name="models_offered"),
    path("models/leaves/", views.leaves, name="models_leaves"),
    path("models/owners/", views.owners, name="models_owners"),
    path("models/disconnect/", views.disconnect, name="models_disconnect"),
    path("models/installed/", local_model_views.installed_models, name="installed_models"),
    path("models/installed/state/", local_model_views.state, name="installed_models_state"),
    path("models/installed/use/", local_model_views.use, name="use_installed_model"),
    path("models/installed/measure/", local_model_views.measure, name="measure_language_model"),
    path("models/installed/change/", local_model_views.change, name="change_installation"),
    path("models/installed/remove/", local_model_views.remove, name="remove_installed_model"),
]

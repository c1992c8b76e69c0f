"""Addresses of the pages about models."""

from django.urls import path

from providers.web import views

urlpatterns = [
    path("models/", views.models, name="models"),
    path("models/found/", views.found, name="models_found"),
    path("models/offered/", views.listed, name="models_offered"),
    path("models/leaves/", views.leaves, name="models_leaves"),
    path("models/owners/", views.owners, name="models_owners"),
    path("models/disconnect/", views.disconnect, name="models_disconnect"),
]

"""The pages of bundles."""

from django.urls import path

from exchange.bundles.web import views

urlpatterns = [
    path("d/<int:pk>/bundle", views.bundle_file, name="bundle_file"),
    path("bundles/", views.bundles, name="bundles"),
    path("bundles/state", views.bundles_state, name="bundles_state"),
]

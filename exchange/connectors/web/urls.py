"""The addresses of a datasource's connected sources."""

from django.urls import path

from exchange.connectors.web import views

urlpatterns = [
    path("d/<int:pk>/folders/", views.connectors, name="connectors"),
    path("d/<int:pk>/folders/<int:connector>/", views.connector, name="connector"),
]

"""The addresses of a datasource's connected folders."""

from django.urls import path

from connectors.web import views

urlpatterns = [
    path("d/<int:pk>/folders/", views.connectors, name="connectors"),
    path("d/<int:pk>/folders/<int:connector>/", views.connector, name="connector"),
]

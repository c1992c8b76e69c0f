"""The addresses of a datasource's webhooks."""

from django.urls import path

from exchange.webhooks.web import views

urlpatterns = [
    path("d/<int:pk>/webhooks/", views.webhooks, name="webhooks"),
    path("d/<int:pk>/webhooks/<int:webhook>/", views.webhook, name="webhook"),
]

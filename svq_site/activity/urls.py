"""The addresses of background work, and of what has happened in a datasource."""

from django.urls import path

from svq_site.activity import datasource_views, views

urlpatterns = [
    path("background/", views.background_work, name="background_work"),
    path("d/<int:pk>/activity/", datasource_views.activity, name="activity"),
]

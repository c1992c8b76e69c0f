"""The address of background work."""

from django.urls import path

from svq_site.activity import views

urlpatterns = [path("background/", views.background_work, name="background_work")]

"""REST addresses of page images, under /api/v1/."""

from django.urls import path

from reader.api.views import PageImage

urlpatterns = [
    path("documents/<int:pk>/pages/<int:page>/image", PageImage.as_view(), name="api-page-image"),
]

"""REST addresses of what stands in a document, under /api/v1/."""

from django.urls import path

from digest.api.views import Points

urlpatterns = [path("documents/<int:pk>/points", Points.as_view(), name="api-points")]

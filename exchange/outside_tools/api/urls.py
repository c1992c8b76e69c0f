"""REST addresses of outside tools, under /api/v1/."""

from django.urls import path

from exchange.outside_tools.api.views import OutsideTools

urlpatterns = [
    path("data-sources/<int:pk>/outside-tools", OutsideTools.as_view(), name="api-outside-tools"),
]

"""The addresses of matters in the REST interface."""

from django.urls import path

from svq_site.matters import api

urlpatterns = [
    path("matters", api.Matters.as_view(), name="api-matters"),
    path("matters/<int:pk>", api.MatterDetail.as_view(), name="api-matter"),
    path("matters/<int:pk>/shares", api.MatterShares.as_view(), name="api-matter-shares"),
    path("matters/<int:pk>/shares/<int:share>", api.OneMatterShare.as_view(), name="api-matter-share"),
    path(
        "matters/<int:pk>/data-sources/<int:datasource>",
        api.MatterDatasource.as_view(),
        name="api-matter-datasource",
    ),
]

"""REST addresses of connected sources, under /api/v1/."""

from django.urls import path

from exchange.connectors.api.counterparts import ConnectorReader, ConnectorReaders
from exchange.connectors.api.views import ConnectorDetail, ConnectorFiles, ConnectorLook, Connectors

urlpatterns = [
    path("data-sources/<int:pk>/connectors", Connectors.as_view(), name="api-connectors"),
    path("data-sources/<int:pk>/connectors/<int:connector>", ConnectorDetail.as_view(), name="api-connector"),
    path(
        "data-sources/<int:pk>/connectors/<int:connector>/files",
        ConnectorFiles.as_view(),
        name="api-connector-files",
    ),
    path(
        "data-sources/<int:pk>/connectors/<int:connector>/look",
        ConnectorLook.as_view(),
        name="api-connector-look",
    ),
    path(
        "data-sources/<int:pk>/connectors/<int:connector>/readers",
        ConnectorReaders.as_view(),
        name="api-connector-readers",
    ),
    path(
        "data-sources/<int:pk>/connectors/<int:connector>/readers/<int:reader>",
        ConnectorReader.as_view(),
        name="api-connector-reader",
    ),
]

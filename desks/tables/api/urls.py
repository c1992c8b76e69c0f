"""Addresses of the REST interface of tables."""

from django.urls import path

from desks.tables.api import views

urlpatterns = [
    path("data-sources/<int:pk>/tables", views.Tables.as_view(), name="api-tables"),
    path("tables/<int:pk>", views.TableDetail.as_view(), name="api-table"),
    path("tables/<int:pk>/fill", views.TableFill.as_view(), name="api-table-fill"),
    path("tables/<int:pk>/stop", views.TableStop.as_view(), name="api-table-stop"),
]

"""Pages of tables."""

from django.urls import path

from desks.tables.web import views

HERE = "d/<int:pk>/tables/"
TABLE = f"{HERE}<int:table>/"

urlpatterns = [
    path(HERE, views.tables, name="tables"),
    path(f"{HERE}new/", views.new_table, name="table_new"),
    path(TABLE, views.table_page, name="table"),
    path(f"{TABLE}state/", views.state, name="table_state"),
    path(f"{TABLE}change/", views.change, name="table_change"),
    path(f"{TABLE}documents/", views.more_documents, name="table_documents"),
    path(f"{TABLE}export/<str:form>/", views.export, name="table_export"),
]

"""Pages: a new datasource, a datasource's settings, its people."""

from django.urls import path

from datasources import views

urlpatterns = [
    path("new/", views.new_datasource, name="new_datasource"),
    path("d/<int:pk>/settings/", views.datasource_settings, name="datasource_settings"),
    path("d/<int:pk>/tabs/", views.tabs, name="datasource_tabs"),
    path("d/<int:pk>/members/", views.add_member, name="add_member"),
    path("d/<int:pk>/members/<int:user>/", views.change_member, name="change_member"),
    path("d/<int:pk>/invitations/<int:invitation>/", views.change_invitation, name="change_invitation"),
]

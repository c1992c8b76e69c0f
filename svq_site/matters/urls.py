"""The addresses of matters' pages."""

from django.urls import path

from svq_site.matters import views

urlpatterns = [
    path("matters/", views.matter_list, name="matters"),
    path("matters/new/", views.new_matter, name="new_matter"),
    path("matters/<int:pk>/", views.matter, name="matter"),
    path("matters/<int:pk>/name/", views.rename_matter, name="rename_matter"),
    path("matters/<int:pk>/people/", views.share_matter, name="share_matter"),
    path("matters/<int:pk>/groups/", views.share_matter_with_group, name="share_matter_with_group"),
    path("matters/<int:pk>/people/<int:share>/", views.change_matter_share, name="change_matter_share"),
    path("matters/<int:pk>/datasources/", views.put_in_matter, name="put_in_matter"),
    path(
        "matters/<int:pk>/datasources/<int:datasource>/", views.take_out_of_matter, name="take_out_of_matter"
    ),
    path("matters/<int:pk>/archive/", views.archive_matter, name="archive_matter"),
    path("matters/<int:pk>/open/", views.open_matter, name="open_matter"),
    path("matters/<int:pk>/delete/", views.delete_matter, name="delete_matter"),
]

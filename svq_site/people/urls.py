"""The addresses of the administrators' pages about people."""

from django.urls import path

from svq_site.people import directory_views, group_views, views

urlpatterns = [
    path("settings/people/", views.people, name="people"),
    path(
        "settings/people/invitations/<int:invitation>/",
        views.withdraw_account_invitation,
        name="withdraw_account_invitation",
    ),
    path("settings/groups/", group_views.groups, name="groups"),
    path("settings/groups/<int:group>/", group_views.group, name="group"),
    path("settings/groups/<int:group>/<int:user>/", group_views.remove_from_group, name="remove_from_group"),
    path("settings/people/<int:person>/", views.person, name="person"),
    path("settings/sign-in/directories/", directory_views.directories, name="directories"),
    path("settings/sign-in/directories/<int:directory>/", directory_views.directory, name="directory"),
]

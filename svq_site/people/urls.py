"""The addresses of the administrators' pages about people."""

from django.urls import path

from svq_site.people import views

urlpatterns = [
    path("settings/people/", views.people, name="people"),
    path(
        "settings/people/invitations/<int:invitation>/",
        views.withdraw_account_invitation,
        name="withdraw_account_invitation",
    ),
    path("settings/people/<int:person>/", views.person, name="person"),
]

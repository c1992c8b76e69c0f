"""Addresses of sign-in through a provider, and of its settings."""

from django.urls import path

from accounts.openid import entrance, views

urlpatterns = [
    path("account/openid/<int:provider>/", entrance.sign_in_with, name="openid_sign_in"),
    path("account/openid/<int:provider>/connect/", entrance.connect, name="openid_connect"),
    path("account/openid/<int:provider>/disconnect/", views.disconnect, name="openid_disconnect"),
    path("account/openid/<int:provider>/returned/", entrance.returned, name="openid_returned"),
    path("account/openid/<int:provider>/ended/", entrance.ended_there, name="openid_ended_there"),
    path("settings/sign-in/providers/new/", views.new_provider, name="new_identity_provider"),
    path("settings/sign-in/providers/<int:provider>/", views.identity_provider, name="identity_provider"),
    path(
        "settings/sign-in/providers/<int:provider>/remove/",
        views.remove_provider,
        name="remove_identity_provider",
    ),
]

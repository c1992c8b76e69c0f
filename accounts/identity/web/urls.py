"""Addresses of sign-in through a provider, and of its settings."""

from django.urls import path

from accounts.identity.openid import entrance as openid
from accounts.identity.saml import entrance as saml
from accounts.identity.web import leaving, views

urlpatterns = [
    path("account/provider/<int:provider>/", leaving.sign_in_with, name="provider_sign_in"),
    path("account/provider/<int:provider>/connect/", leaving.connect, name="provider_connect"),
    path("account/provider/<int:provider>/disconnect/", views.disconnect, name="provider_disconnect"),
    # These are registered at providers.
    path("account/openid/<int:provider>/returned/", openid.returned, name="openid_returned"),
    path("account/openid/<int:provider>/ended/", openid.ended_there, name="openid_ended_there"),
    path("account/saml/<int:provider>/returned/", saml.returned, name="saml_returned"),
    path("account/saml/<int:provider>/ended/", saml.ended_there, name="saml_ended_there"),
    path("account/saml/<int:provider>/metadata/", saml.metadata_of_ours, name="saml_metadata"),
    path("account/saml/<int:provider>/entered/", saml.entered, name="saml_entered"),
    path(
        "settings/sign-in/providers/new/",
        views.new_provider,
        {"language": "openid"},
        name="new_identity_provider",
    ),
    path(
        "settings/sign-in/providers/new/saml/",
        views.new_provider,
        {"language": "saml"},
        name="new_saml_provider",
    ),
    path("settings/sign-in/providers/<int:provider>/", views.identity_provider, name="identity_provider"),
    path(
        "settings/sign-in/providers/<int:provider>/remove/",
        views.remove_provider,
        name="remove_identity_provider",
    ),
]

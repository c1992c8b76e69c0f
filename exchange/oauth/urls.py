"""Addresses of OAuth: what programs look up, where people are asked, where tokens are given; and the pages of
programs that were let in.
"""

from django.urls import path

from exchange.oauth import consent, endpoints, metadata, pages

urlpatterns = [
    path(".well-known/oauth-protected-resource/mcp", metadata.protected_resource, name="oauth_resource"),
    path(".well-known/oauth-protected-resource", metadata.protected_resource, name="oauth_resource_of_host"),
    path(".well-known/oauth-authorization-server", metadata.authorization_server, name="oauth_server"),
    path("oauth/authorize", consent.authorize, name="oauth_authorize"),
    path("oauth/token", endpoints.token, name="api-oauth-token"),
    path("oauth/register", endpoints.register, name="api-oauth-register"),
    path("oauth/revoke", endpoints.revoke, name="api-oauth-revoke"),
    path("settings/programs/", pages.programs, name="programs"),
    path("settings/programs/<int:program>/end/", pages.end_program, name="end_program"),
    path("settings/programs/of-everybody/", pages.programs_of_everybody, name="programs_of_everybody"),
    path("settings/programs/of-everybody/save/", pages.save_program_rule, name="save_program_rule"),
]

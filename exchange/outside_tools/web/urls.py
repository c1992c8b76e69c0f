"""The addresses of outside servers and of a datasource's attached tools."""

from django.urls import path

from exchange.outside_tools.web import own_tokens, server_pages, tool_pages

urlpatterns = [
    path("outside/", server_pages.outside_servers, name="outside_servers"),
    path("outside/<int:server>/", server_pages.outside_server, name="outside_server"),
    path("settings/outside-tools/", own_tokens.own_outside_tokens, name="own_outside_tokens"),
    path("settings/outside-tools/<int:server>/", own_tokens.own_outside_token, name="own_outside_token"),
    path("d/<int:pk>/outside-tools/", tool_pages.outside_tools, name="outside_tools"),
]

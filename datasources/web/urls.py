"""Pages: a new datasource, the tabs of one; API tokens, which reach datasources."""

from django.urls import path

from datasources.web import join_views, token_views, views

urlpatterns = [
    path("settings/tokens/", token_views.api_tokens, name="api_tokens"),
    path("settings/tokens/new/", token_views.new_api_token, name="new_api_token"),
    path("settings/tokens/revoke/", token_views.revoke_api_tokens, name="revoke_api_tokens"),
    path("settings/tokens/<int:token>/revoke/", token_views.revoke_api_token, name="revoke_api_token"),
    path("invitation/", join_views.join_page, name="join_page"),
    path("invitation/<str:token>/", join_views.opened, name="join"),
    path("new/", views.new_datasource, name="new_datasource"),
    path("d/<int:pk>/tabs/", views.tabs, name="datasource_tabs"),
]

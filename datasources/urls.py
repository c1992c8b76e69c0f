"""Pages: a new datasource, a datasource's settings, its people; API tokens, which reach datasources."""

from django.urls import path

from datasources import model_choice, model_health, own_model, token_views, views

urlpatterns = [
    path("settings/tokens/", token_views.api_tokens, name="api_tokens"),
    path("settings/tokens/new/", token_views.new_api_token, name="new_api_token"),
    path("settings/tokens/<int:token>/revoke/", token_views.revoke_api_token, name="revoke_api_token"),
    path("new/", views.new_datasource, name="new_datasource"),
    path("d/<int:pk>/settings/", views.datasource_settings, name="datasource_settings"),
    path("d/<int:pk>/models/", model_choice.choose_models, name="choose_models"),
    path("d/<int:pk>/models/health/", model_health.model_health, name="datasource_model_health"),
    path("d/<int:pk>/models/own/", own_model.own_model, name="own_model"),
    path("d/<int:pk>/models/own/disconnect/", own_model.disconnect_own_model, name="disconnect_own_model"),
    path("d/<int:pk>/tabs/", views.tabs, name="datasource_tabs"),
    path("d/<int:pk>/members/", views.add_member, name="add_member"),
    path("d/<int:pk>/members/<int:user>/", views.change_member, name="change_member"),
    path("d/<int:pk>/invitations/<int:invitation>/", views.change_invitation, name="change_invitation"),
]

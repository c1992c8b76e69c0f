"""The settings of a datasource, section by section, and what its forms are sent to."""

from django.urls import path, register_converter

from datasources.settings import choosing_models, join_links, model_health, own_model, people, views
from datasources.settings.sections import SectionConverter

register_converter(SectionConverter, "section")

urlpatterns = [
    path("d/<int:pk>/settings/", views.datasource_settings, name="datasource_settings"),
    path("d/<int:pk>/settings/save/", views.save_setting, name="save_setting"),
    path("d/<int:pk>/settings/<section:section>/", views.settings_section, name="settings_section"),
    path("d/<int:pk>/models/", choosing_models.choose_models, name="choose_models"),
    path("d/<int:pk>/models/health/", model_health.model_health, name="datasource_model_health"),
    path("d/<int:pk>/models/own/", own_model.own_model, name="own_model"),
    path("d/<int:pk>/models/own/disconnect/", own_model.disconnect_own_model, name="disconnect_own_model"),
    path("d/<int:pk>/members/", people.add_member, name="add_member"),
    path("d/<int:pk>/members/<int:user>/", people.change_member, name="change_member"),
    path("d/<int:pk>/groups/", people.share_with_group, name="share_with_group"),
    path("d/<int:pk>/groups/<int:group>/", people.change_group_share, name="change_group_share"),
    path("d/<int:pk>/join-links/", join_links.make_join_link, name="make_join_link"),
    path("d/<int:pk>/join-links/<int:link>/", join_links.withdraw_join_link, name="withdraw_join_link"),
    path("d/<int:pk>/invitations/<int:invitation>/", people.change_invitation, name="change_invitation"),
]

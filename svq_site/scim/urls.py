"""The addresses of SCIM."""

from django.urls import path

from svq_site.scim import views

urlpatterns = [
    path("ServiceProviderConfig", views.ProviderConfig.as_view(), name="scim_config"),
    path("ResourceTypes", views.ResourceTypes.as_view(), name="scim_resource_types"),
    path("ResourceTypes/<str:name>", views.ResourceTypes.as_view(), name="scim_resource_type"),
    path("Schemas", views.Schemas.as_view(), name="scim_schemas"),
    path("Schemas/<str:name>", views.Schemas.as_view(), name="scim_schema"),
    path("Users", views.Users.as_view(), name="scim_users"),
    path("Users/<str:pk>", views.OneUser.as_view(), name="scim_user"),
    path("Groups", views.Groups.as_view(), name="scim_groups"),
    path("Groups/<str:pk>", views.OneGroup.as_view(), name="scim_group"),
    path("<path:rest>", views.Nothing.as_view(), name="scim_nothing"),
]

"""The addresses of groups and of invitations to an account in the REST interface."""

from django.urls import path

from svq_site.people import group_api, invitation_api

urlpatterns = [
    path("groups", group_api.Groups.as_view(), name="api-groups"),
    path("groups/<int:pk>", group_api.GroupDetail.as_view(), name="api-group"),
    path("groups/<int:pk>/members", group_api.GroupMembers.as_view(), name="api-group-members"),
    path("groups/<int:pk>/members/<int:user>", group_api.OneGroupMember.as_view(), name="api-group-member"),
    path("account-invitations", invitation_api.Invitations.as_view(), name="api-account-invitations"),
    path(
        "account-invitations/<int:pk>", invitation_api.OneInvitation.as_view(), name="api-account-invitation"
    ),
]

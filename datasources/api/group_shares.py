"""REST: the groups of people with which a datasource is shared, for its owners."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from accounts.audit import made_in_audit_log
from accounts.models import PeopleGroup
from datasources import services
from datasources.api.views import RoleSerializer, find_datasource
from datasources.models import GroupShare, Role


class GroupShareSerializer(KnownFields[GroupShare], serializers.ModelSerializer[GroupShare]):
    id = serializers.IntegerField(source="group_id", read_only=True, help_text="The group’s number.")
    group = serializers.CharField(source="group.name", help_text="The name of a group of people.")
    role = serializers.ChoiceField(Role.choices, default=Role.VIEWER)

    class Meta:
        model = GroupShare
        fields = ("id", "group", "role", "created")


class GroupShares(generics.ListAPIView[GroupShare]):
    """The groups of people with which a datasource is shared. For owners."""

    token_scope = BY_METHOD
    serializer_class = GroupShareSerializer
    queryset = GroupShare.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[GroupShare]:
        datasource = find_datasource(self.request, self.kwargs["pk"], Role.OWNER)
        return datasource.group_shares.select_related("group").order_by("group__name")

    @extend_schema(request=GroupShareSerializer, responses={201: GroupShareSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Give all that are in a group a role, for as long as they are in it, or change the one it has."""
        datasource = find_datasource(request, pk, Role.OWNER)
        given = GroupShareSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        group = get_object_or_404(PeopleGroup, name=given.validated_data["group"]["name"])
        shared = services.share_with_group(datasource, group, Role(given.validated_data["role"]))
        made_in_audit_log(request, "group of people", [group.pk], pk)
        return Response(GroupShareSerializer(shared).data, status.HTTP_201_CREATED)


class OneGroupShare(APIView):
    """One group of people with which a datasource is shared. For owners."""

    token_scope = BY_METHOD

    def find(self, request: Request, pk: int, group: int) -> GroupShare:
        datasource = find_datasource(request, pk, Role.OWNER)
        return get_object_or_404(
            datasource.group_shares.select_related("group", "datasource"), group_id=group
        )

    @extend_schema(request=RoleSerializer, responses=GroupShareSerializer)
    def put(self, request: Request, pk: int, group: int) -> Response:
        """Give it another role."""
        shared = self.find(request, pk, group)
        given = RoleSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        role = Role(given.validated_data["role"])
        changed = services.share_with_group(shared.datasource, shared.group, role)
        return Response(GroupShareSerializer(changed).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, group: int) -> Response:
        """Its members lose at once what they saw by it alone."""
        self.find(request, pk, group).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)

"""REST: groups of people, for administrators."""

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import groups as services
from accounts.api import administrator
from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from accounts.models import GroupMember, PeopleGroup
from svq_site.people import listing
from svq_site.people.forms import open_account


class GroupSerializer(KnownFields[PeopleGroup], serializers.ModelSerializer[PeopleGroup]):
    name = serializers.CharField()
    members = serializers.IntegerField(source="people", read_only=True, help_text="How many.")
    datasources = serializers.IntegerField(read_only=True, help_text="How many are shared with it.")
    matters = serializers.IntegerField(read_only=True, help_text="The same of matters.")
    provider = serializers.CharField(
        source="provider.name", default="", read_only=True, help_text="Whose groups decide who is in it, too."
    )

    directory = serializers.CharField(
        source="in_directory.directory.name",
        default="",
        read_only=True,
        help_text="That keeps it, if one does.",
    )

    class Meta:
        model = PeopleGroup
        fields = (
            "id",
            "name",
            "members",
            "datasources",
            "matters",
            "provider",
            "claim",
            "directory",
            "created",
        )
        read_only_fields = ("claim",)


class GroupMemberSerializer(KnownFields[GroupMember], serializers.ModelSerializer[GroupMember]):
    id = serializers.IntegerField(source="person_id", read_only=True, help_text="The person's number.")
    email = serializers.EmailField(source="person.email")
    name = serializers.CharField(source="person.name", read_only=True)
    by_provider = serializers.SerializerMethodField(
        help_text="Put in by a sign-in provider: taken out, they come back with the next sign-in."
    )

    class Meta:
        model = GroupMember
        fields = ("id", "email", "name", "by_provider", "created")

    def get_by_provider(self, row: GroupMember) -> bool:
        return row.provider_id is not None


class Groups(generics.ListAPIView[PeopleGroup]):
    """All groups of people. For administrators."""

    token_scope = BY_METHOD
    serializer_class = GroupSerializer
    queryset = PeopleGroup.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[PeopleGroup]:
        administrator(self.request)
        return listing.groups()

    @extend_schema(request=GroupSerializer, responses={201: GroupSerializer})
    def post(self, request: Request) -> Response:
        """Make one, without members."""
        by = administrator(request)
        made = services.make_group(_name_in(request), by=by)
        return Response(_shown(made.pk), status.HTTP_201_CREATED)


class GroupDetail(APIView):
    """One group of people. For administrators."""

    token_scope = BY_METHOD

    @extend_schema(responses=GroupSerializer)
    def get(self, request: Request, pk: int) -> Response:
        administrator(request)
        return Response(_shown(pk))

    @extend_schema(request=GroupSerializer, responses=GroupSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Rename it."""
        by = administrator(request)
        with transaction.atomic():
            services.rename_group(_locked(pk), _name_in(request), by=by)
        return Response(_shown(pk))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """What was shared with it is no longer shared with its members, whose accounts stay."""
        by = administrator(request)
        with transaction.atomic():
            services.delete_group(_locked(pk), by=by)
        return Response(status=status.HTTP_204_NO_CONTENT)


class GroupMembers(generics.ListAPIView[GroupMember]):
    """Who is in a group. For administrators."""

    token_scope = BY_METHOD
    serializer_class = GroupMemberSerializer
    queryset = GroupMember.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[GroupMember]:
        administrator(self.request)
        shown = get_object_or_404(PeopleGroup, pk=self.kwargs["pk"])
        return shown.members.select_related("person").order_by("person__email")

    @extend_schema(request=GroupMemberSerializer, responses={201: GroupMemberSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Put somebody in who has an account, by their address."""
        by = administrator(request)
        given = GroupMemberSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        with transaction.atomic():
            group = _locked(pk)
            person = open_account(given.validated_data["person"]["email"])
            services.add_member(group, person, by=by)
        member = get_object_or_404(group.members.select_related("person"), person=person)
        return Response(GroupMemberSerializer(member).data, status.HTTP_201_CREATED)


class OneGroupMember(APIView):
    """One person in a group. For administrators."""

    token_scope = BY_METHOD

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, user: int) -> Response:
        """They lose at once what they see by the group alone."""
        by = administrator(request)
        members = GroupMember.objects.select_related("person", "group")
        services.remove_member(get_object_or_404(members, group=pk, person=user), by=by)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _name_in(request: Request) -> str:
    given = GroupSerializer(data=request.data)
    given.is_valid(raise_exception=True)
    return str(given.validated_data["name"])


def _locked(pk: int) -> PeopleGroup:
    """Within a transaction. Raises Http404."""
    return get_object_or_404(PeopleGroup.objects.select_for_update(), pk=pk)


def _shown(pk: int) -> dict[str, object]:
    return dict(GroupSerializer(get_object_or_404(listing.groups(), pk=pk)).data)

"""REST: matters, the datasources and people in them, and their archive."""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import refuse_limited_token, signed_in
from accounts.api_fields import KnownFields, refuse_body
from accounts.api_tokens import BY_METHOD
from accounts.models import PeopleGroup
from datasources import matters
from datasources.api.views import RoleSerializer, find_datasource
from datasources.matters import find_matter
from datasources.models import Datasource, Matter, MatterShare, Role

ARCHIVED = OpenApiParameter("archived", bool, description="Those that are archived, in place of the others.")


class MatterSerializer(KnownFields[Matter], serializers.ModelSerializer[Matter]):
    archived = serializers.DateTimeField(read_only=True, allow_null=True, help_text="Since when.")

    class Meta:
        model = Matter
        fields = ("id", "name", "archived", "created")


class MatterChangeSerializer(KnownFields[Any]):
    name = serializers.CharField(required=False)
    is_archived = serializers.BooleanField(required=False)


class MatterShareSerializer(KnownFields[MatterShare], serializers.ModelSerializer[MatterShare]):
    """A role in the matter: a person's, a group's, or that of an address whose person has not come yet."""

    email = serializers.SerializerMethodField()
    group = serializers.SerializerMethodField()
    is_invited = serializers.SerializerMethodField(help_text="Nobody with that address has come yet.")

    class Meta:
        model = MatterShare
        fields = ("id", "email", "group", "role", "is_invited", "created")

    def get_email(self, row: MatterShare) -> str:
        return row.person.email if row.person else row.email

    def get_group(self, row: MatterShare) -> str:
        return row.group.name if row.group else ""

    def get_is_invited(self, row: MatterShare) -> bool:
        return bool(row.email)


class NewShareSerializer(KnownFields[Any]):
    """To an address or to a group."""

    email = serializers.EmailField(required=False)
    group = serializers.CharField(required=False, help_text="The name of a group of people.")
    role = serializers.ChoiceField(Role.choices, default=Role.VIEWER)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("email" in attrs) == ("group" in attrs):
            raise serializers.ValidationError("Name either an e-mail address or a group.")
        return attrs


class MatterDetailSerializer(MatterSerializer):
    role = serializers.ChoiceField(Role.choices, read_only=True, allow_null=True, help_text="Your own role.")
    datasources = serializers.ListField(
        child=serializers.IntegerField(), read_only=True, help_text="Numbers of those that you may see."
    )
    shares = MatterShareSerializer(many=True, read_only=True, help_text="Who sees them by the matter.")

    class Meta(MatterSerializer.Meta):
        fields = (*MatterSerializer.Meta.fields, "role", "datasources", "shares")  # type: ignore[assignment]


def shown(request: Request, matter: Matter) -> dict[str, Any]:
    """As REST tells of one."""
    person = signed_in(request)
    visible = Datasource.objects.visible_to(person, Role.ASKER).filter(matter=matter).order_by("pk")
    shares = matter.shares.select_related("person", "group").order_by("pk")
    return {
        **MatterSerializer(matter).data,
        "role": matter.role_of(person),
        "datasources": list(visible.values_list("pk", flat=True)),
        "shares": MatterShareSerializer(shares, many=True).data,
    }


class Matters(generics.ListAPIView[Matter]):
    """The matters that you see."""

    token_scope = BY_METHOD
    serializer_class = MatterSerializer
    queryset = Matter.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Matter]:
        is_archive = self.request.query_params.get("archived") == "true"
        return Matter.objects.visible_to(signed_in(self.request)).filter(archived__isnull=not is_archive)

    @extend_schema(parameters=[ARCHIVED])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    @extend_schema(request=MatterSerializer, responses={201: MatterDetailSerializer})
    def post(self, request: Request) -> Response:
        """Make one. You own it."""
        refuse_limited_token(request)
        given = MatterSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        made = matters.make_matter(given.validated_data["name"], by=signed_in(request))
        return Response(shown(request, made), status.HTTP_201_CREATED)


class MatterDetail(APIView):
    """One matter, with its datasources and who sees them by it."""

    token_scope = BY_METHOD

    @extend_schema(responses=MatterDetailSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return Response(shown(request, find_matter(signed_in(request), pk)))

    @extend_schema(request=MatterChangeSerializer, responses=MatterDetailSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Rename it; archive it with all its datasources, or open it again. For its owners; who owns a
        datasource in it may open it.
        """
        person = signed_in(request)
        given = MatterChangeSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        changed = given.validated_data
        opens = changed == {"is_archived": False}
        matter = find_matter(person, pk, None if opens else Role.OWNER)
        if opens:
            matters.require_opener(matter, person)
        with transaction.atomic():  # all of it or nothing
            if changed.get("is_archived") is False:
                matters.open_again(matter, by=person)
            if "name" in changed:
                matters.rename_matter(matter, changed["name"], by=person)
            if changed.get("is_archived"):
                matters.archive(matter, by=person)
        return Response(shown(request, matter))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete it. Its datasources stay with their owners. For its owners."""
        matter = find_matter(signed_in(request), pk, Role.OWNER)
        matters.delete_matter(matter, by=signed_in(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class MatterShares(APIView):
    """Roles in a matter, which hold for each datasource in it."""

    token_scope = BY_METHOD

    @extend_schema(request=NewShareSerializer, responses={201: MatterShareSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Give a role to an e-mail address or to a group, or change it. For owners of the matter."""
        by = signed_in(request)
        matter = find_matter(by, pk, Role.OWNER)
        given = NewShareSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        asked, role = given.validated_data, Role(given.validated_data["role"])
        if "group" in asked:
            group = get_object_or_404(PeopleGroup, name=asked["group"])
            share = matters.share_matter_with_group(matter, group, role, by=by)
        else:
            share = matters.share_matter(matter, asked["email"], role, by=by)
        return Response(MatterShareSerializer(share).data, status.HTTP_201_CREATED)


class OneMatterShare(APIView):
    """One role in a matter."""

    token_scope = BY_METHOD

    def find(self, request: Request, pk: int, share: int) -> MatterShare:
        matter = find_matter(signed_in(request), pk, Role.OWNER)
        return get_object_or_404(matter.shares.select_related("matter", "person", "group"), pk=share)

    @extend_schema(request=RoleSerializer, responses=MatterShareSerializer)
    def put(self, request: Request, pk: int, share: int) -> Response:
        """Another role. For owners of the matter."""
        row = self.find(request, pk, share)
        given = RoleSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        row = matters.change_share(row, Role(given.validated_data["role"]), by=signed_in(request))
        return Response(MatterShareSerializer(row).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, share: int) -> Response:
        """Take the role away. For owners of the matter."""
        matters.end_share(self.find(request, pk, share), by=signed_in(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class MatterDatasource(APIView):
    """A datasource in a matter."""

    token_scope = BY_METHOD

    @extend_schema(request=None, responses=MatterDetailSerializer)
    def put(self, request: Request, pk: int, datasource: int) -> Response:
        """Put it in: all whom the answer names in `shares` see it from now on. For who owns the datasource
        and may edit the matter.
        """
        refuse_body(request)
        by = signed_in(request)
        matter = find_matter(by, pk, Role.EDITOR)
        matters.put_in(matter, find_datasource(request, datasource, Role.OWNER), by=by)
        return Response(shown(request, matter))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, datasource: int) -> Response:
        """Take it out: who sees it by the matter alone sees it no longer. For who owns the datasource."""
        matter = find_matter(signed_in(request), pk)
        row = find_datasource(request, datasource, Role.OWNER)
        matters.take_out(matter, row, by=signed_in(request))
        return Response(status=status.HTTP_204_NO_CONTENT)

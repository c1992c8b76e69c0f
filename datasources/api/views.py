"""REST: datasources and with whom they are shared. What deletes files is in `ingestion.api.views`."""

from typing import Any, TypeVar, cast

from django.db.models import Model, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import generics, serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import refuse_limited_token, signed_in
from accounts.api_fields import KnownFields
from accounts.api_tokens import BY_METHOD
from accounts.audit import made_in_audit_log
from datasources import access, derived, services
from datasources.models import Datasource, Document, Invitation, Membership, Role
from datasources.noting import note_shared


def find_datasource(request: Request, pk: int, needed: Role = Role.VIEWER) -> Datasource:
    """For whoever asks: see `datasources.access`."""
    return access.find_datasource(signed_in(request), pk, needed, reads=request.method in access.LOOKS)


def find_document(request: Request, pk: int, needed: Role = Role.VIEWER) -> Document:
    """For whoever asks: see `datasources.access`."""
    return access.find_document(signed_in(request), pk, needed, reads=request.method in access.LOOKS)


M = TypeVar("M", bound=Model)


def find_row(request: Request, rows: QuerySet[M], pk: int, needed: Role = Role.VIEWER) -> M:
    """A row that belongs to a datasource by its field `datasource`, for a person of that role.

    Raises Http404 (stranger), PermissionDenied (low role).
    """
    visible = Datasource.objects.visible_to(signed_in(request))
    row = get_object_or_404(rows.filter(datasource__in=visible).select_related("datasource"), pk=pk)
    require(request, row.datasource, needed)  # type: ignore[attr-defined]
    return row


def require(request: Request, datasource: Datasource, needed: Role) -> None:
    """For whoever asks: see `datasources.access`."""
    access.require(datasource, signed_in(request), needed, reads=request.method in access.LOOKS)


class DatasourceSerializer(KnownFields[Datasource], serializers.ModelSerializer[Datasource]):
    owner = serializers.EmailField(source="owner.email", read_only=True)
    made_description = serializers.CharField(
        read_only=True,
        help_text="Written by SVQ from the documents; empty where `description` is not, and for an asker.",
    )
    suggested_questions = serializers.ListField(
        child=serializers.CharField(),
        source="questions",
        read_only=True,
        help_text="Each was tried: its answer is in the documents.",
    )

    scan_languages = serializers.ListField(
        child=serializers.CharField(max_length=20),
        required=False,
        max_length=50,
        help_text="Languages of the scans, such as `eng` and `deu`. Empty: all that the reader knows.",
    )

    class Meta:
        model = Datasource
        fields = (
            "id",
            "name",
            "description",
            "made_description",
            "owner",
            "recognition",
            "scan_reader",
            "scan_languages",
            "chunking",
            "chunk_size",
            "chunk_overlap",
            "expansion",
            "embedding_model",
            "embedding_dimensions",
            "suggested_questions",
            "paused",
            "matter",
            "archived",
            "created",
            "updated",
        )
        read_only_fields = ("embedding_model", "embedding_dimensions", "paused", "matter", "archived")


class DatasourceDetailSerializer(DatasourceSerializer):
    role = serializers.ChoiceField(Role.choices, read_only=True, help_text="Your own role.")

    class Meta(DatasourceSerializer.Meta):
        fields = (*DatasourceSerializer.Meta.fields, "role")  # type: ignore[assignment]


class LossSerializer(serializers.Serializer[services.Loss]):
    """And how many there are of what other apps keep in the datasource."""

    documents = serializers.IntegerField()
    members = serializers.IntegerField()
    sentence = serializers.CharField(source="__str__")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        nouns = derived.loss_nouns()
        more = {noun: serializers.IntegerField(source=f"more.{noun}", default=0) for noun in nouns}
        return {**super().get_fields(), **more}


class MemberSerializer(KnownFields[Any]):
    """A member, or an address that is invited: that has the number of its invitation alone."""

    id = serializers.IntegerField(
        source="user_id", read_only=True, allow_null=True, help_text="The member's number."
    )
    invitation = serializers.IntegerField(
        read_only=True, allow_null=True, help_text="The invitation's number."
    )
    email = serializers.EmailField()
    name = serializers.CharField(read_only=True)
    role = serializers.ChoiceField(Role.choices, required=False)
    created = serializers.DateTimeField(read_only=True)


def shown(row: Membership | Invitation) -> dict[str, Any]:
    """As REST tells of them."""
    member = row if isinstance(row, Membership) else None
    values = {
        "user_id": member and member.user_id,
        "invitation": None if member else row.pk,
        "email": member.user.email if member else row.email,  # type: ignore[union-attr]
        "name": member.user.name if member else "",
        "role": row.role,
        "created": row.created,
    }
    return dict(MemberSerializer(values).data)


class RoleSerializer(KnownFields[Membership]):
    role = serializers.ChoiceField(Role.choices)


ARCHIVED_ONES = OpenApiParameter(
    "archived", bool, description="Those that are archived with their matter, in place of the others."
)


class Datasources(generics.ListCreateAPIView[Datasource]):
    """Those that you own or that are shared with you; make a new one."""

    token_scope = BY_METHOD
    serializer_class = DatasourceSerializer

    def get_queryset(self) -> QuerySet[Datasource]:
        person, rows = signed_in(self.request), Datasource.objects.select_related("owner", "introduction")
        if self.request.query_params.get("archived") == "true":
            return rows.visible_to(person, Role.ASKER).filter(archived__isnull=False)
        return rows.listed_for(person, Role.ASKER)

    def paginate_queryset(self, queryset: Any) -> list[Any] | None:
        page = super().paginate_queryset(queryset)
        return page and list(access.seen_by(signed_in(self.request), page))

    @extend_schema(parameters=[ARCHIVED_ONES])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().get(request, *args, **kwargs)

    def perform_create(self, serializer: serializers.BaseSerializer[Datasource]) -> None:
        refuse_limited_token(self.request)
        serializer.instance = services.create_datasource(
            signed_in(self.request), **cast(dict[str, Any], serializer.validated_data)
        )
        made = serializer.instance
        made_in_audit_log(self.request, "datasource", [made.pk], made.pk)


class DatasourceDetail(APIView):
    """One datasource."""

    token_scope = BY_METHOD

    @extend_schema(responses=DatasourceDetailSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return self.shown(find_datasource(request, pk, Role.ASKER))

    @extend_schema(request=DatasourceSerializer, responses=DatasourceDetailSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Rename, describe, or set how later documents are cut. For owners."""
        datasource = find_datasource(request, pk, Role.OWNER)
        given = DatasourceSerializer(data=request.data, partial=True)
        given.is_valid(raise_exception=True)
        services.change_datasource(datasource, **given.validated_data)
        return self.shown(datasource)

    def shown(self, datasource: Datasource) -> Response:
        role = datasource.role_of(signed_in(self.request))
        return Response({**DatasourceSerializer(datasource).data, "role": role})


class DatasourceLoss(APIView):
    """What would go with the datasource if it were deleted now. For owners."""

    token_scope = BY_METHOD

    @extend_schema(responses=LossSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return Response(LossSerializer(services.loss_of(find_datasource(request, pk, Role.OWNER))).data)


class Members(generics.ListCreateAPIView[Membership]):
    """The people with whom a datasource is shared, besides its owner. For owners."""

    token_scope = BY_METHOD
    serializer_class = MemberSerializer
    queryset = Membership.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[Membership]:
        datasource = find_datasource(self.request, self.kwargs["pk"], Role.OWNER)
        return datasource.memberships.select_related("user").order_by("user__email")

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Members, then those who are invited and have not come yet."""
        members = self.get_queryset()
        invited = Invitation.objects.filter(datasource_id=self.kwargs["pk"]).order_by("email")
        rows: Any = [*members, *invited]
        page = self.paginate_queryset(rows)
        return self.get_paginated_response([shown(row) for row in page or []])

    def create(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Share with an e-mail address, or change its role. The answer does not tell if it has an account."""
        datasource = find_datasource(request, self.kwargs["pk"], Role.OWNER)
        given = MemberSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        role = Role(given.validated_data.get("role", Role.VIEWER))
        shared = services.invite(datasource, given.validated_data["email"], role)
        note_shared(request, shared)
        return Response(shown(shared), status.HTTP_201_CREATED)


class Invited(APIView):
    """One address that is invited and whose person has not come yet. For owners."""

    token_scope = BY_METHOD

    def find(self, request: Request, pk: int, invitation: int) -> Invitation:
        datasource = find_datasource(request, pk, Role.OWNER)
        return get_object_or_404(datasource.invitations.select_related("datasource__owner"), pk=invitation)

    @extend_schema(request=RoleSerializer, responses=MemberSerializer)
    def put(self, request: Request, pk: int, invitation: int) -> Response:
        """Invite with another role."""
        invited = self.find(request, pk, invitation)
        given = RoleSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        role = Role(given.validated_data["role"])
        return Response(shown(services.invite(invited.datasource, invited.email, role)))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, invitation: int) -> Response:
        """Take the invitation back."""
        self.find(request, pk, invitation).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class Member(APIView):
    """One person with whom a datasource is shared. For owners."""

    token_scope = BY_METHOD

    def find(self, request: Request, pk: int, user: int) -> Membership:
        datasource = find_datasource(request, pk, Role.OWNER)
        return get_object_or_404(datasource.memberships.select_related("user", "datasource"), user_id=user)

    @extend_schema(request=RoleSerializer, responses=MemberSerializer)
    def put(self, request: Request, pk: int, user: int) -> Response:
        """Give the person another role."""
        membership = self.find(request, pk, user)
        given = RoleSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        role = Role(given.validated_data["role"])
        membership = services.share(membership.datasource, membership.user, role)
        return Response(shown(membership))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, user: int) -> Response:
        """Take the datasource away from the person."""
        membership = self.find(request, pk, user)
        services.unshare(membership.datasource, membership.user)
        return Response(status=status.HTTP_204_NO_CONTENT)

"""The addresses of SCIM: users, groups, and what this server can do of it.

Each request carries the token of a directory, which knows of accounts and groups that are its to know of.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import status
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import BasePermission
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.models import PeopleGroup, User
from accounts.scim import groups, people
from accounts.scim.directories import by_header
from accounts.scim.models import Directory
from accounts.scim.refusals import Invalid
from svq_site.api_parsing import StorableJson
from svq_site.scim import bodies, discovery
from svq_site.scim.errors import error_json, response_parts
from svq_site.scim.filters import condition, number
from svq_site.scim.resources import group_json, list_json, user_json

USUAL = 100  # resources in one part of a list
MOST_MEMBERS = 10_000  # in one answer, but of one group alone all of them
MEDIA_TYPE = "application/scim+json"


class ScimJson(StorableJson):
    media_type = MEDIA_TYPE


class ScimRenderer(JSONRenderer):
    media_type = MEDIA_TYPE
    format = "scim"


class DirectoryToken(BaseAuthentication):
    """`Authorization: Bearer scim_...`."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, Directory] | None:
        directory = by_header(request.headers.get("Authorization", ""))
        if directory is None:
            return None
        return AnonymousUser(), directory

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="scim"'


class IsDirectory(BasePermission):
    def has_permission(self, request: Request, view: APIView) -> bool:
        return isinstance(request.auth, Directory)


class Scim(APIView):
    """Base of them. Its schema is SCIM's own, so that of REST leaves it out."""

    authentication_classes = (DirectoryToken,)
    permission_classes = (IsDirectory,)
    parser_classes = (ScimJson, StorableJson)
    renderer_classes = (ScimRenderer, JSONRenderer)
    schema = None

    @property
    def directory(self) -> Directory:
        assert isinstance(self.request.auth, Directory)
        return self.request.auth

    @property
    def base(self) -> str:
        """Where this server is, as the request has it."""
        return self.request.build_absolute_uri("/")[:-1]

    def handle_exception(self, exc: Exception) -> Response:
        told = response_parts(exc)
        if told is None:
            response = super().handle_exception(exc)
            told = response.status_code, str(response.data.get("message", "")), ""
        code, words, kind = told
        response = Response(error_json(code, words, kind), code)
        if code == status.HTTP_401_UNAUTHORIZED:
            response["WWW-Authenticate"] = 'Bearer realm="scim"'
        return response

    def part(self, rows: QuerySet[Any], shown: Callable[[Sequence[Any]], list[dict[str, Any]]]) -> Response:
        """The part of a list that ?startIndex= and ?count= ask for."""
        start = max(1, number(self.request.query_params.get("startIndex", "1")))
        asked = self.request.query_params.get("count", str(USUAL))
        count = min(number(asked), discovery.MOST_LISTED)
        listed = shown(list(rows.order_by("pk")[start - 1 : start - 1 + count]))
        return Response(list_json(listed, rows.count(), start))

    def left_out(self) -> set[str]:
        """Attributes that the answer is to be without."""
        given = self.request.query_params.get("excludedAttributes", "")
        return {name.strip().lower() for name in given.split(",")}


# --- users -------------------------------------------------------------------------------------------------
USER_TERMS = {
    "username": lambda given: Q(in_directory__user_name__iexact=given) | people.is_named_by_address(given),
    "externalid": lambda given: Q(in_directory__external_id=given) if given else Q(pk=None),
    "id": lambda given: Q(pk=number(given)),
    "emails": lambda given: Q(email__iexact=given),
    "emails.value": lambda given: Q(email__iexact=given),
    "displayname": lambda given: Q(name__iexact=given),
    "active": lambda given: Q(is_active=bodies.truth_in(given)),
}


class Users(Scim):
    def get(self, request: Request) -> Response:
        rows = people.people_of(self.directory)
        if asked := request.query_params.get("filter"):
            rows = rows.filter(condition(asked, USER_TERMS))
        return self.part(rows, lambda part: [user_json(row, self.base) for row in part])

    def post(self, request: Request) -> Response:
        given = bodies.new_person_in(request.data)
        if not given.user_name:
            raise Invalid("A user needs a userName.")
        told = user_json(people.create(self.directory, given), self.base)
        return Response(told, status.HTTP_201_CREATED, headers={"Location": told["meta"]["location"]})


class OneUser(Scim):
    def find(self, pk: str) -> User:
        return get_object_or_404(people.people_of(self.directory), pk=number(pk))

    def get(self, request: Request, pk: str) -> Response:
        return Response(user_json(self.find(pk), self.base))

    def put(self, request: Request, pk: str) -> Response:
        """What it does not say stays: a directory that forgets `active` opens nobody's account."""
        person, given = self.find(pk), bodies.person_in(request.data)
        if not given.user_name:
            raise Invalid("A user needs a userName.")
        return Response(user_json(people.change(self.directory, person, given), self.base))

    def patch(self, request: Request, pk: str) -> Response:
        person, given = self.find(pk), bodies.person_patched(request.data)
        return Response(user_json(people.change(self.directory, person, given), self.base))

    def delete(self, request: Request, pk: str) -> Response:
        people.remove(self.directory, self.find(pk))
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- groups ------------------------------------------------------------------------------------------------
GROUP_TERMS = {
    "displayname": lambda given: Q(name__iexact=given),
    "externalid": lambda given: Q(in_directory__external_id=given) if given else Q(pk=None),
    "id": lambda given: Q(pk=number(given)),
    "members": lambda given: Q(members__person=number(given)),
    "members.value": lambda given: Q(members__person=number(given)),
}


class OfGroups(Scim):
    def shown(self, rows: Sequence[PeopleGroup]) -> list[dict[str, Any]]:
        """Up to the one with which there would be too many members for one answer: a part of a list may be
        shorter than asked for, and the directory asks for the next from there.
        """
        if "members" in self.left_out():
            return [group_json(row, self.base, None) for row in rows]
        counts = groups.counts_of(rows, self.directory)
        sums = accumulate(counts.get(row.pk, 0) for row in rows)
        few = [
            row
            for place, (row, so_far) in enumerate(zip(rows, sums, strict=True))
            if not place or so_far <= MOST_MEMBERS
        ]
        members = groups.people_in(few, self.directory)
        return [group_json(row, self.base, members.get(row.pk, [])) for row in few]


class Groups(OfGroups):
    def get(self, request: Request) -> Response:
        rows = groups.groups_of(self.directory)
        if asked := request.query_params.get("filter"):
            rows = rows.filter(condition(asked, GROUP_TERMS))
        return self.part(rows, self.shown)

    def post(self, request: Request) -> Response:
        given = bodies.group_in(request.data)
        made = groups.create(self.directory, given.name or "", given.external_id or "", given.people or ())
        told = self.shown([groups.groups_of(self.directory).get(pk=made.pk)])[0]
        return Response(told, status.HTTP_201_CREATED, headers={"Location": told["meta"]["location"]})


class OneGroup(OfGroups):
    def find(self, pk: str, *, locked: bool = False) -> PeopleGroup:
        rows = groups.groups_of(self.directory)
        if locked:
            rows = rows.select_for_update(of=("self",), no_key=True)
        return get_object_or_404(rows, pk=number(pk))

    def get(self, request: Request, pk: str) -> Response:
        return Response(self.shown([self.find(pk)])[0])

    @transaction.atomic
    def put(self, request: Request, pk: str) -> Response:
        """What it does not say stays, as of people: a new name empties no group."""
        self.change(self.find(pk, locked=True), bodies.group_in(request.data))
        return self.get(request, pk)

    @transaction.atomic
    def patch(self, request: Request, pk: str) -> Response:
        """All of its operations, or none."""
        group = self.find(pk, locked=True)
        self.change(group, bodies.group_patched(request.data, lambda: groups.numbers_in(group)))
        return Response(status=status.HTTP_204_NO_CONTENT)

    def change(self, group: PeopleGroup, given: bodies.GivenGroup) -> None:
        groups.change(self.directory, group, given.name, given.external_id, given.people)

    @transaction.atomic
    def delete(self, request: Request, pk: str) -> Response:
        groups.delete(self.directory, self.find(pk, locked=True))
        return Response(status=status.HTTP_204_NO_CONTENT)


# --- discovery ---------------------------------------------------------------------------------------------
class ProviderConfig(Scim):
    def get(self, request: Request) -> Response:
        return Response(discovery.provider_config(self.base))


class Described(Scim):
    """A list of what is described, or one of it."""

    def rows(self) -> list[dict[str, Any]]:
        raise NotImplementedError

    def get(self, request: Request, name: str | None = None) -> Response:
        rows = self.rows()
        if name is None:
            return Response(list_json(rows, len(rows), 1))
        for row in rows:
            if row["id"] == name:
                return Response(row)
        raise Http404


class ResourceTypes(Described):
    def rows(self) -> list[dict[str, Any]]:
        return discovery.resource_types(self.base)


class Schemas(Described):
    def rows(self) -> list[dict[str, Any]]:
        return discovery.schemas(self.base)


class Nothing(Scim):
    """Whatever else begins so."""

    def get(self, request: Request, rest: str) -> Response:
        raise Http404

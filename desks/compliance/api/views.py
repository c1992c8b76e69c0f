"""REST: frameworks and their requirements, vendors, assessments, reviews, reports."""

from functools import partial
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import generics, status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import refuse_limited_token, signed_in
from accounts.api_fields import refuse_body
from accounts.api_tokens import BY_METHOD
from datasources.access import people_of
from datasources.api.negotiation import AnyAccept
from datasources.api.views import find_datasource, find_row, require
from datasources.client import has_left
from datasources.models import Role
from datasources.web.downloads import saved_as
from desks.compliance.api.serializers import (
    AssessmentSerializer,
    AttachSerializer,
    ChangeFrameworkSerializer,
    FrameworkSerializer,
    ImportSerializer,
    NewCheckSerializer,
    NewReviewSerializer,
    NewSubjectSerializer,
    RequirementCheckSerializer,
    RequirementSerializer,
    SubjectSerializer,
)
from desks.compliance.checks import review
from desks.compliance.checks.scope import find_scope, requirements_in
from desks.compliance.checks.services import delete_assessment, start_check, stop
from desks.compliance.checks.standing import standings
from desks.compliance.checks.subjects import change_subject, create_subject, delete_subject
from desks.compliance.frameworks import services
from desks.compliance.frameworks.counts import counts_of
from desks.compliance.frameworks.importing import read_file
from desks.compliance.frameworks.lookup import framework_for
from desks.compliance.frameworks.services import Correction
from desks.compliance.frameworks.text import add_text, remove_text
from desks.compliance.models import Assessment, Check, Framework, Requirement, ReviewKind, Subject
from desks.compliance.reports.files import FORMS, file_of, name_of_file
from desks.compliance.reports.lines import lines_of
from desks.compliance.slots import file_slot


def find_framework(request: Request, pk: int, *, own: bool = False) -> Framework:
    """Raises Http404 (stranger), PermissionDenied (`own`: somebody else's)."""
    return framework_for(signed_in(request), pk, own=own)


def find_assessment(request: Request, pk: int, needed: Role = Role.VIEWER) -> Assessment:
    """Raises Http404 (stranger), PermissionDenied (low role)."""
    rows = Assessment.objects.select_related("datasource__owner", "framework", "subject")
    return find_row(request, rows, pk, needed)


def find_subject(request: Request, pk: int, needed: Role = Role.VIEWER) -> Subject:
    """Raises Http404 (stranger), PermissionDenied (low role)."""
    found = get_object_or_404(Subject.objects.select_related("datasource__owner"), pk=pk)
    find_datasource(request, found.datasource_id, needed)
    return found


class Frameworks(generics.ListAPIView[Framework]):
    """The frameworks that you may read."""

    token_scope = BY_METHOD
    serializer_class = FrameworkSerializer
    queryset = Framework.objects.none()

    def get_queryset(self) -> QuerySet[Framework]:
        return Framework.objects.visible_to(signed_in(self.request)).select_related("owner")

    @extend_schema(request={"multipart/form-data": ImportSerializer}, responses={201: FrameworkSerializer})
    def post(self, request: Request) -> Response:
        """Import one from a file."""
        refuse_limited_token(request)
        given = ImportSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        file = given.validated_data["file"]
        with file_slot(signed_in(request).pk):
            draft = read_file(file.name, file, unwanted=partial(has_left, request._request))
        made = services.store(signed_in(request), draft, given.validated_data["name"])
        return Response(FrameworkSerializer(made).data, status=status.HTTP_201_CREATED)


class FrameworkDetail(APIView):
    """One framework, with how many requirements it has by chapter, language and domain."""

    token_scope = BY_METHOD

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> Response:
        found = find_framework(request, pk)
        return Response(dict(FrameworkSerializer(found).data) | {"counts": counts_of(found).as_json()})

    @extend_schema(request=ChangeFrameworkSerializer, responses=FrameworkSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Rename it, share it with everybody or stop sharing it. For its owner."""
        found = find_framework(request, pk, own=True)
        given = ChangeFrameworkSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        services.change_framework(found, **given.validated_data)
        return Response(FrameworkSerializer(found).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete it, unless something was assessed against it. For its owner."""
        services.delete_framework(find_framework(request, pk, own=True))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Requirements(generics.ListAPIView[Requirement]):
    """The requirements of a framework, in order."""

    token_scope = BY_METHOD
    serializer_class = RequirementSerializer
    queryset = Requirement.objects.none()

    def get_queryset(self) -> QuerySet[Requirement]:
        return find_framework(self.request, self.kwargs["pk"]).requirements.order_by("position")


class RequirementDetail(APIView):
    """One requirement."""

    token_scope = BY_METHOD

    @extend_schema(request=RequirementSerializer, responses=RequirementSerializer)
    def patch(self, request: Request, pk: int, requirement: int) -> Response:
        """Correct it. For the owner of the framework."""
        found = get_object_or_404(find_framework(request, pk, own=True).requirements, pk=requirement)
        given = RequirementSerializer(found, data=request.data, partial=True)
        given.is_valid(raise_exception=True)
        names = ("ref", "title", "text", "domain", "is_assessable")
        values: dict[str, Any] = {name: getattr(found, name) for name in names} | given.validated_data
        services.correct(found, Correction(**values))
        found.refresh_from_db()
        return Response(RequirementSerializer(found).data)


class Attachments(generics.ListAPIView[Framework]):
    """The frameworks in use in a datasource."""

    token_scope = BY_METHOD
    serializer_class = FrameworkSerializer
    queryset = Framework.objects.none()

    def get_queryset(self) -> QuerySet[Framework]:
        datasource = find_datasource(self.request, self.kwargs["pk"])
        return Framework.objects.filter(attachments__datasource=datasource).select_related("owner")

    @extend_schema(request=AttachSerializer, responses={201: FrameworkSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Use a framework here: your own, or one that is shared with everybody. For editors."""
        datasource = find_datasource(request, pk, Role.EDITOR)
        given = AttachSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        person = signed_in(request)
        rows = Framework.objects.attachable_by(person).select_related("owner")
        found = rows.filter(pk=given.validated_data["framework"]).first()
        if found is None:
            raise ValidationError("There is no such framework that you may use. Nothing was changed.")
        services.attach(found, datasource, person)
        if given.validated_data["text"]:
            add_text(found, datasource, person)
        return Response(FrameworkSerializer(found).data, status=status.HTTP_201_CREATED)


class AttachmentDetail(APIView):
    """One framework in a datasource."""

    token_scope = BY_METHOD

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int, framework: int) -> Response:
        """Stop using it here, unless something was assessed against it. For editors."""
        datasource = find_datasource(request, pk, Role.EDITOR)
        found = get_object_or_404(Framework, pk=framework, attachments__datasource=datasource)
        services.detach(found, datasource)
        remove_text(found, datasource, signed_in(request))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Subjects(generics.ListAPIView[Subject]):
    """The vendors of a datasource."""

    token_scope = BY_METHOD
    serializer_class = SubjectSerializer
    queryset = Subject.objects.none()

    def get_queryset(self) -> QuerySet[Subject]:
        return find_datasource(self.request, self.kwargs["pk"]).subjects.prefetch_related("documents")

    @extend_schema(request=NewSubjectSerializer, responses={201: SubjectSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Add one. For editors."""
        datasource = find_datasource(request, pk, Role.EDITOR)
        given = NewSubjectSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        made = create_subject(datasource, **given.validated_data)
        return Response(SubjectSerializer(made).data, status=status.HTTP_201_CREATED)


class SubjectDetail(APIView):
    """One vendor."""

    token_scope = BY_METHOD

    @extend_schema(responses=SubjectSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return Response(SubjectSerializer(find_subject(request, pk)).data)

    @extend_schema(request=NewSubjectSerializer, responses=SubjectSerializer)
    def patch(self, request: Request, pk: int) -> Response:
        """Rename it or choose other documents. For editors."""
        found = find_subject(request, pk, Role.EDITOR)
        given = NewSubjectSerializer(data=request.data, partial=True)
        given.is_valid(raise_exception=True)
        change_subject(found, **given.validated_data)
        return Response(SubjectSerializer(found).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete it with its assessments; its documents are kept. For editors."""
        delete_subject(find_subject(request, pk, Role.EDITOR))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Assessments(generics.ListAPIView[Assessment]):
    """The assessments of a datasource."""

    token_scope = BY_METHOD
    serializer_class = AssessmentSerializer
    queryset = Assessment.objects.none()

    def get_queryset(self) -> QuerySet[Assessment]:
        return find_datasource(self.request, self.kwargs["pk"]).assessments.prefetch_related("checks")

    @extend_schema(request=NewCheckSerializer, responses={201: AssessmentSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Check a vendor, or check it again: only what has changed is looked at. For editors."""
        datasource = find_datasource(request, pk, Role.EDITOR)
        given = NewCheckSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        told = dict(given.validated_data)
        framework = Framework.objects.filter(
            pk=told.pop("framework"), attachments__datasource=datasource
        ).first()
        subject = datasource.subjects.filter(pk=told.pop("subject")).first()
        if framework is None or subject is None:
            raise ValidationError("The datasource has no such framework or vendor. Nothing was started.")
        scope = find_scope(framework, told.pop("scope"))
        check = start_check(signed_in(request), framework, subject, scope=scope, **told)
        return Response(AssessmentSerializer(check.assessment).data, status=status.HTTP_201_CREATED)


class AssessmentDetail(APIView):
    """One assessment and its checks."""

    token_scope = BY_METHOD

    @extend_schema(responses=AssessmentSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return Response(AssessmentSerializer(find_assessment(request, pk)).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete it with its findings and reviews. For editors."""
        delete_assessment(find_assessment(request, pk, Role.EDITOR))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Findings(APIView):
    """The current result for each requirement: verdicts, parts, evidence with its pages, reviews."""

    token_scope = BY_METHOD

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> Response:
        """?scope= a reference such as “30.2”."""
        found = find_assessment(request, pk)
        scope = find_scope(found.framework, request.query_params.get("scope", "")[:200])
        stood = standings(found, requirements_in(found.framework, scope), whole=True)
        return Response({"findings": [line.as_json() for line in lines_of(stood)]})


class Reviews(APIView):
    """What people say of verdicts."""

    token_scope = BY_METHOD

    @extend_schema(request=NewReviewSerializer, responses={201: OpenApiTypes.OBJECT})
    def post(self, request: Request, pk: int) -> Response:
        """Agree, change with a reason, or assign. For editors."""
        found = find_assessment(request, pk, Role.EDITOR)
        given = NewReviewSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        told, person = given.validated_data, signed_in(request)
        requirement = found.framework.requirements.filter(pk=told["requirement"]).first()
        if requirement is None:
            raise ValidationError("The framework has no such requirement. Nothing was changed.")
        match told["kind"]:
            case ReviewKind.AGREE:
                review.agree(found, requirement, person)
            case ReviewKind.CHANGE:
                review.change(found, requirement, person, told["verdict"], told["reason"])
            case ReviewKind.ASSIGN:
                people = people_of(found.datasource)
                to = next((each for each in people if each.pk == told["assignee"]), None)
                if told["assignee"] and to is None:
                    raise ValidationError("There is no such person here. Nothing was assigned.")
                review.assign(found, requirement, person, to)
        line = lines_of(standings(found, [requirement], whole=True))[0]
        return Response(line.as_json(), status=status.HTTP_201_CREATED)


class CheckStop(APIView):
    """Ending a check before its time."""

    token_scope = BY_METHOD

    @extend_schema(request=None, responses=RequirementCheckSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Stop it; what was found is kept. For editors."""
        refuse_body(request)
        visible = Assessment.objects.visible_to(signed_in(request))
        check = get_object_or_404(
            Check.objects.select_related("assessment__datasource"), pk=pk, assessment__in=visible
        )
        require(request, check.assessment.datasource, Role.EDITOR)
        stop(check)
        check.refresh_from_db()
        return Response(RequirementCheckSerializer(check).data)


class AssessmentReport(APIView):
    """The report of an assessment as docx, pdf, xlsx or csv."""

    token_scope = BY_METHOD
    content_negotiation_class = AnyAccept

    @extend_schema(responses=OpenApiTypes.BINARY)
    def get(self, request: Request, pk: int, form: str) -> HttpResponse:
        """?scope= a reference such as “30.2”."""
        found = find_assessment(request, pk)
        if form not in FORMS:
            raise NotFound("There is no report of that form. Take docx, pdf, xlsx or csv.", "no_form")
        scope = find_scope(found.framework, request.query_params.get("scope", "")[:200])
        content = file_of(found, scope, form, signed_in(request).pk)
        headers = {"Content-Disposition": saved_as(name_of_file(found, form))}
        return HttpResponse(content, content_type=FORMS[form], headers=headers)

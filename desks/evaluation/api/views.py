"""REST: question sets, their questions, runs and results."""

from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import generics, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_fields import refuse_body
from accounts.api_tokens import BY_METHOD
from datasources.api.views import find_datasource, find_row
from datasources.models import Role
from desks.evaluation.api.serializers import (
    NewRunsSerializer,
    NewSetSerializer,
    QuestionSetSerializer,
    ResultSerializer,
    RunSerializer,
    ScheduleSerializer,
    SetQuestionSerializer,
)
from desks.evaluation.models import Question, QuestionSet, Result, Run
from desks.evaluation.questions.services import create_set, delete_set, order_questions
from desks.evaluation.reports.summary import summary_of
from desks.evaluation.runs.scheduled import schedule, unschedule
from desks.evaluation.runs.services import delete, start_runs, stop


def find_set(request: Request, pk: int, needed: Role = Role.VIEWER) -> QuestionSet:
    """Raises Http404 (stranger), PermissionDenied (low role)."""
    return find_row(request, QuestionSet.objects.all(), pk, needed)


def find_run(request: Request, pk: int, needed: Role = Role.VIEWER) -> Run:
    """Raises Http404 (stranger), PermissionDenied (low role)."""
    return find_row(request, Run.objects.select_related("question_set"), pk, needed)


def shown(row: QuestionSet) -> dict[str, Any]:
    """As REST tells of one set."""
    return dict(QuestionSetSerializer(QuestionSet.objects.with_counts().get(pk=row.pk)).data)


class QuestionSets(generics.ListAPIView[QuestionSet]):
    """The question sets of a datasource."""

    token_scope = BY_METHOD
    serializer_class = QuestionSetSerializer
    queryset = QuestionSet.objects.none()  # tells the schema the model

    def get_queryset(self) -> QuerySet[QuestionSet]:
        return (
            find_datasource(self.request, self.kwargs["pk"])
            .question_sets.with_counts()
            .select_related("schedule")
        )

    @extend_schema(request=NewSetSerializer, responses={201: QuestionSetSerializer})
    def post(self, request: Request, pk: int) -> Response:
        """Make a set, and have questions made for it in the background. For editors."""
        datasource = find_datasource(request, pk, Role.EDITOR)
        given = NewSetSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        told = given.validated_data
        counts = {kind: told[kind] for kind in ("single", "multi", "none")}
        with transaction.atomic():  # a set whose questions are refused is not left behind
            made = create_set(datasource, told["name"], signed_in(request))
            if any(counts.values()):
                order_questions(
                    made,
                    counts,
                    signed_in(request),
                    by_model=told["by_model"],
                    token_budget=told["token_budget"],
                )
                made.refresh_from_db()
        return Response(shown(made), status=status.HTTP_201_CREATED)


class QuestionSetDetail(APIView):
    """One question set."""

    token_scope = BY_METHOD

    @extend_schema(responses=QuestionSetSerializer)
    def get(self, request: Request, pk: int) -> Response:
        return Response(shown(find_set(request, pk)))

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete it with its questions and runs. For editors."""
        delete_set(find_set(request, pk, Role.EDITOR))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ScheduleDetail(APIView):
    """How a question set is run after each upload."""

    token_scope = BY_METHOD

    @extend_schema(request=ScheduleSerializer, responses=ScheduleSerializer)
    def put(self, request: Request, pk: int) -> Response:
        """Run it after each upload, as you. For editors."""
        chosen = find_set(request, pk, Role.EDITOR)
        given = ScheduleSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        row = schedule(chosen, signed_in(request), **given.validated_data)
        return Response(ScheduleSerializer(row).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Stop running it by itself. For editors."""
        unschedule(find_set(request, pk, Role.EDITOR))
        return Response(status=status.HTTP_204_NO_CONTENT)


class Questions(generics.ListAPIView[Question]):
    """The questions that a set has now."""

    token_scope = BY_METHOD
    serializer_class = SetQuestionSerializer
    queryset = Question.objects.none()

    def get_queryset(self) -> QuerySet[Question]:
        rows: Any = find_set(self.request, self.kwargs["pk"]).questions
        found: QuerySet[Question] = rows.current().prefetch_related("gold").order_by("pk")
        return found


class Runs(generics.ListAPIView[Run]):
    """The runs of a datasource, the newest first."""

    token_scope = BY_METHOD
    serializer_class = RunSerializer
    queryset = Run.objects.none()

    def get_queryset(self) -> QuerySet[Run]:
        return find_datasource(self.request, self.kwargs["pk"]).evaluation_runs.all()

    @extend_schema(request=NewRunsSerializer, responses={201: RunSerializer(many=True)})
    def post(self, request: Request, pk: int) -> Response:
        """Start a run for each variant. For editors."""
        datasource = find_datasource(request, pk, Role.EDITOR)
        given = NewRunsSerializer(data=request.data)
        given.is_valid(raise_exception=True)
        told = dict(given.validated_data)
        chosen = datasource.question_sets.filter(pk=told.pop("question_set")).first()
        if chosen is None:
            raise ValidationError("The datasource has no such question set. Nothing was started.")
        runs = start_runs(signed_in(request), chosen, told.pop("variants", ()), **told)
        return Response(RunSerializer(runs, many=True).data, status=status.HTTP_201_CREATED)


class RunDetail(APIView):
    """One run with its means and their intervals."""

    token_scope = BY_METHOD

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, pk: int) -> Response:
        run = find_run(request, pk)
        return Response(dict(RunSerializer(run).data) | {"summary": summary_of(run).as_json()})

    @extend_schema(responses={204: None})
    def delete(self, request: Request, pk: int) -> Response:
        """Delete it with its results. For editors."""
        delete(find_run(request, pk, Role.EDITOR))
        return Response(status=status.HTTP_204_NO_CONTENT)


class RunStop(APIView):
    """Ending a run before its time."""

    token_scope = BY_METHOD

    @extend_schema(request=None, responses=RunSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Stop it; its results are kept. For editors."""
        refuse_body(request)
        run = find_run(request, pk, Role.EDITOR)
        stop(run)
        run.refresh_from_db()
        return Response(RunSerializer(run).data)


class Results(generics.ListAPIView[Result]):
    """What became of each question of a run."""

    token_scope = BY_METHOD
    serializer_class = ResultSerializer
    queryset = Result.objects.none()

    def get_queryset(self) -> QuerySet[Result]:
        run = find_run(self.request, self.kwargs["pk"])
        return Result.objects.filter(run=run).select_related("question").order_by("question")

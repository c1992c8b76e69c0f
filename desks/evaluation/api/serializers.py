"""What REST returns about question sets and runs, and what it accepts."""

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.api_fields import KnownFields
from batches.budget import LEAST_MONEY
from datasources.api.number_fields import AmountField, WholeField
from desks.evaluation.models import GoldQuote, Kind, Question, QuestionSet, Result, Run, Schedule
from desks.evaluation.runs.services import MOST_TOKENS


class ScheduleSerializer(KnownFields[Schedule], serializers.ModelSerializer[Schedule]):
    """How a set is run after each upload."""

    variant = serializers.CharField(allow_blank=True, max_length=200, default="")
    thresholds = serializers.CharField(allow_blank=True, max_length=500, default="")
    token_budget = WholeField(
        required=False, allow_null=True, min_value=1, max_value=MOST_TOKENS, help_text="Of each run."
    )

    class Meta:
        model = Schedule
        fields = ("variant", "judged", "thresholds", "token_budget", "problem", "changed")
        read_only_fields = ("problem", "changed")


class QuestionSetSerializer(serializers.ModelSerializer[QuestionSet]):
    """Of rows `with_counts`."""

    questions = serializers.SerializerMethodField(help_text="How many there are now, by kind.")
    schedule = ScheduleSerializer(read_only=True, allow_null=True)

    class Meta:
        model = QuestionSet
        fields = ("id", "name", "version", "status", "made", "questions", "schedule", "created", "updated")
        read_only_fields = ("id", "version", "status", "made", "created", "updated")

    def get_questions(self, row: QuestionSet) -> dict[str, int]:
        return {kind.value: getattr(row, kind) for kind in Kind}


class NewSetSerializer(KnownFields[Any]):
    """A set with questions to make, none where all are 0."""

    name = serializers.CharField(max_length=120)
    single = serializers.IntegerField(default=0, min_value=0, max_value=400)
    multi = serializers.IntegerField(default=0, min_value=0, max_value=400)
    none = serializers.IntegerField(default=0, min_value=0, max_value=400)
    by_model = serializers.BooleanField(default=False)
    token_budget = WholeField(
        default=None, allow_null=True, min_value=1, max_value=MOST_TOKENS, help_text="Of the model."
    )


class GoldSerializer(serializers.ModelSerializer[GoldQuote]):
    class Meta:
        model = GoldQuote
        fields = ("document", "document_title", "page", "quote", "piece", "is_stale")
        read_only_fields = fields


class SetQuestionSerializer(serializers.ModelSerializer[Question]):
    gold = GoldSerializer(many=True, read_only=True)

    class Meta:
        model = Question
        fields = ("id", "key", "kind", "text", "reference", "origin", "template", "gold")
        read_only_fields = fields


class RunSerializer(serializers.ModelSerializer[Run]):
    settings = serializers.JSONField(source="frozen", read_only=True)

    class Meta:
        model = Run
        fields = (
            "id",
            "number",
            "label",
            "variant",
            "question_set",
            "version",
            "status",
            "error_code",
            "error_message",
            "settings",
            "token_budget",
            "money_budget",
            "is_scheduled",
            "fallen",
            "created",
            "finished",
        )
        read_only_fields = fields


class NewRunsSerializer(KnownFields[Any]):
    """Each variant is a run; without any, one run of what people get."""

    question_set = serializers.IntegerField(min_value=1, max_value=2**62)
    variants = serializers.ListField(
        child=serializers.CharField(allow_blank=True, max_length=200), required=False, max_length=12
    )
    judged = serializers.BooleanField(default=False)
    token_budget = WholeField(required=False, allow_null=True, min_value=1, max_value=MOST_TOKENS)
    money_budget = AmountField(12, 6, required=False, allow_null=True, min_value=LEAST_MONEY)


@extend_schema_field(OpenApiTypes.OBJECT)
class Scores(serializers.JSONField):
    """By name of the metric."""


class ResultSerializer(serializers.ModelSerializer[Result]):
    text = serializers.CharField(source="question.text", read_only=True)
    kind = serializers.CharField(source="question.kind", read_only=True)
    scores = Scores(read_only=True)

    class Meta:
        model = Result
        fields = (
            "id",
            "question",
            "text",
            "kind",
            "outcome",
            "error",
            "answer",
            "citations",
            "passages",
            "scores",
            "legs",
            "judged",
            "seconds",
            "searches",
            "prompt_tokens",
            "completion_tokens",
            "money",
        )
        read_only_fields = fields

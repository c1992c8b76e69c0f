"""What REST returns about frameworks and assessments, and what it accepts."""

from typing import Any

from rest_framework import serializers

from accounts.api_fields import KnownFields
from batches.budget import LEAST_MONEY
from datasources.api.number_fields import AmountField, WholeField
from desks.compliance.models import Assessment, Check, Framework, Requirement, ReviewKind, Subject, Verdict
from retrieval.api.views import MAX_DOCUMENTS

LARGEST = 2**62


class FrameworkSerializer(serializers.ModelSerializer[Framework]):
    owner = serializers.EmailField(source="owner.email", read_only=True)

    class Meta:
        model = Framework
        fields = (
            "id",
            "name",
            "ref",
            "version",
            "description",
            "publisher",
            "rights",
            "source",
            "language",
            "is_shared",
            "owner",
            "created",
            "updated",
        )
        read_only_fields = (
            "id",
            "ref",
            "version",
            "description",
            "publisher",
            "rights",
            "source",
            "language",
            "owner",
            "created",
            "updated",
        )


class ImportSerializer(KnownFields[Any]):
    """YAML of CISO Assistant, an OSCAL catalog, CSV or XLSX."""

    file = serializers.FileField()
    name = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class ChangeFrameworkSerializer(KnownFields[Any]):
    name = serializers.CharField(max_length=200, required=False)
    is_shared = serializers.BooleanField(required=False)


class RequirementSerializer(KnownFields[Requirement], serializers.ModelSerializer[Requirement]):
    class Meta:
        model = Requirement
        fields = (
            "id",
            "parent",
            "position",
            "depth",
            "ref",
            "title",
            "text",
            "translations",
            "domain",
            "is_assessable",
        )
        read_only_fields = ("id", "parent", "position", "depth", "translations")


class AttachSerializer(KnownFields[Any]):
    """`text`: put its text among the documents, so that answers can search and quote it."""

    text = serializers.BooleanField(default=False)
    framework = serializers.IntegerField(min_value=1, max_value=LARGEST)


class SubjectSerializer(serializers.ModelSerializer[Subject]):
    class Meta:
        model = Subject
        fields = ("id", "name", "documents", "has_all", "created")
        read_only_fields = fields


class NewSubjectSerializer(KnownFields[Any]):
    name = serializers.CharField(max_length=120)
    documents = serializers.ListField(
        child=serializers.IntegerField(min_value=1, max_value=LARGEST),
        required=False,
        max_length=MAX_DOCUMENTS,
    )
    has_all = serializers.BooleanField(required=False)


class RequirementCheckSerializer(serializers.ModelSerializer[Check]):
    class Meta:
        model = Check
        fields = (
            "id",
            "number",
            "scope",
            "model",
            "status",
            "error_code",
            "error_message",
            "total",
            "unchanged",
            "reused",
            "calls",
            "counts",
            "token_budget",
            "money_budget",
            "created",
            "finished",
        )
        read_only_fields = fields


class AssessmentSerializer(serializers.ModelSerializer[Assessment]):
    checks = RequirementCheckSerializer(many=True, read_only=True)

    class Meta:
        model = Assessment
        fields = ("id", "framework", "subject", "created", "checks")
        read_only_fields = fields


class NewCheckSerializer(KnownFields[Any]):
    """`scope`: a reference such as “30.2” or “Article 30”; without it the whole framework."""

    framework = serializers.IntegerField(min_value=1, max_value=LARGEST)
    subject = serializers.IntegerField(min_value=1, max_value=LARGEST)
    scope = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")
    token_budget = WholeField(required=False, allow_null=True, min_value=1, max_value=LARGEST)
    money_budget = AmountField(12, 6, required=False, allow_null=True, min_value=LEAST_MONEY)


class NewReviewSerializer(KnownFields[Any]):
    """`verdict` and `reason` to change, `assignee` (a person's number, or null) to assign."""

    requirement = serializers.IntegerField(min_value=1, max_value=LARGEST)
    kind = serializers.ChoiceField(ReviewKind.choices)
    verdict = serializers.ChoiceField(Verdict.choices, required=False, default="")
    reason = serializers.CharField(max_length=1000, required=False, allow_blank=True, default="")
    assignee = serializers.IntegerField(
        required=False, allow_null=True, default=None, min_value=1, max_value=LARGEST
    )

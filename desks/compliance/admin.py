"""Frameworks and assessments in the admin, to be looked at."""

from django.contrib import admin

from datasources.admin import OF_ITS_DATASOURCE, ReadOnlyAdmin
from desks.compliance.models import (
    Assessment,
    Attachment,
    Check,
    Evidence,
    Finding,
    Framework,
    PaidReply,
    Requirement,
    Review,
    Subject,
)


@admin.register(Framework)
class FrameworkAdmin(ReadOnlyAdmin):
    open_fields = ("owner", "source", "language", "is_shared", "created", "updated")
    list_display = ("__str__", *open_fields)
    list_filter = ("source", "is_shared")
    search_fields = ("name", "ref")


@admin.register(Requirement)
class RequirementAdmin(ReadOnlyAdmin):
    open_fields = ("framework", "position", "depth", "is_assessable")
    list_display = ("__str__", *open_fields)
    list_filter = ("is_assessable",)
    search_fields = ("ref", "title", "text")


@admin.register(Attachment)
class AttachmentAdmin(ReadOnlyAdmin):
    open_fields = ("framework", "datasource", "attached_by", "created")
    list_display = ("__str__", *open_fields)
    list_filter = (OF_ITS_DATASOURCE,)
    list_select_related = ("framework", "datasource", "attached_by")
    search_fields = ("framework__name", "datasource__name")


@admin.register(Subject)
class SubjectAdmin(ReadOnlyAdmin):
    open_fields = ("datasource", "has_all", "created")
    list_display = ("__str__", *open_fields)
    list_filter = (OF_ITS_DATASOURCE,)
    search_fields = ("name", "datasource__name")


@admin.register(Assessment)
class AssessmentAdmin(ReadOnlyAdmin):
    open_fields = ("datasource", "framework", "subject", "created")
    list_display = ("__str__", *open_fields)
    list_filter = (OF_ITS_DATASOURCE,)
    search_fields = ("subject__name", "framework__name")


@admin.register(Check)
class CheckAdmin(ReadOnlyAdmin):
    open_fields = (
        "assessment",
        "number",
        "status",
        "total",
        "unchanged",
        "reused",
        "calls",
        "attempts",
        "created",
        "finished",
    )
    list_display = ("__str__", "model", *open_fields)
    list_filter = ("status",)
    search_fields = ("assessment__subject__name",)


@admin.register(Finding)
class FindingAdmin(ReadOnlyAdmin):
    open_fields = (
        "assessment",
        "requirement",
        "made_in",
        "is_current",
        "verdict",
        "prompt_tokens",
        "completion_tokens",
        "money",
        "created",
    )
    list_display = ("__str__", *open_fields)
    list_filter = ("verdict", "is_current")
    search_fields = ("draft", "reason")


@admin.register(Evidence)
class EvidenceAdmin(ReadOnlyAdmin):
    open_fields = ("finding", "n", "part", "kind", "document", "on_page", "support")
    list_display = ("__str__", *open_fields)
    list_filter = ("kind", "on_page", "support")
    search_fields = ("quote", "title")


@admin.register(Review)
class ReviewAdmin(ReadOnlyAdmin):
    open_fields = ("assessment", "requirement", "kind", "verdict", "person", "assignee", "created")
    list_display = ("__str__", *open_fields)
    list_filter = ("kind", "verdict")
    search_fields = ("reason",)


@admin.register(PaidReply)
class PaidReplyAdmin(ReadOnlyAdmin):
    open_fields = ("check_of", "requirement", "key")
    list_display = ("__str__", *open_fields)
    search_fields = ("key",)

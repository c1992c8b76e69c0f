"""Question sets, runs and what belongs to them in the admin, to be looked at."""

from django.contrib import admin

from datasources.admin import OF_ITS_DATASOURCE, ReadOnlyAdmin
from desks.evaluation.models import (
    GoldQuote,
    PaidReply,
    PaidVector,
    PaidWriting,
    Question,
    QuestionSet,
    Result,
    Run,
    Schedule,
    Verdict,
)


@admin.register(QuestionSet)
class QuestionSetAdmin(ReadOnlyAdmin):
    open_fields = ("datasource", "version", "status", "attempts", "created", "updated")
    list_display = ("__str__", *open_fields)
    list_filter = ("status", OF_ITS_DATASOURCE)
    search_fields = ("name", "datasource__name")


@admin.register(Question)
class QuestionAdmin(ReadOnlyAdmin):
    open_fields = ("question_set", "kind", "origin", "template", "since", "until", "proposed")
    list_display = ("__str__", *open_fields)
    list_filter = ("kind", "origin", "proposed")
    search_fields = ("text", "reference")


@admin.register(GoldQuote)
class GoldQuoteAdmin(ReadOnlyAdmin):
    open_fields = ("question", "piece", "document", "page", "is_stale")
    list_display = ("__str__", *open_fields)
    list_filter = ("is_stale",)
    list_select_related = ("question", "document")
    search_fields = ("quote", "document_title")


@admin.register(Run)
class RunAdmin(ReadOnlyAdmin):
    open_fields = (
        "datasource",
        "number",
        "version",
        "status",
        "is_scheduled",
        "attempts",
        "created",
        "finished",
    )
    list_display = ("__str__", "label", *open_fields)
    list_filter = ("status", OF_ITS_DATASOURCE)
    search_fields = ("label", "datasource__name")


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    open_fields = (
        "run",
        "question",
        "outcome",
        "scores",
        "legs",
        "seconds",
        "searches",
        "prompt_tokens",
        "completion_tokens",
        "money",
        "created",
    )
    list_display = ("__str__", "run", "outcome", "seconds")
    list_filter = ("outcome",)
    search_fields = ("answer", "question__text")


@admin.register(PaidReply)
class PaidReplyAdmin(ReadOnlyAdmin):
    open_fields = ("run", "question", "key")
    list_display = ("__str__", "run", "question")
    search_fields = ("key",)


@admin.register(PaidVector)
class PaidVectorAdmin(ReadOnlyAdmin):
    open_fields = ("run", "key")
    list_display = ("__str__", "run")
    search_fields = ("key",)


@admin.register(PaidWriting)
class PaidWritingAdmin(ReadOnlyAdmin):
    open_fields = ("question_set", "key")
    list_display = ("__str__", "question_set")
    search_fields = ("key",)


@admin.register(Schedule)
class ScheduleAdmin(ReadOnlyAdmin):
    open_fields = ("question_set", "variant", "judged", "thresholds", "token_budget", "changed")
    list_display = ("__str__", "variant", "judged", "changed")
    search_fields = ("question_set__name",)


@admin.register(Verdict)
class VerdictAdmin(ReadOnlyAdmin):
    open_fields = ("result", "statement", "supported", "created")
    list_display = ("__str__", "result", "statement", "created")
    list_filter = ("supported",)
    search_fields = ("result__question__text",)

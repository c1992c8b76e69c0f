"""Runs, and what became of each question in them."""

from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from batches.models import BatchRow
from datasources.models import Datasource
from desks.evaluation.models.sets import Question, QuestionQuerySet, QuestionSet
from localization.stored import told
from providers.spending.paid_replies import PaidReplyRow

if TYPE_CHECKING:
    from accounts.models import User


class RunStatus(models.TextChoices):
    QUEUED = "queued", _("Waiting")
    RUNNING = "running", _("Working")
    DONE = "done", pgettext_lazy("a run", "Done")
    HELD = "held", _("Stopped at its budget")
    STOPPED = "stopped", pgettext_lazy("a run", "Stopped")
    FAILED = "failed", pgettext_lazy("a run", "Failed")


class RunQuerySet(models.QuerySet["Run"]):
    def visible_to(self, user: "User") -> Self:
        return self.filter(datasource__in=Datasource.objects.visible_to(user))


class Run(BatchRow):
    """One variant of answering, asked all questions of one version of a set. Its settings never change."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="evaluation_runs")
    question_set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="runs")
    version = models.PositiveIntegerField(help_text="Of the set.")
    number = models.PositiveIntegerField(help_text="From 1, within the datasource.")
    variant = models.CharField(max_length=200, blank=True, help_text="As it is written for the command line.")
    label = models.CharField(max_length=200)
    frozen = models.JSONField(default=dict, help_text="What decided how it answered, as it was then.")
    status = models.CharField(max_length=12, choices=RunStatus, default=RunStatus.QUEUED)
    spent_tokens = models.PositiveBigIntegerField(
        default=0, help_text="On all replies, also those that are not kept any more."
    )
    spent_money = models.DecimalField(max_digits=14, decimal_places=8, default=0)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)
    is_scheduled = models.BooleanField(default=False, help_text="Started by itself, after an upload.")
    fallen = models.JSONField(
        default=list, blank=True, help_text="Of a scheduled run: what is worse than before, in sentences."
    )

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["datasource", "number"], name="one_run_of_a_number")]

    def __str__(self) -> str:
        return gettext("Run {number}").format(number=self.number)

    def questions(self) -> QuestionQuerySet:
        """Those that it asks."""
        asked: Any = self.question_set.questions
        return asked.of_version(self.version).accepted()


class Result(models.Model):
    """What became of one question in one run. It names passages and quotes, and keeps no passage's text."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="question_results")
    question = models.ForeignKey(Question, models.CASCADE, related_name="+")
    outcome = models.CharField(max_length=10, help_text="A status of chat.models.TurnStatus.")
    error = models.CharField(max_length=500, blank=True, help_text="Why it was not answered.")
    error_words = models.JSONField(
        null=True, editable=False, help_text="What it is made of, as localization.stored has it."
    )
    answer = models.TextField(blank=True, help_text="Markdown with ⟦n⟧ where citation n stands.")
    citations = models.JSONField(default=list, help_text="See desks.evaluation.runs.answering.citation_json.")
    passages = models.JSONField(
        default=list, help_text="[{chunk, document, title, pages, start, end, gold, used}], in order."
    )
    trace = models.JSONField(default=list, help_text="The steps, as chat.events.Step has them.")
    scores = models.JSONField(default=dict, help_text="By code: {metric: value}; undefined ones are missing.")
    legs = models.JSONField(default=dict, help_text="{leg: {measure: value}}: each leg of the search alone.")
    judged = models.JSONField(default=dict, help_text="By the judge model: its scores, and each statement.")
    seconds = models.FloatField(default=0)
    searches = models.PositiveIntegerField(default=0)
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    money = models.DecimalField(max_digits=14, decimal_places=8, null=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["run", "question"]
        constraints = [models.UniqueConstraint(fields=["run", "question"], name="one_result_per_question")]

    def __str__(self) -> str:
        return f"{self.run}: {self.question}"

    @property
    def why_failed(self) -> str:
        """In the reader's language."""
        return told(self.error, self.error_words)

    @property
    def refused(self) -> bool:
        return self.outcome == "not_found"

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


class PaidReply(PaidReplyRow):
    """A model's reply within an unfinished question: a run that is killed does not pay for it again."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="+")
    question = models.ForeignKey(Question, models.CASCADE, related_name="+")

    class Meta(PaidReplyRow.Meta):
        constraints = [
            models.UniqueConstraint(fields=["run", "question", "key"], name="one_reply_per_request")
        ]


class PaidVector(models.Model):
    """The vector of a chunk as an unfinished run cuts it: a run that goes on embeds no text twice."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="+")
    key = models.CharField(max_length=64, help_text="SHA-256 of the text, and of which vectors it is among.")
    vector = HalfVectorField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "key"], name="one_vector_per_text")]

    def __str__(self) -> str:
        return self.key[:12]

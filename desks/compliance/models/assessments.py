"""Subjects, the checks of them against a framework, what was found, and what people said about it."""

from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from batches.models import BatchRow
from datasources.models import Datasource, Document
from desks.compliance.models.frameworks import Framework, Requirement
from desks.compliance.verdicts import Verdict
from localization.stored import told
from providers.spending.paid_replies import PaidReplyRow

if TYPE_CHECKING:
    from accounts.models import User


class Subject(models.Model):
    """Whose documents are checked, such as a vendor: a named selection of documents of a datasource."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="subjects")
    name = models.CharField(max_length=120)
    documents: Any = models.ManyToManyField(Document, related_name="+", blank=True)
    has_all = models.BooleanField(
        "all documents", default=False, help_text="All that the datasource has, later ones too."
    )
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [models.UniqueConstraint(fields=["datasource", "name"], name="one_subject_of_a_name")]

    def __str__(self) -> str:
        return gettext(self.name) if self.has_all else self.name  # which SVQ has named, in English at times


class AssessmentQuerySet(models.QuerySet["Assessment"]):
    def visible_to(self, user: "User") -> Self:
        return self.filter(datasource__in=Datasource.objects.visible_to(user))


class Assessment(models.Model):
    """A subject checked against a framework. It belongs to its datasource."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="assessments")
    framework = models.ForeignKey(Framework, models.CASCADE, related_name="assessments")
    subject = models.ForeignKey(Subject, models.CASCADE, related_name="assessments")
    created = models.DateTimeField(auto_now_add=True)

    objects = AssessmentQuerySet.as_manager()

    class Meta:
        ordering = ["subject__name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["framework", "subject"], name="one_assessment_of_a_subject")
        ]

    def __str__(self) -> str:
        return f"{self.subject} against {self.framework}"


class CheckStatus(models.TextChoices):
    QUEUED = "queued", _("Waiting")
    RUNNING = "running", _("Working")
    DONE = "done", pgettext_lazy("a check", "Done")
    HELD = "held", _("Stopped at its budget")
    STOPPED = "stopped", pgettext_lazy("a check", "Stopped")
    FAILED = "failed", pgettext_lazy("a check", "Failed")


class Check(BatchRow):
    """One run of an assessment over a scope of the framework. Its settings never change."""

    of_calls = "calls"

    assessment = models.ForeignKey(Assessment, models.CASCADE, related_name="checks")
    number = models.PositiveIntegerField(help_text="From 1, within the assessment.")
    scope = models.ForeignKey(
        Requirement, models.CASCADE, null=True, related_name="+", help_text="Nothing: the whole framework."
    )
    model = models.CharField(max_length=200, blank=True, help_text="Empty: no language model.")
    prices = models.JSONField(default=dict, help_text="Per million tokens: {sent, written}.")
    status = models.CharField(max_length=12, choices=CheckStatus, default=CheckStatus.QUEUED)
    total = models.PositiveIntegerField(default=0, help_text="Requirements of the scope.")
    unchanged = models.PositiveIntegerField(
        default=0, help_text="Of these, those that needed no look: nothing has changed since."
    )
    reused = models.PositiveIntegerField(default=0, help_text="Read again, without asking the model again.")
    calls = models.PositiveIntegerField(default=0, help_text="Of the model.")
    spent_tokens = models.PositiveBigIntegerField(
        default=0, help_text="On all replies, also those whose finding was never written."
    )
    spent_money = models.DecimalField(max_digits=14, decimal_places=8, default=0)
    counts = models.JSONField(default=dict, help_text="When it ended: {verdict: requirements}.")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-number"]
        constraints = [models.UniqueConstraint(fields=["assessment", "number"], name="one_check_of_a_number")]

    def __str__(self) -> str:
        return gettext("Check {number}").format(number=self.number)


class Finding(models.Model):
    """What a check found of one requirement. The newest of a requirement is current; earlier ones stay."""

    assessment = models.ForeignKey(Assessment, models.CASCADE, related_name="findings")
    requirement = models.ForeignKey(Requirement, models.CASCADE, related_name="findings")
    made_in = models.ForeignKey(Check, models.CASCADE, related_name="findings")
    is_current = models.BooleanField(default=True)
    verdict = models.CharField(max_length=10, choices=Verdict)
    reason = models.CharField(
        max_length=1000, blank=True, help_text="Why it does not apply, or has no verdict."
    )
    parts = models.JSONField(default=list, help_text="[{text, verdict, statement, reason}], in order.")
    draft = models.TextField(blank=True, help_text="A model's wording to close the gap.")
    model = models.CharField(max_length=200, blank=True)
    content = models.CharField(max_length=64, help_text="SHA-256 of requirement and documents.")
    request = models.CharField(max_length=64, blank=True, help_text="SHA-256 of what the model was asked.")
    reply = models.JSONField(default=dict, help_text="What the model answered.")
    read = models.JSONField(default=list, help_text="Numbers of the documents that it was shown.")
    documents = models.PositiveIntegerField(default=0, help_text="That were searched.")
    unread = models.PositiveIntegerField(default=0, help_text="That were not, or not to their end.")
    error = models.CharField(max_length=500, blank=True, help_text="Why the model gave no verdict.")
    error_words = models.JSONField(
        null=True, editable=False, help_text="What it is made of, as localization.stored has it."
    )
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    money = models.DecimalField(max_digits=14, decimal_places=8, null=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["requirement", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["assessment", "requirement"],
                condition=models.Q(is_current=True),
                name="one_current_finding",
            )
        ]

    def __str__(self) -> str:
        return f"{self.requirement}: {self.verdict}"

    @property
    def why_failed(self) -> str:
        """In the reader's language."""
        return told(self.error, self.error_words)


class EvidenceKind(models.TextChoices):
    QUOTE = "quote", _("Quoted for a part")
    PASSAGE = "passage", _("Nearest words, to be judged")


class Evidence(models.Model):
    """Words of a document that are put forward for a part of a requirement, checked against its page."""

    finding = models.ForeignKey(Finding, models.CASCADE, related_name="evidence_rows")
    n = models.PositiveIntegerField(help_text="From 1, within the finding.")
    part = models.PositiveSmallIntegerField(default=0)
    kind = models.CharField(max_length=8, choices=EvidenceKind)
    document = models.ForeignKey(Document, models.CASCADE, related_name="+")
    title = models.CharField(max_length=300, help_text="Of the document, as it was then.")
    sha256 = models.CharField(max_length=64, help_text="Of the document's file.")
    quote = models.TextField()
    start = models.PositiveIntegerField(help_text="Offset in the document's text.")
    end = models.PositiveIntegerField()
    pages = models.JSONField(default=list)
    boxes = models.JSONField(default=dict, help_text="{page: [[x0, y0, x1, y1]]}, in 0 to 1000.")
    on_page = models.CharField(max_length=10, help_text="A value of chat.models.OnPage.")
    support = models.CharField(max_length=16, blank=True, help_text="A value of chat.models.Support.")
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        verbose_name_plural = "evidence"
        ordering = ["finding", "n"]

    def __str__(self) -> str:
        return f"{self.title}, p. {self.pages[0] if self.pages else '?'}"


class ReviewKind(models.TextChoices):
    AGREE = "agree", _("Agreed")
    CHANGE = "change", pgettext_lazy("a decision", "Changed")
    ASSIGN = "assign", _("Assigned")


class Review(models.Model):
    """What a person said about a requirement's verdict. Rows are only added; the last of a kind counts."""

    assessment = models.ForeignKey(Assessment, models.CASCADE, related_name="reviews")
    requirement = models.ForeignKey(Requirement, models.CASCADE, related_name="reviews")
    kind = models.CharField(max_length=6, choices=ReviewKind)
    verdict = models.CharField(max_length=10, choices=Verdict, blank=True)
    found = models.CharField(
        max_length=10, choices=Verdict, blank=True, help_text="The finding's own verdict at the time."
    )
    reason = models.CharField(max_length=1000, blank=True)
    assignee = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["assessment", "requirement", "kind"], name="review_of_requirement")]

    def __str__(self) -> str:
        return f"{self.requirement}: {self.get_kind_display()}"


class PaidReply(PaidReplyRow):
    """A model's reply until its finding is written: a check that is killed does not pay for it again."""

    check_of = models.ForeignKey(Check, models.CASCADE, related_name="+")
    requirement = models.ForeignKey(Requirement, models.CASCADE, related_name="+")

    class Meta(PaidReplyRow.Meta):
        constraints = [
            models.UniqueConstraint(fields=["check_of", "requirement", "key"], name="one_paid_reply")
        ]

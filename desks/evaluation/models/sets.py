"""Question sets, their versioned questions, and the quotes that prove the answers."""

from typing import TYPE_CHECKING, Self
from uuid import uuid4

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from datasources.models import Datasource, Document
from jobs.models import FencedRow
from providers.spending.paid_replies import PaidReplyRow

if TYPE_CHECKING:
    from accounts.models import User


class Kind(models.TextChoices):
    """Where the answer of a question lies."""

    SINGLE = "single", _("Single-source")
    MULTI = "multi", _("Multi-source")
    NONE = "none", _("No-source")


class Origin(models.TextChoices):
    RULES = "rules", _("Made by rules")
    MODEL = "model", _("Written by a model")
    PERSON = "person", _("Written by a person")
    IMPORT = "import", _("Imported")


class SetStatus(models.TextChoices):
    READY = "ready", _("Ready")
    QUEUED = "queued", _("Waiting")
    RUNNING = "running", _("Being made")
    FAILED = "failed", pgettext_lazy("a question set", "Failed")


class QuestionSetQuerySet(models.QuerySet["QuestionSet"]):
    def visible_to(self, user: "User") -> Self:
        return self.filter(datasource__in=Datasource.objects.visible_to(user))

    def with_counts(self) -> Self:
        """Each with how many questions it has now: `count`, and as many of each kind by the kind's name.

        The last changed first: Django drops the model's own order where rows are grouped.
        """
        now = Q(questions__until=None)
        kinds = {
            kind.value: models.Count("questions", filter=now & Q(questions__kind=kind), distinct=True)
            for kind in Kind
        }
        counted = self.annotate(count=models.Count("questions", filter=now, distinct=True), **kinds)
        return counted.order_by("-updated", "-pk")


class QuestionSet(FencedRow):
    """Questions about one datasource. Each change of them makes a new version; runs name theirs.

    It is a fenced row because a job makes its questions.
    """

    unfinished = (SetStatus.QUEUED, SetStatus.RUNNING)

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="question_sets")
    name = models.CharField(max_length=120)
    version = models.PositiveIntegerField(default=0, help_text="0: there has been no question yet.")
    status = models.CharField(max_length=12, choices=SetStatus, default=SetStatus.READY)
    ordered = models.JSONField(
        default=dict,
        blank=True,
        help_text="How many of each kind to make, by whom, and for how many tokens at most.",
    )
    made = models.JSONField(default=dict, blank=True, help_text="What came of that, and what was left out.")
    spent_tokens = models.PositiveBigIntegerField(default=0, help_text="By a model, on what is ordered.")
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        help_text="Who made it, or was the last to have questions made.",
    )
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    objects = QuestionSetQuerySet.as_manager()

    class Meta:
        ordering = ["-updated"]
        constraints = [
            models.UniqueConstraint(fields=["datasource", "name"], name="one_question_set_of_a_name")
        ]

    def __str__(self) -> str:
        return self.name


class PaidWriting(PaidReplyRow):
    """A question as a model has written it, until all that were ordered are made: it is paid for once."""

    question_set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="+")

    class Meta(PaidReplyRow.Meta):
        verbose_name_plural = "paid writings"
        constraints = [
            models.UniqueConstraint(fields=["question_set", "key"], name="one_writing_per_request")
        ]


class QuestionQuerySet(models.QuerySet["Question"]):
    def of_version(self, version: int) -> Self:
        """As the set was then."""
        return self.filter(Q(until=None) | Q(until__gt=version), since__lte=version)

    def current(self) -> Self:
        return self.filter(until=None)

    def accepted(self) -> Self:
        """Without proposals that nobody has looked at."""
        return self.filter(proposed=False)


class Question(models.Model):
    """One wording of a question, never changed: a correction is another row with the same `key`.

    It is in the versions of its set from `since` on, and up to the one before `until`.
    """

    question_set = models.ForeignKey(QuestionSet, models.CASCADE, related_name="questions")
    key = models.UUIDField(default=uuid4, editable=False, help_text="The same for all its wordings.")
    since = models.PositiveIntegerField()
    until = models.PositiveIntegerField(null=True, blank=True)
    kind = models.CharField(max_length=6, choices=Kind)
    text = models.TextField()
    reference = models.TextField(blank=True, help_text="The answer that is expected.")
    origin = models.CharField(max_length=6, choices=Origin)
    template = models.CharField(max_length=30, blank=True, help_text="Of the rule that made it.")
    about = ArrayField(
        models.BigIntegerField(),
        default=list,
        blank=True,
        help_text="Documents that the words of a made no-source question are from; it goes with the last.",
    )
    proposed = models.BooleanField(default=False, help_text="Waits for a person to accept it.")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)

    objects = QuestionQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["question_set", "since"], name="question_of_version")]
        constraints = [
            models.UniqueConstraint(
                fields=["question_set", "key"], condition=Q(until=None), name="one_current_wording"
            )
        ]

    def __str__(self) -> str:
        return self.text[:80]

    @property
    def is_stale(self) -> bool:
        """Whether a quote that proves its answer is not in the documents any more."""
        return any(gold.is_stale for gold in self.gold.all())


class GoldQuote(models.Model):
    """A place in the documents that has one piece of the answer. Other places of the same piece will do too.

    With a quote it is that span; without one, the whole page, or the whole document where no page is named.
    """

    question = models.ForeignKey(Question, models.CASCADE, related_name="gold")
    piece = models.PositiveSmallIntegerField(default=0)
    document = models.ForeignKey(Document, models.SET_NULL, null=True, related_name="+")
    document_title = models.CharField(max_length=300)
    quote = models.TextField(blank=True)
    page = models.PositiveIntegerField(null=True, blank=True)
    start = models.PositiveIntegerField(null=True, help_text="Offset in the document's text.")
    end = models.PositiveIntegerField(null=True)
    is_stale = models.BooleanField(default=False, help_text="The quote is not there any more.")

    class Meta:
        ordering = ["question", "piece", "pk"]

    def __str__(self) -> str:
        return f"{self.document_title}, p. {self.page}"

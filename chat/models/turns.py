"""Turns: a question and what became of it."""

from typing import TYPE_CHECKING, Self
from uuid import uuid4

from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from chat.models.conversations import Conversation
from jobs.models import FencedRow

if TYPE_CHECKING:
    from accounts.models import User


class TurnStatus(models.TextChoices):
    QUEUED = "queued", _("Waiting")
    RUNNING = "running", _("Working")
    ANSWERED = "answered", _("Answered")
    PARTIAL = "partial", _("Partly answered")
    QUOTES = "quotes", _("Passages found")
    UNPROVEN = "unproven", _("Not proven by your documents")
    NOT_FOUND = "not_found", _("Not found in your documents")
    FAILED = "failed", pgettext_lazy("a question", "Failed")
    STOPPED = "stopped", pgettext_lazy("a question", "Stopped")


UNFINISHED = (TurnStatus.QUEUED, TurnStatus.RUNNING)


class Mode(models.TextChoices):
    AGENT = "agent", _("Agent")
    FAST = "fast", _("Fast")


class Budget(models.TextChoices):
    """Whose budget for language models was used up, so that a turn was answered without one."""

    NONE = "", "None"
    DATASOURCE = "datasource", "The datasource's"
    DEPLOYMENT = "deployment", "The deployment's"

    @classmethod
    def of(cls, datasource: int | None) -> "Budget":
        """`datasource`: the number that the budget is kept under, 0 for the deployment; None without one."""
        if datasource is None:
            return cls.NONE
        return cls.DATASOURCE if datasource else cls.DEPLOYMENT


class TurnQuerySet(models.QuerySet["Turn"]):
    def visible_to(self, user: "User") -> Self:
        return self.filter(conversation__in=Conversation.objects.visible_to(user))

    def changeable_by(self, user: "User") -> Self:
        return self.filter(conversation__in=Conversation.objects.changeable_by(user))


class Turn(FencedRow):
    """One question and what became of it. Durable: written before any work starts."""

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    conversation = models.ForeignKey(Conversation, models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField(help_text="From 1.")
    after = models.PositiveIntegerField(
        null=True, help_text="Number of the turn that it follows, 0 for none; null: the one asked before it."
    )
    question = models.TextField()
    document_ids = models.JSONField(null=True, help_text="What was searched; null means all.")
    earlier = models.JSONField(
        default=list, help_text="[{role, content}] before the question, as the asking program sent it."
    )
    mode = models.CharField(max_length=5, choices=Mode, default=Mode.AGENT)
    unfinished = UNFINISHED
    status = models.CharField(max_length=10, choices=TurnStatus, default=TurnStatus.QUEUED)
    chosen_model = models.BigIntegerField(
        null=True, help_text="Number of the connection that was chosen for it; null: the datasource's."
    )
    model = models.CharField(max_length=200, blank=True)
    prompts = models.CharField(
        max_length=64,
        blank=True,
        help_text="SHA-256 of the prompts that its language model was given; see answering.prompts_used.",
    )
    stopped_by = models.CharField(
        max_length=10,
        choices=Budget,
        default=Budget.NONE,
        blank=True,
        help_text="The budget that kept a language model from answering.",
    )
    quotes_only = models.BooleanField(
        default=False, help_text="Its model copies passages and writes nothing."
    )
    answer = models.TextField(blank=True, help_text="Markdown with ⟦n⟧ where citation n stands.")
    steps = models.JSONField(default=list, help_text="[{tool, arguments, hits, ms}]")
    trace = models.JSONField(default=list, help_text="The steps as a page lists them; see chat.trace.")
    nearest = models.JSONField(default=list, help_text="Nearest passages where nothing answers.")
    search = models.JSONField(default=dict, help_text="When nothing was found; see answering.unanswered.")
    usage = models.JSONField(default=dict, help_text="{prompt_tokens, completion_tokens}")
    money = models.DecimalField(
        max_digits=16, decimal_places=8, null=True, help_text="What its models cost; null while unknown."
    )
    follow_ups = models.JSONField(
        null=True, help_text="[{question, document}] that were tried; null: not made yet."
    )
    standalone = models.TextField(blank=True, help_text="The question as it is understood by itself.")
    intent = models.CharField(max_length=20, blank=True, help_text="See answering.question.intent.")
    notices = models.JSONField(default=list, help_text="[{code, text, documents}] that a reader must know.")
    missing = models.CharField(max_length=300, blank=True, help_text="What a partial answer lacks.")
    differ = models.JSONField(
        default=dict,
        help_text="Where two documents answer differently: {kind, sides: [{citation, value, of}], ranked_by};"
        " see answering.differing.",
    )
    verdict = models.JSONField(default=dict, help_text="See citations.verdict.")
    imported = models.BooleanField(
        default=False, help_text="It was asked elsewhere, and came here with its datasource."
    )
    fresh = models.BooleanField(default=False, help_text="Answered anew, whatever was answered before.")
    cache_key = models.CharField(
        max_length=64,
        blank=True,
        db_index=True,
        help_text="What the answer rests on; see chat.turns.recall.",
    )
    reused_from = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="+", help_text="Whose answer it repeats."
    )
    seconds = models.FloatField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)

    objects = TurnQuerySet.as_manager()

    class Meta:
        ordering = ["conversation", "number"]
        constraints = [models.UniqueConstraint(fields=["conversation", "number"], name="one_turn_per_number")]
        indexes = [  # what a deletion looks for
            GinIndex(fields=["nearest"], opclasses=["jsonb_path_ops"], name="turn_nearest"),
            GinIndex(fields=["follow_ups"], opclasses=["jsonb_path_ops"], name="turn_follow_ups"),
        ]

    def __str__(self) -> str:
        return self.question[:80]

    @property
    def channel(self) -> str:
        """The event channel of this turn."""
        return f"turn:{self.pk}"

"""Whose servers are told what, and what was sent to them."""

from typing import Self
from uuid import uuid4

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from datasources.models import Datasource
from localization.stored import told


class Kind(models.TextChoices):
    """What happened. The value is the `type` in what is sent."""

    TEST = "webhook.test", _("A test")
    READY = "document.ready", _("A document is ready")
    FAILED = "document.failed", _("A document could not be read")
    FINISHED = "run.finished", _("An evaluation has ended")
    FELL = "run.fell", _("A scheduled evaluation fell below its thresholds")
    DELETED = "deletion.complete", _("A deletion is complete")


class WhyOff(models.TextChoices):
    FAILED = "failed", _("It accepted no message for five days.")
    GONE = "gone", _("The server there answered that it wants no more (HTTP 410).")
    OWNER = "owner", _("An owner has switched it off.")
    NO_ACCESS = "no_access", _("The person who made it is no longer an owner here.")


CHOSEN = [kind for kind in Kind if kind != Kind.TEST]


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def enabled(self) -> Self:
        return self.filter(disabled=None)


class Webhook(models.Model):
    """An address that is told. It belongs to the datasource, but goes on only while whoever made it, or has
    switched it on last, is an owner there.
    """

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=2000)
    kinds = ArrayField(models.CharField(max_length=20, choices=Kind))
    encrypted_secret = models.TextField(editable=False)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    after = models.IntegerField(help_text="The number of the last event of the datasource's that was taken.")
    failing_since = models.DateTimeField(null=True, blank=True, help_text="Nothing was taken since.")
    last_failure = models.DateTimeField(null=True, blank=True)
    next_attempt = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Until then nothing is sent: the server did not answer.",
    )
    disabled = models.DateTimeField(null=True, blank=True)
    why_off = models.CharField(max_length=9, choices=WhyOff, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"Webhook {self.pk} of {self.datasource}"

    @property
    def is_enabled(self) -> bool:
        return self.disabled is None

    @property
    def kinds_in_words(self) -> list[str]:
        return [str(Kind(kind).label) for kind in self.kinds]


class DeliveryQuerySet(models.QuerySet["Delivery"]):
    def due(self) -> Self:
        now = timezone.now()
        asked = models.Q(webhook__next_attempt=None) | models.Q(webhook__next_attempt__lte=now)
        return self.filter(asked, next_attempt__lte=now, webhook__disabled=None).order_by("created")


class Delivery(models.Model):
    """One message to one webhook, until it is taken there; kept for a while after that. It has numbers and
    states, never a word of a document.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries")
    seq = models.IntegerField(null=True, help_text="The number of its event; null: a test.")
    kind = models.CharField(max_length=20, choices=Kind)
    body = models.TextField(help_text="JSON, as it is sent and signed.")
    created = models.DateTimeField(auto_now_add=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_attempt = models.DateTimeField(null=True, default=timezone.now, help_text="Null: none.")
    delivered = models.DateTimeField(null=True, blank=True)
    answer = models.CharField(max_length=200, blank=True, help_text="Of the last attempt.")
    answer_words = models.JSONField(
        null=True, editable=False, help_text="What it is made of, as localization.stored has it."
    )

    objects = DeliveryQuerySet.as_manager()

    class Meta:
        ordering = ["-created"]
        verbose_name_plural = "deliveries"
        constraints = [models.UniqueConstraint(fields=["webhook", "seq", "kind"], name="told_once")]
        indexes = [
            models.Index(
                fields=["next_attempt"],
                condition=models.Q(next_attempt__isnull=False),
                name="delivery_due",
            ),
            models.Index(fields=["webhook", "-created"], name="delivery_of_webhook"),
            models.Index(  # what is forgotten
                fields=["created"], condition=models.Q(next_attempt=None), name="delivery_ended"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to webhook {self.webhook_id}"

    @property
    def answer_told(self) -> str:
        """In the reader's language."""
        return told(self.answer, self.answer_words)

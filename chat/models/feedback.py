"""What askers think of answers."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from chat.models.turns import Turn


class FeedbackReason(models.TextChoices):
    """What is wrong with an answer."""

    NONE = "", _("No reason given")
    WRONG = "wrong", _("It is wrong")
    INCOMPLETE = "incomplete", _("Something is missing")
    SOURCE = "source", _("A source does not support it")
    OFF_TOPIC = "off_topic", _("It misses the question")
    UNCLEAR = "unclear", _("It is hard to read")


class Feedback(models.Model):
    """What the asker thinks of an answer, kept for evaluation. It goes with its turn."""

    turn = models.OneToOneField(Turn, models.CASCADE, primary_key=True, related_name="feedback")
    helpful = models.BooleanField()
    reason = models.CharField(max_length=10, choices=FeedbackReason, default=FeedbackReason.NONE, blank=True)
    note = models.CharField(max_length=1000, blank=True)
    given = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name_plural = "feedback"

    def __str__(self) -> str:
        return f"{'Helpful' if self.helpful else 'Not helpful'}: {self.turn}"

"""Tables and what they ask."""

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from batches.models import BatchRow
from datasources.models import Datasource

if TYPE_CHECKING:
    from accounts.models import User


UNDO = timedelta(days=1)  # for so long a column or row that was removed can come back


class TableStatus(models.TextChoices):
    QUEUED = "queued", _("Waiting")
    RUNNING = "running", pgettext_lazy("a table", "Reading")
    DONE = "done", pgettext_lazy("a table", "Done")
    HELD = "held", _("Stopped at its budget")
    STOPPED = "stopped", pgettext_lazy("a table", "Stopped")
    FAILED = "failed", pgettext_lazy("a table", "Failed")


class ReviewTableQuerySet(models.QuerySet["ReviewTable"]):
    def visible_to(self, user: "User") -> Self:
        return self.filter(datasource__in=Datasource.objects.visible_to(user))


class ReviewTable(BatchRow):
    """Documents of one datasource, and what is asked of each. Its job fills the open cells."""

    of_tokens, of_money = "tokens", "money"

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="review_tables")
    name = models.CharField(max_length=120)
    status = models.CharField(max_length=12, choices=TableStatus, default=TableStatus.DONE)
    quotes_only = models.BooleanField(default=False, help_text="Filled without a language model.")
    reader = models.CharField(max_length=200, blank=True, help_text="The model that has read last.")
    tokens = models.PositiveBigIntegerField(default=0, help_text="That reading has cost so far.")
    money = models.DecimalField(max_digits=14, decimal_places=8, null=True, blank=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    objects = ReviewTableQuerySet.as_manager()

    class Meta:
        ordering = ["-updated", "-pk"]

    def __str__(self) -> str:
        return self.name

    def write(self, **values: Any) -> None:
        """These columns, and that the table has changed."""
        super().write(**values, updated=timezone.now())


class ColumnQuerySet(models.QuerySet["Column"]):
    def shown(self) -> Self:
        return self.filter(removed__isnull=True)

    def undoable(self) -> Self:
        """Removed not long ago."""
        return self.filter(removed__gt=timezone.now() - UNDO)


class Column(models.Model):
    """One thing that is asked of every document. A removed one keeps its cells for a while, to be undone."""

    table = models.ForeignKey(ReviewTable, models.CASCADE, related_name="asked_columns")
    place = models.PositiveIntegerField(help_text="From 0, from the left.")
    name = models.CharField(max_length=60)
    question = models.CharField(max_length=300, help_text="What is asked, in a sentence.")
    removed = models.DateTimeField(null=True, blank=True, help_text="When it was taken out of the table.")

    objects = ColumnQuerySet.as_manager()

    class Meta:
        ordering = ["place", "pk"]

    def __str__(self) -> str:
        return self.name

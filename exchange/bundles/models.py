"""Bundles on their way in."""

from itertools import zip_longest
from typing import TYPE_CHECKING, Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from datasources.models import Datasource
from jobs.models import FencedRow
from localization.stored import told

if TYPE_CHECKING:
    from accounts.models import User


class ImportStatus(models.TextChoices):
    QUEUED = "queued", _("Waiting")
    CHECKING = "checking", _("Being checked")
    STORING = "storing", _("Being stored")
    DONE = "done", _("Imported")
    FAILED = "failed", _("Not imported")


class BundleImportQuerySet(models.QuerySet["BundleImport"]):
    def visible_to(self, user: "User") -> Self:
        """One's own; no API token that is for some datasources alone."""
        if not user.is_authenticated or user.reach is not None:
            return self.none()
        return self.filter(owner=user)


class BundleImport(FencedRow):
    """A bundle that a person has handed over, until it is a datasource of theirs, or was refused.

    reserved: the number of the datasource that it becomes; its files are stored under it. archive: where the
    bundle itself lies in the storage until then; empty where a command reads it from a path.
    """

    unfinished = (ImportStatus.QUEUED, ImportStatus.CHECKING, ImportStatus.STORING)

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    filename = models.CharField(max_length=300)
    archive = models.CharField(max_length=200, blank=True, editable=False)
    status = models.CharField(max_length=12, choices=ImportStatus, default=ImportStatus.QUEUED)
    reserved = models.BigIntegerField(editable=False)
    originals = models.PositiveIntegerField(default=0, editable=False, help_text="That may be stored by now.")
    datasource = models.ForeignKey(Datasource, models.SET_NULL, null=True, related_name="+")
    done = models.FloatField(default=0, help_text="Of what it is doing now, 0 to 1.")
    notices = models.JSONField(default=list, help_text="What its owner has to know, in sentences.")
    notice_words = models.JSONField(
        null=True, editable=False, help_text="What each notice is made of; see localization.stored."
    )
    counted = models.BooleanField(default=True, help_text="It uses up the person's quota of an hour.")
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    objects = BundleImportQuerySet.as_manager()

    class Meta:
        ordering = ["-created"]

    @property
    def told_notices(self) -> list[str]:
        """In the reader's language."""
        return [told(text, words) for text, words in zip_longest(self.notices, self.notice_words or [])]

    def __str__(self) -> str:
        return self.filename

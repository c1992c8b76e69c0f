"""Receipts of what was deleted."""

from typing import TYPE_CHECKING, Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from accounts.models import User


class DeletionQuerySet(models.QuerySet["Deletion"]):
    def visible_to(self, user: "User") -> Self:
        """Of what they owned, or have deleted themselves."""
        if not user.is_authenticated:
            return self.none()
        visible = self.filter(Q(owner=user) | Q(deleted_by=user))
        return visible if user.reach is None else visible.filter(datasource__in=user.reach)

    def undoable(self) -> Self:
        return self.filter(purged=None, completed=None)

    def unfinished(self) -> Self:
        """Whose rows are gone, while files may be left."""
        return self.filter(purged__isnull=False, completed=None)


class Deletion(models.Model):
    """The receipt of one deleted document or datasource: what there was, and that nothing of it is left.

    It outlives what it tells of, so it has numbers and names instead of foreign keys. Until it is completed
    it also has what the rest is found by: the versions, the stored files, the contents.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    batch = models.UUIDField(db_index=True, help_text="The same for what was deleted in one go.")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="deletions")
    deleted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    datasource = models.BigIntegerField(help_text="Its number.")
    datasource_name = models.CharField(max_length=120)
    document = models.BigIntegerField(null=True, help_text="Its number; null for a whole datasource.")
    document_name = models.CharField(max_length=300, blank=True)
    removed = models.JSONField(default=dict, help_text="How much there was, by kind.")
    left = models.JSONField(null=True, help_text="How much the last check found, by kind.")
    requested = models.DateTimeField(auto_now_add=True)
    purged = models.DateTimeField(null=True, help_text="When its rows were deleted.")
    completed = models.DateTimeField(null=True, help_text="When a check found nothing left.")
    versions = models.JSONField(default=list, help_text="Numbers of the document and its earlier versions.")
    files = models.JSONField(default=list, help_text="Names in the storage.")
    contents = models.JSONField(default=list, help_text="SHA-256 of the files.")

    objects = DeletionQuerySet.as_manager()

    class Meta:
        ordering = ["-requested", "pk"]
        indexes = [
            models.Index(fields=["datasource", "document"], name="deletion_subject"),
            models.Index(fields=["datasource"], condition=Q(completed=None), name="deletion_open"),
        ]

    def __str__(self) -> str:
        return f"{self.name} deleted"

    @property
    def name(self) -> str:
        """Of what was deleted."""
        if self.document is None:
            return self.datasource_name
        return self.document_name or _("A document that was withdrawn")

    @property
    def left_in_all(self) -> int | None:
        """What the last check found; None before the first."""
        return None if self.left is None else sum(self.left.values())

"""Memos: texts with numbered citations, made of what was kept in the notebook of a datasource."""

from django.conf import settings
from django.db import models

from datasources.models import Datasource

MAX_TITLE = 200  # characters


class Memo(models.Model):
    """Read by everybody who reads the datasource, written by its editors.

    It has the words and the quotes itself, so it stays when notes, conversations or documents go.
    """

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="memos")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    title = models.CharField(max_length=MAX_TITLE)
    text = models.TextField(blank=True, help_text="Markdown with [n] where source n is cited.")
    sources = models.JSONField(
        default=list, blank=True, help_text="[{n, document, title, pages, where, quote, said}], each n once."
    )
    edition = models.PositiveIntegerField(default=1, help_text="Counts up with each save.")
    beside = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="The memo that was saved elsewhere while this text of it was being written.",
    )
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-updated", "-pk"]

    def __str__(self) -> str:
        return self.title

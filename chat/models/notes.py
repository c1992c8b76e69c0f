"""The notebook of a datasource: answers and quotes that were kept."""

from django.conf import settings
from django.db import models

from datasources.models import Datasource


class Note(models.Model):
    """An answer or a quote that was kept in the notebook of its datasource, for everybody who reads there.

    It has the words and the quotes themselves, so it stays when the conversation or a document goes.
    """

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="notes")
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    question = models.TextField(blank=True)
    text = models.TextField(
        blank=True, help_text="Markdown with ⟦n⟧ where source n stands; empty: a quote alone."
    )
    sources = models.JSONField(default=list, help_text="[{n, document, title, pages, where, quote, said}]")
    remark = models.CharField(
        max_length=1000, blank=True, help_text="An editor's words about it; any editor may change them."
    )
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created", "-pk"]

    def __str__(self) -> str:
        return self.question[:80] or "A quote"

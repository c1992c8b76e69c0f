"""A person's first page."""

from django.conf import settings
from django.db import models
from django.utils import timezone


class Welcome(models.Model):
    """A person's first page: one question about the sample documents, answered before they sign in.

    turn: None until the sample documents are read and the question is asked. closed: when the person has put
    the page away; a file of their own that they add after `since` ends it too.
    """

    person = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="welcome")
    datasource = models.ForeignKey("datasources.Datasource", on_delete=models.CASCADE, related_name="+")
    turn = models.ForeignKey("chat.Turn", on_delete=models.CASCADE, null=True, related_name="+")
    since = models.DateTimeField(default=timezone.now)
    closed = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"Welcome of {self.person}"

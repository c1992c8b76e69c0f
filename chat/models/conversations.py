"""Conversations: who asks what datasource."""

from typing import TYPE_CHECKING, Self
from uuid import uuid4

from django.conf import settings
from django.db import models

from datasources.models import Datasource

if TYPE_CHECKING:
    from accounts.models import User


class ConversationQuerySet(models.QuerySet["Conversation"]):
    def visible_to(self, user: "User") -> Self:
        """A conversation is its author's alone, and only while they may still read the datasource."""
        if not user.is_authenticated:
            return self.none()
        return self.filter(user=user, datasource__in=Datasource.objects.visible_to(user))


class Conversation(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="conversations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="conversations")
    title = models.CharField(max_length=200, blank=True)
    document_ids = models.JSONField(null=True, help_text="Search only these; null means all.")
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        ordering = ["-updated"]

    def __str__(self) -> str:
        return self.title or "New conversation"

"""Conversations: who asks what datasource."""

from typing import TYPE_CHECKING, Self
from uuid import uuid4

from django.conf import settings
from django.db import models

from accounts.models import TokenScope
from datasources.models import Datasource, Role

if TYPE_CHECKING:
    from accounts.models import User


class ConversationQuerySet(models.QuerySet["Conversation"]):
    def visible_to(self, user: "User") -> Self:
        """A conversation is its author's alone, and only while they may still ask in the datasource.

        An API token without the right to read sees those that it began itself.
        """
        if not user.is_authenticated:
            return self.none()
        mine = self.filter(user=user, datasource__in=Datasource.objects.visible_to(user, Role.ASKER))
        return mine if user.may(TokenScope.READ) else mine.filter(api_token=user.api_token)

    def changeable_by(self, user: "User") -> Self:
        """Those in which the person may ask and change something. An API token without the right to write
        may do so in those that it began itself.
        """
        mine = self.visible_to(user)
        if not user.is_authenticated or user.may(TokenScope.WRITE):
            return mine
        return mine.filter(api_token=user.api_token)


class Conversation(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="conversations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="conversations")
    api_token = models.ForeignKey(
        "accounts.ApiToken",
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        help_text="With which it was begun; null: by the person, or with a token that has ended.",
    )
    title = models.CharField(max_length=200, blank=True)
    document_ids = models.JSONField(null=True, help_text="Search only these; null means all.")
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        ordering = ["-updated"]

    def __str__(self) -> str:
        return self.title or "New conversation"

    @property
    def is_one_question(self) -> bool:
        """Whether its title is all that was asked."""
        asked = list(self.turns.values_list("question", flat=True)[:2])
        return len(asked) == 1 and asked[0] == self.title

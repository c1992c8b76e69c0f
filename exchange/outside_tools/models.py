"""Which outside servers administrators allow, and which of their tools a datasource uses."""

from collections.abc import Sequence
from typing import Self
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models

from datasources.models import Datasource
from exchange.outside_tools.offers import Offer


class OutsideServer(models.Model):
    """An MCP server that an administrator allows, with its tools as they were at the last look."""

    name = models.CharField(max_length=60, unique=True)
    address = models.CharField(max_length=2000, unique=True)
    encrypted_token = models.TextField(blank=True, editable=False)
    is_private = models.BooleanField(
        default=False, help_text="It may lie on this machine or in a private network."
    )
    is_for_owners = models.BooleanField(
        default=False, help_text="Every owner may attach its tools; otherwise administrators alone."
    )
    is_per_person = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Calls take the asking person's own token; its own is for looking at its tools alone.",
    )
    listed = models.JSONField(default=list, help_text="Its tools, as Offer.as_json writes them.")
    looked = models.DateTimeField(null=True, blank=True, help_text="When it last told its tools.")
    failure = models.CharField(max_length=300, blank=True, help_text="Of the last look; empty: none.")
    failure_words = models.JSONField(
        null=True, editable=False, help_text="What it is made of, as localization.stored has it."
    )
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def host(self) -> str:
        return urlsplit(self.address).netloc

    @property
    def offers(self) -> Sequence[Offer]:
        return [Offer(**row) for row in self.listed]


class PersonalToken(models.Model):
    """A person's own token for a server that asks for one of each person."""

    server = models.ForeignKey(OutsideServer, models.CASCADE, related_name="personal_tokens")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    encrypted_token = models.TextField(editable=False)
    entered = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["server", "person"], name="one_token_of_a_person_for_a_server")
        ]

    def __str__(self) -> str:
        return f"Token of {self.person} for {self.server}"


class AttachedToolQuerySet(models.QuerySet["AttachedTool"]):
    def allowed(self) -> Self:
        """Those of servers that are for owners, and what administrators have attached."""
        by_administrator = models.Q(attached_by__is_superuser=True, attached_by__is_active=True)
        return self.filter(models.Q(server__is_for_owners=True) | by_administrator)


class AttachedTool(models.Model):
    """A tool that an owner has attached, as it was then: changed by its server, it is off."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="attached_tools")
    server = models.ForeignKey(OutsideServer, models.CASCADE, related_name="attached")
    name = models.CharField(max_length=128)
    fingerprint = models.CharField(max_length=64, help_text="Of its name, description and schema.")
    attached_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    attached = models.DateTimeField(auto_now_add=True)

    objects = AttachedToolQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["datasource", "server", "name"], name="tool_attached_once")
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.server}"

    @property
    def offer(self) -> Offer | None:
        """What the server tells of it now, if that is still what was attached."""
        return next((each for each in self.server.offers if each.fingerprint == self.fingerprint), None)

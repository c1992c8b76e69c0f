"""Programs that ask people to be let in (OAuth), and who has let them in.

A program that was let in has an API token, whose text it renews itself: so whatever narrows, ends or notes
API tokens does so for programs.
"""

from typing import Any, Self
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

from accounts.models import ApiToken, TokenScope

LONGEST_ID = 500
LONGEST_ADDRESS = 1000


class Program(models.Model):
    """What asks: an OAuth client. It is known by a document at the address of its id, or has registered."""

    client_id = models.CharField(max_length=LONGEST_ID, unique=True)
    name = models.CharField(max_length=100, help_text="As it calls itself.")
    redirect_uris = ArrayField(
        models.CharField(max_length=LONGEST_ADDRESS), help_text="Where it may be sent."
    )
    document_read = models.DateTimeField(
        null=True, blank=True, help_text="When its document was; empty: it has registered."
    )
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-created", "-pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def host(self) -> str:
        """Of its document: whoever has that host vouches for it. Empty where nobody does."""
        return urlsplit(self.client_id).netloc if self.document_read else ""


class GrantQuerySet(models.QuerySet[Any]):
    def with_names(self) -> Self:
        return self.select_related("program", "token__user")


class Grant(models.Model):
    """That a person has let a program in. Ending it deletes its API token, and this with it."""

    token = models.OneToOneField(ApiToken, models.CASCADE, primary_key=True, related_name="grant")
    program = models.ForeignKey(Program, models.PROTECT, related_name="grants")  # else its token would stay
    scopes = ArrayField(
        models.CharField(max_length=5, choices=TokenScope), help_text="Its token may have fewer for a time."
    )
    resource = models.CharField(max_length=LONGEST_ADDRESS, help_text="Where alone its token counts.")
    ends = models.DateTimeField(help_text="However often it is renewed.")

    objects = GrantQuerySet.as_manager()

    class Meta:
        db_table = "programs_letin"
        ordering = ["-token__created", "-pk"]

    def __str__(self) -> str:
        return f"No. {self.pk}"  # by its number alone: whom somebody lets in is theirs


class Code(models.Model):
    """What a program gets by the person's browser, and changes for tokens at once, one time."""

    digest = models.CharField(max_length=64, unique=True, editable=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    program = models.ForeignKey(Program, models.CASCADE, related_name="codes")
    scopes = ArrayField(models.CharField(max_length=5, choices=TokenScope))
    datasource_ids = ArrayField(models.BigIntegerField(), null=True)
    redirect_uri = models.CharField(max_length=LONGEST_ADDRESS)
    challenge = models.CharField(
        max_length=43, help_text="SHA-256 of what the program keeps to itself (PKCE)."
    )
    resource = models.CharField(max_length=LONGEST_ADDRESS)
    password_mark = models.CharField(max_length=64)
    expires = models.DateTimeField()
    spent = models.DateTimeField(null=True, blank=True)
    gave = models.ForeignKey(Grant, models.SET_NULL, null=True, blank=True, related_name="+")

    def __str__(self) -> str:
        return f"for program {self.program_id}"


class RefreshToken(models.Model):
    """What a program renews its token with, one time; it then gets another (a refresh token)."""

    grant = models.ForeignKey(Grant, models.CASCADE, db_column="let_in_id", related_name="refresh_tokens")
    digest = models.CharField(max_length=64, unique=True, editable=False)
    expires = models.DateTimeField(db_index=True)
    spent = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "programs_renewal"

    def __str__(self) -> str:
        return f"of {self.grant_id}"


class ProgramRule(models.Model):
    """One row at most; without one, people may let programs in."""

    allowed = models.BooleanField(default=True)

    def __str__(self) -> str:
        return "people may let programs in" if self.allowed else "no program is let in"

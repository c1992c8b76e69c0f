"""The directories that administrators have connected, and what each knows people and groups by."""

from django.conf import settings
from django.db import models

from accounts import addresses
from accounts.models import PeopleGroup


class Directory(models.Model):
    """A firm's directory, which carries a token. Its text is shown once; only a hash is kept.

    Disconnecting it deletes the row: people and groups stay as they are then.
    """

    name = models.CharField(max_length=40, unique=True)
    domains = models.TextField(blank=True, help_text="Of the addresses that it may speak for; empty: all.")
    digest = models.CharField(max_length=64, unique=True, editable=False, help_text="SHA-256 of its token.")
    beginning = models.CharField(max_length=12, help_text="Of its token, to know it by.")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    last_used = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "directories"
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name

    @property
    def audit_name(self) -> str:
        """As the audit log calls who has done something."""
        return self.name

    def takes(self, address: str) -> bool:
        """Whether it may speak for people with such an address."""
        return addresses.is_of_domains(address, self.domains)


class DirectoryPerson(models.Model):
    """What a directory knows an account by, and what it has done with it."""

    person = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="in_directory"
    )
    directory = models.ForeignKey(Directory, models.SET_NULL, null=True, related_name="people")
    external_id = models.CharField(max_length=255, blank=True)
    user_name = models.CharField(
        max_length=254, blank=True, help_text="As the directory calls them; empty: by the address."
    )
    given_name = models.CharField(max_length=150, blank=True)
    family_name = models.CharField(max_length=150, blank=True)
    removed = models.BooleanField(default=False, help_text="Deleted there. Here the account is shut.")
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = "person of a directory"
        verbose_name_plural = "people of directories"
        indexes = [models.Index(fields=["external_id"], name="person_external_id")]

    def __str__(self) -> str:
        return f"{self.person} in {self.directory or 'no directory'}"


class DirectoryGroup(models.Model):
    """A group of people that a directory keeps: it says who is in it."""

    group = models.OneToOneField(PeopleGroup, models.CASCADE, primary_key=True, related_name="in_directory")
    directory = models.ForeignKey(Directory, models.SET_NULL, null=True, related_name="groups")
    external_id = models.CharField(max_length=255, blank=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = "group of a directory"
        verbose_name_plural = "groups of directories"

    def __str__(self) -> str:
        return f"{self.group} of {self.directory or 'no directory'}"

"""Installations requested in the browser: in progress or failed."""

from django.db import models
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from jobs.models import FencedRow
from providers.local_models.roles import LocalRole


class InstallationStatus(TextChoices):
    """How far an installation is."""

    QUEUED = "queued", _("Waiting")
    RUNNING = "running", _("Being installed")
    FAILED = "failed", _("Not installed")


class Installation(FencedRow):
    """A model in progress. The row is deleted when the model is installed: files tell what is installed.

    `origin`, `graph`: as in `install.Wish`. `revision`: the commit that was looked up, so that what comes is
    what was shown.
    """

    unfinished = (InstallationStatus.QUEUED, InstallationStatus.RUNNING)

    role = models.CharField(max_length=20, choices=[(role.value, role.name.title()) for role in LocalRole])
    name = models.CharField(max_length=200)
    origin = models.CharField(max_length=500)
    revision = models.CharField(max_length=100, blank=True)
    graph = models.CharField(max_length=300, blank=True)
    use = models.BooleanField(default=False, help_text="It is used once it is installed.")
    step = models.CharField(max_length=40, blank=True)
    done = models.BigIntegerField(default=0, help_text="Bytes that are here.")
    total = models.BigIntegerField(default=0, help_text="Bytes, as far as the source tells.")
    begun = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["begun"]
        constraints = [models.UniqueConstraint(fields=["role", "name"], name="one_installation_of_a_model")]

    def __str__(self) -> str:
        return f"{self.name} for {self.role}"

    @property
    def percent(self) -> int:
        return min(100, 100 * self.done // self.total) if self.total else 0

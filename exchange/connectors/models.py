"""Which folders a datasource follows, and what became of each file in them."""

from typing import TYPE_CHECKING, Any, Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import PeopleGroup
from datasources.models import GONE, Datasource, Document, DocumentStatus
from exchange.connectors.kinds.kind import Kind
from exchange.connectors.sources.readers import LONGEST_KEY
from jobs.models import FencedRow
from localization.stored import words_of

if TYPE_CHECKING:
    from accounts.models import User


class Status(models.TextChoices):
    QUEUED = "queued", _("Waiting for its turn")
    RUNNING = "running", _("Comparing")
    IDLE = "idle", _("Up to date")
    FAILED = "failed", _("Failed")
    OFF = "off", _("Switched off")


class Every(models.IntegerChoices):
    """Minutes from one look to the next."""

    QUARTER = 15, _("15 minutes")
    HOUR = 60, pgettext_lazy("look every", "hour")
    DAY = 1440, pgettext_lazy("look every", "day")


class ConnectorQuerySet(models.QuerySet["Connector"]):
    def due(self) -> Self:
        at_rest = self.filter(status__in=(Status.IDLE, Status.FAILED), datasource__archived=None)
        return at_rest.filter(next_look__lte=timezone.now())

    def lost(self) -> Self:
        """Waiting for a job that is gone: by a hand in the queue, or a worker that died too often."""
        jobs = ProcrastinateJob.objects.filter(id=models.OuterRef("job_id"), status__in=("todo", "doing"))
        return self.filter(status__in=Connector.unfinished).exclude(models.Exists(jobs))


class Connector(FencedRow):
    """A folder that is followed. It belongs to the datasource, but goes on only while whoever made it may add
    documents there.
    """

    unfinished = (Status.QUEUED, Status.RUNNING)

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="connectors")
    kind = models.CharField(max_length=8, choices=Kind)
    place = models.CharField(max_length=2000, help_text="A path, or an address.")
    user_name = models.CharField(max_length=200, blank=True, help_text="Of a bucket: the access key's ID.")
    encrypted_secret = models.TextField(blank=True, editable=False)
    region = models.CharField(max_length=40, blank=True, help_text="Of a bucket.")
    tenant = models.CharField(
        max_length=100, blank=True, default="", db_default="", help_text="A firm's directory at Microsoft."
    )
    application = models.CharField(
        max_length=100, blank=True, default="", db_default="", help_text="Its number at Microsoft."
    )
    key_of = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        related_name="+",
        db_index=False,  # added to a table in use, and asked by nobody
        help_text="Who has typed the password or key, and so can read there what it reads.",
    )
    every = models.PositiveIntegerField(choices=Every, default=Every.HOUR, help_text="Minutes.")
    deletes = models.BooleanField(default=True, help_text="What is deleted there is deleted here, too.")
    gone = models.PositiveIntegerField(
        default=0, help_text="Documents that the last look did not delete without being asked."
    )
    may_go = models.PositiveIntegerField(
        default=0, help_text="So many documents may go at the next look: a person was shown the number."
    )
    failures = models.PositiveIntegerField(default=0, help_text="Looks that failed, one after the other.")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    status = models.CharField(max_length=12, choices=Status, default=Status.IDLE)
    found = models.PositiveIntegerField(default=0, help_text="Files there, at the last look.")
    done = models.PositiveIntegerField(default=0, help_text="Of these, compared by the look under way.")
    looked = models.DateTimeField(null=True, blank=True, help_text="When a look came to its end.")
    next_look = models.DateTimeField(default=timezone.now)
    created = models.DateTimeField(auto_now_add=True)

    objects = ConnectorQuerySet.as_manager()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["datasource", "place"], name="one_connector_to_a_place")
        ]

    def __str__(self) -> str:
        return f"Connector {self.pk} of {self.datasource}"

    @property
    def is_on(self) -> bool:
        return self.status != Status.OFF


class FollowedFileQuerySet(models.QuerySet["FollowedFile"]):
    def kept(self) -> Self:
        """With a document that is still here."""
        return self.filter(document__isnull=False).exclude(document__status__in=GONE)

    def with_document(self) -> Self:
        """Also one that people have replaced by another version: its pages are open yet."""
        return self.filter(document__isnull=False).exclude(document__status=DocumentStatus.DELETED)

    def refused(self) -> Self:
        return self.exclude(refusal="")

    def named_to(self, person: "User") -> Self:
        """The name of a file that is withheld is told to nobody but whoever gave the key."""
        return self.exclude(~models.Q(connector__key_of=person), is_withheld=True)


class FollowedFile(models.Model):
    """A file as it was there at the last look. Its document is none once people have deleted it here: then it
    stays away.
    """

    connector = models.ForeignKey(Connector, models.CASCADE, related_name="files")
    path = models.CharField(max_length=1000, help_text="Below the connector's place.")
    version = models.CharField(max_length=200, help_text="What changes when the file does.")
    item = models.CharField(
        max_length=200, blank=True, default="", db_default="", help_text="Its number there, where it has one."
    )
    document = models.ForeignKey(Document, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    refusal = models.CharField(max_length=500, blank=True, help_text="Why there is no document.")
    refusal_words = models.JSONField(
        null=True, editable=False, help_text="What it is made of, as localization.stored has it."
    )
    is_unreadable = models.BooleanField(
        default=False, help_text="Its content is the reason: it is not fetched again until it changes."
    )
    is_gone = models.BooleanField(
        default=False, db_default=False, help_text="It is listed there, but the place says that it is gone."
    )
    readers = models.JSONField(
        null=True, help_text="Keys of those who may read it there, at the last look; null: not told."
    )
    is_withheld = models.BooleanField(
        default=False, db_default=False, help_text="Some who can read the datasource can't read it there."
    )
    remembered = models.CharField(
        max_length=500,
        blank=True,
        default="",
        db_default="",
        help_text="Of its last fetch, for the next one.",
    )

    objects = FollowedFileQuerySet.as_manager()

    class Meta:
        ordering = ["path"]
        constraints = [models.UniqueConstraint(fields=["connector", "path"], name="one_row_for_a_file")]

    def __str__(self) -> str:
        return self.path


def refused_with(why: str) -> dict[str, Any]:
    """The values of a file that has no document, or of one that has: ""."""
    return {"refusal": why[:500], "refusal_words": words_of(why)}


def parted(document: int | None) -> str:
    """The end of the path of a file whose place another one has taken, until the look is over."""
    return f"//{document}"


class Brought(models.Model):
    """A document that came from a followed folder, with all its versions, so it goes with the last of its
    files: whichever folder has that by then, and also when a folder was disconnected and connected again.
    """

    document = models.OneToOneField(Document, models.CASCADE, primary_key=True, related_name="+")

    class Meta:
        verbose_name_plural = "brought"

    def __str__(self) -> str:
        return f"Document {self.document_id}"


class Counterpart(models.Model):
    """Whom a source names as readers, but by no address of a person: a group there, or whoever has a link. An
    owner may say which group of people here it is.
    """

    connector = models.ForeignKey(Connector, models.CASCADE, related_name="counterparts")
    key = models.CharField(max_length=LONGEST_KEY, help_text="The same at each look.")
    name = models.CharField(max_length=LONGEST_KEY, help_text="As the source has it.")
    files = models.PositiveIntegerField(default=0, help_text="That it may read, at the last look.")
    group = models.ForeignKey(PeopleGroup, models.SET_NULL, null=True, related_name="+")

    class Meta:
        ordering = ["name", "pk"]
        constraints = [models.UniqueConstraint(fields=["connector", "key"], name="one_counterpart_of_a_key")]

    def __str__(self) -> str:
        return self.name

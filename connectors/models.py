"""Which folders a datasource follows, and what became of each file in them."""

from typing import Self

from django.conf import settings
from django.db import models
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from datasources.models import GONE, Datasource, Document
from jobs.models import FencedRow


class Kind(models.TextChoices):
    """Where the folder lies."""

    FOLDER = "folder", "A folder of this server"
    WEBDAV = "webdav", "WebDAV, such as Nextcloud"
    S3 = "s3", "A bucket (S3)"
    MAIL = "imap", "A mail folder (IMAP)"
    SITE = "site", "A web site"
    GIT = "git", "A Git repository"


class Status(models.TextChoices):
    QUEUED = "queued", "Waiting for its turn"
    RUNNING = "running", "Comparing"
    IDLE = "idle", "Up to date"
    FAILED = "failed", "Failed"
    OFF = "off", "Switched off"


class Every(models.IntegerChoices):
    """Minutes from one look to the next."""

    QUARTER = 15, "15 minutes"
    HOUR = 60, "hour"
    DAY = 1440, "day"


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
    def is_of_server(self) -> bool:
        """Whether it lies on this server, so that administrators alone may follow it."""
        return self.kind == Kind.FOLDER or (self.kind == Kind.GIT and self.place.startswith("/"))

    @property
    def is_on(self) -> bool:
        return self.status != Status.OFF


class FollowedFileQuerySet(models.QuerySet["FollowedFile"]):
    def kept(self) -> Self:
        """With a document that is still here."""
        return self.filter(document__isnull=False).exclude(document__status__in=GONE)

    def refused(self) -> Self:
        return self.exclude(refusal="")


class FollowedFile(models.Model):
    """A file as it was there at the last look. Its document is none once people have deleted it here: then it
    stays away.
    """

    connector = models.ForeignKey(Connector, models.CASCADE, related_name="files")
    path = models.CharField(max_length=1000, help_text="Below the connector's place.")
    version = models.CharField(max_length=200, help_text="What changes when the file does.")
    document = models.ForeignKey(Document, models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(auto_now_add=True)
    refusal = models.CharField(max_length=500, blank=True, help_text="Why there is no document.")
    is_unreadable = models.BooleanField(
        default=False, help_text="Its content is the reason: it is not fetched again until it changes."
    )
    is_gone = models.BooleanField(
        default=False, db_default=False, help_text="It is listed there, but the place says that it is gone."
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

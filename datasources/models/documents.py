"""Documents: each version of each file, where it stands on the way through reading, and its web page."""

from collections.abc import Collection
from pathlib import PurePath
from typing import TYPE_CHECKING, Self
from uuid import uuid4

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.core.files.storage import storages
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from datasources.models.datasources import Datasource
from datasources.models.members import Role
from datasources.models.outside_ids import EXTERNAL_ID, ids_in
from datasources.models.tags import tags_in
from jobs.models import FencedRow

if TYPE_CHECKING:
    from accounts.models import User


class DocumentStatus(models.TextChoices):
    QUEUED = "queued", _("Queued")
    FETCHING = "fetching", _("Fetching the page")
    EXTRACTING = "extracting", _("Reading pages")
    RECOGNISING = "recognising", _("Recognising text")
    SPLITTING = "splitting", _("Cutting chunks")
    EMBEDDING = "embedding", _("Embedding")
    LINKING = "linking", _("Building the graph")
    READY = "ready", _("Ready")
    FAILED = "failed", _("Failed")
    CANCELLED = "cancelled", _("Cancelled")
    SUPERSEDED = "superseded", _("Replaced by a newer version")
    DELETED = "deleted", _("Deleted, can still be undone")


GONE = (DocumentStatus.SUPERSEDED, DocumentStatus.DELETED)
SETTLED = (DocumentStatus.READY, DocumentStatus.FAILED, DocumentStatus.CANCELLED, *GONE)
UNFINISHED = tuple(status for status in DocumentStatus if status not in SETTLED)
# A version in work whose document is still there as it was: one document, not two.
NEXT_VERSION = Q(status__in=UNFINISHED, replaces__isnull=False) & ~Q(replaces__status__in=GONE)
IN_PROGRESS = tuple(status for status in UNFINISHED if status != DocumentStatus.QUEUED)  # one a step
READ_ELSEWHERE = "Its text came with an imported file; this server has not read its own."


def blob_name(document: "Document", filename: str) -> str:
    """A name that says nothing about the owner and never collides."""
    return f"{document.datasource_id}/{uuid4().hex}"


def documents_storage():  # type: ignore[no-untyped-def]
    """Looked up late, so that settings alone choose local disk or S3."""
    return storages["documents"]


def content_of(datasource_id: int, sha256: str) -> str:
    """What is made from a file is kept under that name. Of one datasource: what a hash says of a file that
    came from elsewhere need not be true, and nobody may reach other people's pages by it.
    """
    return f"{datasource_id}-{sha256}"


def name_of_file(filename: str) -> str:
    """What a document is called at first."""
    return PurePath(filename).stem[:300]


class DocumentQuerySet(models.QuerySet["Document"]):
    def visible_to(self, user: "User", needed: Role = Role.VIEWER) -> Self:
        """Replaced versions too: old citations show them."""
        mine = self.filter(datasource__in=Datasource.objects.visible_to(user, needed))
        return mine.exclude(status=DocumentStatus.DELETED)

    def listed_for(self, user: "User", needed: Role = Role.VIEWER) -> Self:
        """Those of them that are in no archived datasource."""
        return self.visible_to(user, needed).filter(datasource__archived=None)

    def current(self) -> Self:
        """Without versions that a newer one has replaced, and without what is being deleted."""
        return self.exclude(status__in=GONE)

    def ready(self) -> Self:
        return self.filter(status=DocumentStatus.READY)

    def read_to_the_end(self) -> Self:
        """Ready, with the text of every page."""
        return self.ready().filter(pages_without_text=0, pages_unreadable=0)

    def unfinished(self) -> Self:
        return self.filter(status__in=UNFINISHED)

    def called(self, external_ids: Collection[str]) -> Self:
        """By what other programs call them."""
        return self.filter(**{f"metadata__{EXTERNAL_ID}__has_any_keys": list(external_ids)})

    def newest_versions(self, numbers: Collection[int]) -> set[int]:
        """The numbers of these documents, or of those that have replaced them, without deleted ones."""
        newest: set[int] = set()
        ids = set(numbers)
        while ids:
            documents = self.filter(pk__in=ids)
            newest |= set(documents.current().values_list("pk", flat=True))
            replaced = documents.filter(status=DocumentStatus.SUPERSEDED)
            successors = Document.objects.published().filter(replaces__in=replaced)
            ids = set(successors.values_list("pk", flat=True))
        return newest

    def published(self) -> Self:
        """Those that were read and took the place of the version before: one that was replaced itself may
        never have been read.
        """
        return self.filter(Q(ready_at__isnull=False) | Q(status=DocumentStatus.SUPERSEDED))

    def removed(self) -> Self:
        """Deleted a moment ago: hidden everywhere, and still to be brought back."""
        return self.filter(status=DocumentStatus.DELETED)


class Document(FencedRow):
    """One version of one file. A replacement is a new row; the old one keeps its pages for old citations."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="documents")
    title = models.CharField(max_length=300)
    description = models.CharField(max_length=500, blank=True, help_text="What people say of it.")
    filename = models.CharField(max_length=300)
    mime = models.CharField(max_length=100)
    size = models.PositiveBigIntegerField(help_text="Bytes.")
    sha256 = models.CharField(max_length=64)
    file = models.FileField(storage=documents_storage, upload_to=blob_name, max_length=200)
    passage = models.PositiveIntegerField(
        null=True, blank=True, help_text="Line in a shared file of ready passages, from 1."
    )
    metadata = models.JSONField(
        default=dict, blank=True, help_text="What searches may be filtered by: tags and the like."
    )
    file_properties = models.JSONField(
        default=dict,
        blank=True,
        editable=False,
        help_text="What the file says of itself, see formats.base.file_properties. Empty until it is read.",
    )
    read_elsewhere = models.BooleanField(default=False, help_text=READ_ELSEWHERE)
    version = models.PositiveIntegerField(default=1)
    replaces = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="replacements")
    part_of = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="parts",
        help_text="The mail that it is attached to: it is deleted with it.",
    )
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")

    unfinished = UNFINISHED
    status = models.CharField(max_length=12, choices=DocumentStatus, default=DocumentStatus.QUEUED)
    status_before = models.CharField(max_length=12, blank=True, editable=False, help_text="Its deletion.")
    stage_done = models.PositiveIntegerField(default=0, help_text="Pages, chunks or vectors finished.")
    stage_total = models.PositiveIntegerField(default=0)
    page_count = models.PositiveIntegerField(null=True, blank=True)
    pages_without_text = models.PositiveIntegerField(default=0, help_text="Pictures, which need OCR.")
    pages_unreadable = models.PositiveIntegerField(
        default=0, help_text="The reader, or OCR, stopped at them."
    )
    pages_recognised = models.PositiveIntegerField(default=0, help_text="Read by OCR.")
    pages_unsure = models.PositiveIntegerField(default=0, help_text="Of these, hard to read.")
    recognise = models.BooleanField(default=False, help_text="A person asked for OCR of its pictures.")
    chunk_count = models.PositiveIntegerField(default=0)

    created = models.DateTimeField(auto_now_add=True)
    ready_at = models.DateTimeField(null=True, blank=True)

    objects = DocumentQuerySet.as_manager()

    class Meta:
        ordering = ["-created", "-pk"]
        indexes = [GinIndex(fields=["metadata"], opclasses=["jsonb_path_ops"], name="document_metadata")]
        constraints = [
            # Two uploads of the same bytes at the same moment must not both get in.
            models.UniqueConstraint(
                fields=["datasource", "sha256"],
                condition=~Q(status__in=GONE),
                name="one_document_per_content",
            )
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def content(self) -> str:
        return content_of(self.datasource_id, self.sha256)

    @property
    def external_ids(self) -> list[str]:
        """What other programs call it, the first name first."""
        return ids_in(self.metadata)

    @property
    def tags(self) -> list[str]:
        return tags_in(self.metadata)

    @property
    def is_renamed(self) -> bool:
        """Whether its name is another than that of its file, which is then told beside it."""
        return self.title not in (self.filename, name_of_file(self.filename))

    @property
    def extension(self) -> str:
        """The file's ending in capitals, for its badge."""
        return self.filename.rpartition(".")[2].upper()[:5] if "." in self.filename else "FILE"


class WebPage(models.Model):
    """Where a document was fetched from: it is a snapshot of that page."""

    document = models.OneToOneField(Document, models.CASCADE, primary_key=True, related_name="web_page")
    address = models.TextField(help_text="As a person gave it.")
    final_address = models.TextField(blank=True, help_text="Where it was found in the end.")
    fetched = models.DateTimeField(null=True, blank=True, help_text="Empty until it has been fetched.")
    checked = models.DateTimeField(null=True, blank=True, help_text="When it was asked for again.")
    outcome = models.CharField(max_length=500, blank=True, help_text="How that has ended.")
    outcome_words = models.JSONField(
        null=True, editable=False, help_text="What it is made of, as localization.stored has it."
    )

    def __str__(self) -> str:
        return self.address

"""What the user gave us: datasources, who may see them, and the documents inside. Irreplaceable."""

from typing import TYPE_CHECKING, Self
from uuid import uuid4

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.core.files.storage import storages
from django.db import models, transaction
from django.db.models import Q

from accounts import addresses
from datasources.tags import tags_in
from jobs.models import FencedRow

if TYPE_CHECKING:
    from accounts.models import User


class Role(models.TextChoices):
    VIEWER = "viewer", "Can read and ask"
    EDITOR = "editor", "Can also add and remove documents"
    OWNER = "owner", "Can also share, rename and delete"


# What each role may do, lowest first: a higher role may do all that a lower one may.
RANK = {Role.VIEWER: 1, Role.EDITOR: 2, Role.OWNER: 3}


class DatasourceQuerySet(models.QuerySet["Datasource"]):
    def visible_to(self, user: "User") -> Self:
        """Those the user owns or is a member of; nobody sees the others, whatever their standing.

        Where an API token speaks for the user, of those the ones that it reaches.
        """
        if not user.is_authenticated:
            return self.none()
        mine = Membership.objects.filter(user=user).values("datasource_id")
        invited = Invitation.objects.for_person(user).values("datasource_id")
        visible = self.filter(Q(owner=user) | Q(pk__in=mine) | Q(pk__in=invited))
        return visible if user.reach is None else visible.filter(pk__in=user.reach)


class Chunking(models.TextChoices):
    """How a document's text is cut into chunks."""

    RECURSIVE = "recursive", "By size: paragraphs, else sentences, else lines"
    PARAGRAPH = "paragraph", "By paragraph and sentence, tables kept whole"


class Recognition(models.TextChoices):
    """Which pages are read by text recognition (OCR)."""

    OFF = "off", "Never"
    NEEDED = "needed", "Where a page is a picture or its text is damaged"
    ALWAYS = "always", "Every page, in place of the text in the file"


class ScanReader(models.TextChoices):
    """What reads the pages that are pictures."""

    SVQ = "svq", "SVQ's own reader"
    TESSERACT = "tesseract", "Tesseract, on this server"
    SERVER = "server", "The OCR server"

    @property
    def short(self) -> str:
        """For the beginning of a sentence."""
        return self.label.partition(",")[0]


class Datasource(models.Model):
    """A named, isolated collection of documents."""

    name = models.CharField(max_length=120)
    description = models.CharField(max_length=500, blank=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="owned_datasources")
    chunking = models.CharField(max_length=10, choices=Chunking, default=Chunking.RECURSIVE)
    chunk_size = models.PositiveIntegerField(default=1000, help_text="Characters in a chunk.")
    chunk_overlap = models.PositiveIntegerField(default=100, help_text="Characters two chunks share.")
    recognition = models.CharField(max_length=6, choices=Recognition, default=Recognition.NEEDED)
    scan_reader = models.CharField(max_length=9, choices=ScanReader, default=ScanReader.SVQ)
    scan_languages = models.JSONField(
        default=list, blank=True, help_text="That scans are in, as Tesseract names them; none: any."
    )
    expansion = models.BooleanField(
        default=False, help_text="Questions are searched in other words too, which the language model writes."
    )
    embedding_model = models.CharField(max_length=200, blank=True, help_text="Set by the first embedding.")
    embedding_dimensions = models.PositiveIntegerField(null=True, blank=True)
    suggested_questions = models.JSONField(default=list, blank=True)
    paused = models.BooleanField(default=False, help_text="Reading of queued documents waits.")
    documents_at_most = models.PositiveBigIntegerField(
        default=0, help_text="Never fewer than it has, once they are many; see datasources.room."
    )
    size_at_most = models.PositiveBigIntegerField(default=0, help_text="The same in bytes.")
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True)

    objects = DatasourceQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="one_datasource_of_a_name_per_owner")
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def questions(self) -> list[str]:
        """Worth asking: those that were tried; before the first trial, those that were set by hand."""
        tried: Introduction | None = getattr(self, "introduction", None)
        return [one["question"] for one in tried.questions] if tried else self.suggested_questions

    @property
    def made_description(self) -> str:
        """What SVQ says about the documents, where nobody has described them."""
        made: Introduction | None = getattr(self, "introduction", None)
        return made.description if made and not self.description else ""

    def role_of(self, user: "User") -> Role | None:
        """The user's role here, or None for a stranger. Whoever was invited becomes a member by that."""
        if self.owner_id == user.pk:
            return Role.OWNER
        membership = self.memberships.filter(user_id=user.pk).first() or self._accept(user)
        return Role(membership.role) if membership else None

    @transaction.atomic
    def _accept(self, user: "User") -> "Membership | None":
        membership = None
        for invitation in self.invitations.for_person(user).select_for_update():
            membership, _ = self.memberships.get_or_create(user=user, defaults={"role": invitation.role})
            invitation.delete()
        return membership

    def allows(self, user: "User", needed: Role) -> bool:
        role = self.role_of(user)
        return role is not None and RANK[role] >= RANK[needed]


class Introduction(models.Model):
    """How SVQ introduces a datasource to who opens it: made from its documents, see chat.suggestions.

    It tells only of `documents`: when one of them goes, so does what was made from it.
    """

    datasource = models.OneToOneField(
        Datasource, models.CASCADE, primary_key=True, related_name="introduction"
    )
    description = models.CharField(max_length=300, blank=True)
    questions = models.JSONField(
        default=list, help_text="[{question, documents}]: those that its quotes are from."
    )
    documents = models.JSONField(default=list, help_text="Numbers of those that are described.")
    made = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"Introduction to {self.datasource}"


class Membership(models.Model):
    """A person with whom a datasource is shared. The owner needs none."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=8, choices=Role, default=Role.VIEWER)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["datasource", "user"], name="one_membership_each")]

    def __str__(self) -> str:
        return f"{self.user} in {self.datasource} as {self.role}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def for_person(self, user: "User") -> Self:
        """To an address that the user has confirmed."""
        return self.filter(email__in=addresses.confirmed_addresses(user))


class Invitation(models.Model):
    """A share with an address. It counts where the address is confirmed; the owner learns no more of it.

    Whether there is an account shows only when its person comes: then it becomes a membership.
    """

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="invitations")
    email = models.EmailField("e-mail address", help_text="In small letters.")
    role = models.CharField(max_length=8, choices=Role, default=Role.VIEWER)
    created = models.DateTimeField(auto_now_add=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["datasource", "email"], name="one_invitation_each"),
        ]

    def __str__(self) -> str:
        return f"{self.email} to {self.datasource} as {self.role}"


class DocumentStatus(models.TextChoices):
    QUEUED = "queued", "Queued"
    FETCHING = "fetching", "Fetching the page"
    EXTRACTING = "extracting", "Reading pages"
    RECOGNISING = "recognising", "Recognising text"
    SPLITTING = "splitting", "Cutting chunks"
    EMBEDDING = "embedding", "Embedding"
    LINKING = "linking", "Building the graph"
    READY = "ready", "Ready"
    FAILED = "failed", "Failed"
    CANCELLED = "cancelled", "Cancelled"
    SUPERSEDED = "superseded", "Replaced by a newer version"
    DELETED = "deleted", "Deleted, can still be undone"


GONE = (DocumentStatus.SUPERSEDED, DocumentStatus.DELETED)
SETTLED = (DocumentStatus.READY, DocumentStatus.FAILED, DocumentStatus.CANCELLED, *GONE)
UNFINISHED = tuple(status for status in DocumentStatus if status not in SETTLED)
# A version in work whose document is still there as it was: one document, not two.
NEXT_VERSION = Q(status__in=UNFINISHED, replaces__isnull=False) & ~Q(replaces__status__in=GONE)
IN_PROGRESS = tuple(status for status in UNFINISHED if status != DocumentStatus.QUEUED)  # one a step


def blob_name(document: "Document", filename: str) -> str:
    """A name that says nothing about the owner and never collides."""
    return f"{document.datasource_id}/{uuid4().hex}"


def documents_storage():  # type: ignore[no-untyped-def]
    """Looked up late, so that settings alone choose local disk or S3."""
    return storages["documents"]


class DocumentQuerySet(models.QuerySet["Document"]):
    def visible_to(self, user: "User") -> Self:
        """Replaced versions too: old citations show them."""
        mine = self.filter(datasource__in=Datasource.objects.visible_to(user))
        return mine.exclude(status=DocumentStatus.DELETED)

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

    def removed(self) -> Self:
        """Deleted a moment ago: hidden everywhere, and still to be brought back."""
        return self.filter(status=DocumentStatus.DELETED)


class DeletionQuerySet(models.QuerySet["Deletion"]):
    def visible_to(self, user: "User") -> Self:
        """Of what they owned, or have deleted themselves."""
        if not user.is_authenticated:
            return self.none()
        visible = self.filter(Q(owner=user) | Q(deleted_by=user))
        return visible if user.reach is None else visible.filter(datasource__in=user.reach)

    def undoable(self) -> Self:
        return self.filter(purged=None, completed=None)

    def unfinished(self) -> Self:
        """Whose rows are gone, while files may be left."""
        return self.filter(purged__isnull=False, completed=None)


class Deletion(models.Model):
    """The receipt of one deleted document or datasource: what there was, and that nothing of it is left.

    It outlives what it tells of, so it has numbers and names instead of foreign keys. Until it is completed
    it also has what the rest is found by: the versions, the stored files, the contents.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    batch = models.UUIDField(db_index=True, help_text="The same for what was deleted in one go.")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="deletions")
    deleted_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    datasource = models.BigIntegerField(help_text="Its number.")
    datasource_name = models.CharField(max_length=120)
    document = models.BigIntegerField(null=True, help_text="Its number; null for a whole datasource.")
    document_name = models.CharField(max_length=300, blank=True)
    removed = models.JSONField(default=dict, help_text="How much there was, by kind.")
    left = models.JSONField(null=True, help_text="How much the last check found, by kind.")
    requested = models.DateTimeField(auto_now_add=True)
    purged = models.DateTimeField(null=True, help_text="When its rows were deleted.")
    completed = models.DateTimeField(null=True, help_text="When a check found nothing left.")
    versions = models.JSONField(default=list, help_text="Numbers of the document and its earlier versions.")
    files = models.JSONField(default=list, help_text="Names in the storage.")
    contents = models.JSONField(default=list, help_text="SHA-256 of the files.")

    objects = DeletionQuerySet.as_manager()

    class Meta:
        ordering = ["-requested", "pk"]
        indexes = [
            models.Index(fields=["datasource", "document"], name="deletion_subject"),
            models.Index(fields=["datasource"], condition=Q(completed=None), name="deletion_open"),
        ]

    def __str__(self) -> str:
        return f"{self.name} deleted"

    @property
    def name(self) -> str:
        """Of what was deleted."""
        return self.document_name if self.document else self.datasource_name

    @property
    def left_in_all(self) -> int | None:
        """What the last check found; None before the first."""
        return None if self.left is None else sum(self.left.values())


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
    version = models.PositiveIntegerField(default=1)
    replaces = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="replacements")
    part_of = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="parts",
        help_text="The mail that it is attached to: it is deleted with it.",
    )  # fmt: skip
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
    def tags(self) -> list[str]:
        return tags_in(self.metadata)

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

    def __str__(self) -> str:
        return self.address

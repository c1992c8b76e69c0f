"""Papers, searches and imports of them, their references, and the queue for arXiv."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from datasources.models import GONE, NEXT_VERSION, Datasource, Document
from datasources.numbers import limited
from desks.research.arxiv_api.feed import ArxivPaper
from desks.research.arxiv_api.identifiers import ArxivId
from desks.research.arxiv_api.query import PaperQuery
from jobs.models import FencedRow
from localization.stored import LONGEST, told, words_of

if TYPE_CHECKING:
    from accounts.models import User


class ArxivQueue(models.Model):
    """The one place in front of arXiv, for all processes: a single row."""

    free_at = models.DateTimeField(help_text="When the next request may begin.")
    holder = models.UUIDField(null=True, help_text="Of the request under way.")

    def __str__(self) -> str:
        return f"free at {self.free_at}"


class PaperQuerySet(models.QuerySet["Paper"]):
    def current(self) -> Self:
        """One for each paper of a datasource: without replaced and deleted documents, and without versions
        whose document is still there as it was.
        """
        documents = Document.objects.exclude(status__in=GONE).exclude(NEXT_VERSION)
        return self.filter(document__in=documents)

    def of(self, datasource: Datasource) -> Self:
        return self.current().filter(document__datasource=datasource)

    def narrowed(self, values: Mapping[str, str]) -> Self:
        """By what an address asks for: q (in title or abstract), author, year, category."""
        asked = {name: values.get(name, "").strip()[:200] for name in ("q", "author", "year", "category")}
        if "\0" in "".join(asked.values()):
            return self.none()
        rows = self.filter(authors__icontains=asked["author"]) if asked["author"] else self.all()
        if words := asked["q"]:
            told = Q(title__icontains=words) | Q(abstract__icontains=words) | Q(number__startswith=words)
            rows = rows.filter(told)
        if asked["year"]:
            rows = rows.filter(published__year=limited(asked["year"], 1, 9999, 1))
        return rows.filter(categories__contains=[asked["category"]]) if asked["category"] else rows


class Paper(models.Model):
    """What arXiv says about a document. It belongs to the document: goes with it, and comes back with it."""

    document = models.OneToOneField(Document, models.CASCADE, primary_key=True, related_name="paper")
    number = models.CharField(max_length=30, db_index=True, help_text="Its number at arXiv, no version.")
    version = models.PositiveSmallIntegerField()
    newest = models.PositiveSmallIntegerField(help_text="The newest version that arXiv has told of.")
    has_full_text = models.BooleanField(default=True, help_text="False: the document is its abstract.")
    withdrawn = models.BooleanField(default=False)
    title = models.CharField(max_length=1000)
    authors = models.JSONField(default=list)
    abstract = models.TextField(blank=True)
    published = models.DateTimeField()
    updated = models.DateTimeField()
    categories = models.JSONField(default=list)
    doi = models.CharField(max_length=200, blank=True)
    journal = models.CharField(max_length=500, blank=True)
    comment = models.CharField(max_length=1000, blank=True)

    objects = PaperQuerySet.as_manager()

    class Meta:
        ordering = ["-published", "document"]

    def __str__(self) -> str:
        return self.title

    @property
    def as_arxiv_paper(self) -> ArxivPaper:
        """As arXiv has it."""
        return ArxivPaper(
            number=self.number,
            version=self.version,
            title=self.title,
            authors=tuple(self.authors),
            abstract=self.abstract,
            published=self.published.isoformat(),
            updated=self.updated.isoformat(),
            categories=tuple(self.categories),
            doi=self.doi,
            journal=self.journal,
            comment=self.comment,
        )

    @property
    def has_update(self) -> bool:
        return self.newest > self.version


class Reference(models.Model):
    """An entry of a document's list of references: what it points to, and where it stands."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="references")
    index = models.PositiveIntegerField(help_text="From 0, in order of the document.")
    page = models.PositiveIntegerField()
    text = models.CharField(max_length=600)
    key = models.CharField(max_length=600, help_text="The text, folded, to look for titles in.")
    number = models.CharField(max_length=30, blank=True, db_index=True, help_text="At arXiv.")
    doi = models.CharField(max_length=200, blank=True, db_index=True, help_text="In small letters.")

    class Meta:
        ordering = ["document", "index"]

    def __str__(self) -> str:
        return self.text[:80]


class SearchStatus(models.TextChoices):
    QUEUED = "queued", _("Waiting")
    RUNNING = "running", _("Asking arXiv")
    DONE = "done", pgettext_lazy("a search", "Done")
    FAILED = "failed", pgettext_lazy("a search", "Failed")


class PaperSearchQuerySet(models.QuerySet["PaperSearch"]):
    def visible_to(self, user: "User") -> Self:
        """Only the person who searches sees it, and no API token that is for some datasources alone."""
        if not user.is_authenticated or user.reach is not None:
            return self.none()
        return self.filter(asked_by=user)


class PaperSearch(FencedRow):
    """One page of results, asked for by a person and kept for an hour: going back asks nobody."""

    unfinished = (SearchStatus.QUEUED, SearchStatus.RUNNING)

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    query = models.JSONField(help_text="See desks.research.arxiv_api.query.PaperQuery.")
    status = models.CharField(max_length=12, choices=SearchStatus, default=SearchStatus.QUEUED)
    tries = models.PositiveSmallIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    unreadable = models.PositiveIntegerField(default=0, help_text="Entries that made no sense.")
    results = models.JSONField(default=list, help_text="See desks.research.arxiv_api.feed.ArxivPaper.")
    created = models.DateTimeField(auto_now_add=True)

    objects = PaperSearchQuerySet.as_manager()

    class Meta:
        ordering = ["-created"]
        verbose_name_plural = "paper searches"

    def __str__(self) -> str:
        return self.asked.address()[:80]

    @property
    def asked(self) -> PaperQuery:
        return PaperQuery(**self.query)

    @property
    def papers(self) -> list[ArxivPaper]:
        return [ArxivPaper.of(each) for each in self.results]

    @property
    def is_counted(self) -> bool:
        """Whether `total` is what came, up to the last one, and no estimate of arXiv's."""
        return self.asked.start + len(self.results) + self.unreadable >= self.total


class ImportStatus(models.TextChoices):
    QUEUED = "queued", _("Waiting")
    RUNNING = "running", _("Importing")
    PAUSED = "paused", _("Paused")
    DONE = "done", pgettext_lazy("an import", "Done")
    STOPPED = "stopped", _("Cancelled")
    FAILED = "failed", pgettext_lazy("an import", "Failed")


class PaperImportQuerySet(models.QuerySet["PaperImport"]):
    def visible_to(self, user: "User") -> Self:
        return self.filter(datasource__in=Datasource.objects.visible_to(user))


class PaperImport(FencedRow):
    """Papers that are fetched into a datasource, one after the other."""

    unfinished = (ImportStatus.QUEUED, ImportStatus.RUNNING)

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="paper_imports")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    status = models.CharField(max_length=12, choices=ImportStatus, default=ImportStatus.QUEUED)
    created = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)

    objects = PaperImportQuerySet.as_manager()

    class Meta:
        ordering = ["-created", "-pk"]

    def __str__(self) -> str:
        return f"Import {self.pk}"


class ItemStatus(models.TextChoices):
    WAITING = "waiting", _("Waiting")
    DOWNLOADING = "downloading", _("Downloading")
    DONE = "done", _("Downloaded")
    HERE = "here", _("Already here")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    LISTED = "listed", _("Not at arXiv")
    FAILED = "failed", pgettext_lazy("a paper", "Failed")


UNFINISHED_ITEMS = (ItemStatus.WAITING, ItemStatus.DOWNLOADING)


class ImportedPaper(models.Model):
    """One paper of an import. It goes with its document."""

    paper_import = models.ForeignKey(PaperImport, models.CASCADE, related_name="imported_papers")
    position = models.PositiveIntegerField()
    number = models.CharField(max_length=30, blank=True, help_text="At arXiv; empty: not there.")
    version = models.PositiveSmallIntegerField(default=0, help_text="0: the newest.")
    title = models.CharField(max_length=1000, blank=True)
    status = models.CharField(max_length=12, choices=ItemStatus, default=ItemStatus.WAITING)
    told = models.JSONField(default=dict, blank=True, help_text="What arXiv said, until it is imported.")
    message = models.CharField(max_length=500, blank=True)
    message_words = models.JSONField(
        null=True, editable=False, help_text="What it is made of, as localization.stored has it."
    )
    tries = models.PositiveSmallIntegerField(default=0)
    size_done = models.PositiveBigIntegerField(default=0, help_text="Bytes.")
    size_total = models.PositiveBigIntegerField(default=0, help_text="Bytes; 0: not told.")
    document = models.ForeignKey(Document, models.CASCADE, null=True, related_name="+")

    class Meta:
        ordering = ["paper_import", "position"]
        constraints = [
            models.UniqueConstraint(fields=["paper_import", "position"], name="one_item_per_position")
        ]

    def __str__(self) -> str:
        return self.title or str(self.id_at_arxiv)

    @property
    def id_at_arxiv(self) -> ArxivId:
        return ArxivId(number=self.number, version=self.version)

    @property
    def paper(self) -> ArxivPaper | None:
        return ArxivPaper.of(self.told) if self.told else None

    @property
    def percent(self) -> int:
        return min(100, self.size_done * 100 // self.size_total) if self.size_total else 0

    @property
    def try_instead(self) -> int:
        """The version before, where the one that was asked for could not be had."""
        version = self.version or (self.told.get("version", 0) if self.told else 0)
        return version - 1 if self.status in (ItemStatus.FAILED, ItemStatus.WITHDRAWN) and version > 1 else 0

    @property
    def why(self) -> str:
        """The message in the reader's language."""
        return told(self.message, self.message_words)

    def say(self, status: ItemStatus, message: str) -> None:
        """How it ended, and why."""
        self.write(status=status, message=message[:LONGEST], message_words=words_of(message))

    def write(self, **values: Any) -> None:
        """Write just these columns, here and in the database."""
        for name, value in values.items():
            setattr(self, name, value)
        ImportedPaper.objects.filter(pk=self.pk).update(**values)

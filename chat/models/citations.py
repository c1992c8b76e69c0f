"""Citations: quotes in an answer, and what is known of each."""

from typing import TYPE_CHECKING, Self

from django.db import models
from django.utils.translation import gettext_noop

from chat.models.turns import Turn
from citations.choices import ConfirmedBy, OnPage, Support
from citations.where import DOUBTFUL, shown, where
from datasources.models import Document, DocumentStatus
from english.contracts.clauses import clause_cited

if TYPE_CHECKING:
    from accounts.models import User

# Why a citation does not support its claim, once what the check has quoted is gone with the document.
DOCUMENT_DELETED = gettext_noop("The document was deleted, and with it what stood around these words.")


class CitationQuerySet(models.QuerySet["Citation"]):
    def given_to(self, user: "User") -> Self:
        """Those in the answers that the user was given."""
        return self.filter(turn__conversation__user=user)


class Citation(models.Model):
    """A quote after a claim. It outlives re-reading: text and place are kept, the chunk is a hint."""

    turn = models.ForeignKey(Turn, models.CASCADE, related_name="citations")
    n = models.PositiveIntegerField(help_text="From 1, in order of the answer.")
    claim = models.TextField(blank=True, help_text="The words of the answer that it stands for.")
    document = models.ForeignKey(Document, models.SET_NULL, null=True, related_name="citations")
    document_title = models.CharField(max_length=300, blank=True)
    cited_as = models.CharField(max_length=300, blank=True, help_text="Such as “Vaswani et al. 2017”.")
    chunk_id_hint = models.BigIntegerField(null=True)
    written = models.TextField(help_text="The quote as the model wrote it.")
    quote = models.TextField(blank=True, help_text="The source's own words; empty when not located.")
    start = models.PositiveIntegerField(null=True, help_text="Offset in the document's text.")
    end = models.PositiveIntegerField(null=True)
    pages = models.JSONField(default=list, help_text="Numbers of the pages it overlaps.")
    place_in_file = models.CharField(
        max_length=300, blank=True, help_text="Such as “Slide 7”, where the file has no pages of its own."
    )
    boxes = models.JSONField(default=dict, help_text="{page: [[x0, y0, x1, y1] in 0..1000]}")
    on_page = models.CharField(max_length=10, choices=OnPage, help_text="About the quote.")
    support = models.CharField(
        max_length=14, choices=Support, default=Support.NONE, help_text="About the claim."
    )
    confirmed_by = models.CharField(
        max_length=6,
        choices=ConfirmedBy,
        default=ConfirmedBy.NOBODY,
        blank=True,
        help_text="Who says that it supports the claim; empty where nobody does.",
    )
    reader = models.CharField(
        max_length=200, blank=True, help_text="Name of the second reader that has read claim and quote."
    )
    reason = models.TextField(blank=True, help_text="Why it does not support the claim.")
    checks = models.JSONField(default=list, blank=True, help_text="By code: [{name, passed, detail}]")
    judge = models.JSONField(
        default=dict, blank=True, help_text="A model's opinion: {supported, reason, model}"
    )
    masked = models.JSONField(default=list, blank=True, help_text="Kinds of data that are masked in it.")
    before = models.TextField(blank=True, help_text="The quote's sentence before the quote begins.")
    after = models.TextField(blank=True, help_text="The quote's sentence after the quote ends.")

    objects = CitationQuerySet.as_manager()

    class Meta:
        ordering = ["turn", "n"]
        constraints = [models.UniqueConstraint(fields=["turn", "n"], name="one_citation_per_number")]

    def __str__(self) -> str:
        return f"[{self.n}] {self.document_title}"

    @property
    def name(self) -> str:
        """What the document is cited as."""
        return self.cited_as or self.document_title

    @property
    def is_doubtful(self) -> bool:
        """Whether the page and its text disagree about the quote, or nobody knows."""
        return self.place_in_file in DOUBTFUL

    @property
    def where(self) -> str:
        """As the function of that name says it; empty without a source."""
        return where(self.pages, self.place_in_file, self.clause)

    @property
    def clause(self) -> str:
        """The number of the clause of a contract that is quoted, where the quote begins with it."""
        return clause_cited(self.name, self.quote)

    @property
    def place_shown(self) -> str:
        """The place in the file as pages say it."""
        return shown(self.place_in_file)

    @property
    def is_file_deleted(self) -> bool:
        """Whether the file that the quote was found in has been deleted since."""
        if self.on_page == OnPage.ABSENT:
            return False
        return self.document is None or self.document.status == DocumentStatus.DELETED

    @property
    def read_elsewhere(self) -> bool:
        """Whether what it was compared with is text that came with an imported file."""
        if self.on_page == OnPage.ABSENT or self.is_file_deleted:
            return False
        return self.document is not None and self.document.read_elsewhere

    def boxes_on(self, page: int) -> list[list[float]]:
        """Where the quote stands on one of its pages."""
        return self.boxes.get(str(page), [])

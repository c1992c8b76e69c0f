"""Pages as they were read: their text, what stands on top of them, and what is doubtful there."""

from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from datasources.models import Document
from formats.base.annotations import AnnotationKind
from formats.base.doubts import DoubtKind


class PageSource(models.TextChoices):
    TEXT = "text", "The file's own text"
    OCR = "ocr", "Read by OCR"
    BOTH = "both", "The file's own text, then that of its pictures, read by OCR"


class OcrOutcome(models.TextChoices):
    DONE = "done", "It has seen the page"
    FAILED = "failed", "It failed at the page"


class PageQuerySet(models.QuerySet["Page"]):
    def unreadable(self) -> Self:
        """Those at which the reader stopped: whether they have text is not known."""
        return self.filter(readable=False)

    def without_text(self) -> Self:
        """Pictures, a line beside them at most: text recognition (OCR) would help."""
        return self._pictures().untried()

    def ocr_failed(self) -> Self:
        """Pictures at which OCR failed: it would again."""
        return self._pictures().filter(ocr=OcrOutcome.FAILED)

    def untried(self) -> Self:
        """Those that OCR has not seen."""
        return self.filter(readable=True, ocr="")

    def recognised(self) -> Self:
        """Read by OCR, wholly or in part."""
        return self.exclude(source=PageSource.TEXT)

    def _pictures(self) -> Self:
        return self.filter(Q(text__regex=r"^\s*$") | Q(picture=True))


class Page(models.Model):
    """One page's text and where each of its characters stands.

    The document's text is its pages joined by `chunking.PAGE_JOINER`; `start` is this page's offset in it.
    """

    document = models.ForeignKey(Document, models.CASCADE, related_name="pages")
    number = models.PositiveIntegerField(help_text="From 1.")
    text = models.TextField(blank=True)
    readable = models.BooleanField(default=True, help_text="False: the reader stopped at this page.")
    picture = models.BooleanField(default=False, help_text="Mostly a picture, whose print was not read.")
    pictured = models.BooleanField(
        default=False, help_text="A picture that may have print is beside its text."
    )
    address = models.CharField(
        max_length=300, blank=True, help_text="What it is called in the file: “Slide 7”, headings over it."
    )
    suspect = models.BooleanField(default=False, help_text="Its text may be other than what it shows.")
    source = models.CharField(max_length=4, choices=PageSource, default=PageSource.TEXT)
    ocr = models.CharField(
        max_length=6, choices=OcrOutcome, blank=True, help_text="How OCR of it ended; empty: not tried."
    )
    certainty = models.BinaryField(
        default=b"", help_text="zlib of uint8 (len(text)): how sure OCR was of each character, in percent."
    )
    confidence = models.FloatField(null=True, help_text="The mean of that, 0 to 1.")
    quarter_turns = models.PositiveSmallIntegerField(
        default=0, help_text="Quarters clockwise that put the page upright; it is shown so."
    )
    start = models.PositiveIntegerField(default=0, help_text="Characters before this page in the document.")
    width = models.FloatField(default=0, help_text="Points.")
    height = models.FloatField(default=0, help_text="Points.")
    boxes = models.BinaryField(help_text="zlib of uint16 (len(text), 4), see formats.", default=b"")
    layout = models.JSONField(default=dict, help_text="What the file says of lines, see formats.base.layout.")

    objects = PageQuerySet.as_manager()

    class Meta:
        ordering = ["document", "number"]
        constraints = [models.UniqueConstraint(fields=["document", "number"], name="one_page_per_number")]

    def __str__(self) -> str:
        return f"{self.document} p. {self.number}"


class AnnotationQuerySet(models.QuerySet["Annotation"]):
    def comments(self) -> Self:
        return self.filter(kind=AnnotationKind.COMMENT)


class Annotation(models.Model):
    """A comment or a tracked change, see formats.base.annotations. A search of its own reads it alone."""

    page = models.ForeignKey(Page, models.CASCADE, related_name="annotations")
    position = models.PositiveIntegerField(help_text="From 1, in the order of the page.")
    kind = models.CharField(
        max_length=10, choices=[(kind.value, kind.value.replace("_", " ").title()) for kind in AnnotationKind]
    )
    text = models.TextField(help_text="What the comment says, or the words that were changed.")
    quote = models.CharField(
        max_length=500, blank=True, help_text="The words that a comment is on, or those before a change."
    )
    author = models.CharField(max_length=200, blank=True)
    made = models.CharField(max_length=40, blank=True, help_text="A day or a time, ISO 8601.")

    objects = AnnotationQuerySet.as_manager()

    class Meta:
        ordering = ["page", "position"]
        constraints = [
            models.UniqueConstraint(fields=["page", "position"], name="one_annotation_per_position")
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} on {self.page}"


class DoubtQuerySet(models.QuerySet["Doubt"]):
    def of_words(self, start: int, end: int) -> Self:
        """Those about any of the words from start to end of the document's text."""
        page = F("page__start")
        about_words = self.exclude(kind=DoubtKind.UNREAD)
        return about_words.filter(start__lt=end - page, end__gt=start - page)


class Doubt(models.Model):
    """A part of a page where the page and its text disagree, see formats.base.doubts."""

    page = models.ForeignKey(Page, models.CASCADE, related_name="doubts")
    position = models.PositiveIntegerField(help_text="From 1, in the order in which they were found.")
    kind = models.CharField(max_length=8, choices=[(kind.value, kind.value.title()) for kind in DoubtKind])
    start = models.PositiveIntegerField(help_text="In the page's text; the same as `end` for none of it.")
    end = models.PositiveIntegerField()
    box = ArrayField(
        models.FloatField(),
        null=True,
        help_text="x0, y0, x1, y1 in 1/1000 of the page, from the top left; null outside of it.",
    )
    script = models.CharField(max_length=40, blank=True, help_text="Of print that was not read: “Hebrew”.")

    objects = DoubtQuerySet.as_manager()

    class Meta:
        ordering = ["page", "position"]
        constraints = [models.UniqueConstraint(fields=["page", "position"], name="one_doubt_per_position")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} on {self.page}"

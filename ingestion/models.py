"""What we derived from documents: pages, chunks and their vectors. All of it can be dropped and rebuilt."""

from collections.abc import Iterator
from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import MD5, Cast
from pgvector.django import HalfVectorField, SparseVectorField

from datasources.models import Datasource, Document, DocumentStatus
from formats.base.annotations import AnnotationKind
from formats.base.doubts import DoubtKind
from ingestion.structure.values import RowKind, places
from jobs.models import FencedRow


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


class Section(models.Model):
    """A heading, and the part of the document below it: from `start` to `end` of its text."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="sections")
    number = models.PositiveIntegerField(help_text="From 1, in reading order.")
    level = models.PositiveSmallIntegerField(help_text="From 1, the outermost.")
    name = models.CharField(max_length=120)
    path = models.CharField(max_length=300, blank=True, help_text="The headings over it, and itself.")
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField(help_text="Where the next one begins that is not within it.")
    page = models.PositiveIntegerField(help_text="On which it begins, from 1.")

    class Meta:
        ordering = ["document", "number"]
        constraints = [models.UniqueConstraint(fields=["document", "number"], name="one_section_per_number")]

    def __str__(self) -> str:
        return self.name


class Table(models.Model):
    """The part of a table that stands on one page; start and end are offsets in the document's text."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="tables", db_index=False)
    page = models.PositiveIntegerField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    heads = models.JSONField(default=list, help_text="The name of each column; the first holds rows' names.")
    heads_at = ArrayField(
        models.IntegerField(),
        default=list,
        help_text="Start and end of each line of heads, one after the other.",
    )
    caption = models.CharField(max_length=200, blank=True)
    unit = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["document", "start"]
        indexes = [models.Index(fields=["document", "start"], name="table_place")]

    def __str__(self) -> str:
        return f"{self.document} p. {self.page}: {self.caption or 'table'}"


class TableRow(models.Model):
    """A row: what is cited as one, with the heads of its table's columns."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="table_rows")
    document = models.ForeignKey(Document, models.CASCADE, related_name="+", db_index=False)
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    kind = models.CharField(max_length=5, choices=[(kind.value, kind.value.title()) for kind in RowKind])
    group = models.CharField(max_length=200, blank=True, help_text="The name of the rows that it is among.")
    cells = ArrayField(
        models.IntegerField(),
        help_text="Of each cell: start, end, first and last column; one after the other.",
    )

    class Meta:
        ordering = ["document", "start"]
        indexes = [models.Index(fields=["document", "start"], name="table_row_place")]

    def __str__(self) -> str:
        return f"{self.kind} at {self.start:,}"

    def places(self) -> Iterator[tuple[int, int, int]]:
        """Of each cell where it starts and ends in the document's text, and its (first) column."""
        return places(self.cells)


class ChunkKind(models.TextChoices):
    HEADING = "heading", "Heading"
    PROSE = "prose", "Prose"
    CLAUSE = "clause", "Clause"
    LIST = "list", "List"
    TABLE = "table", "Table"
    BOILERPLATE = "boilerplate", "Boilerplate"


class ChunkQuerySet(models.QuerySet["Chunk"]):
    def searchable(self) -> Self:
        return self.filter(left_out=False, document__status=DocumentStatus.READY)

    def without_vector(self, space: "VectorSpace") -> Self:
        """Those that are not embedded in the space."""
        return self.exclude(Exists(ChunkEmbedding.objects.filter(chunk=OuterRef("pk"), space=space)))


class Chunk(models.Model):
    """A passage: `text` is exactly the document's text from `start` to `end`."""

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="chunks")
    document = models.ForeignKey(Document, models.CASCADE, related_name="chunks")
    index = models.PositiveIntegerField(help_text="From 0, in reading order.")
    text = models.TextField()
    start = models.PositiveIntegerField()
    end = models.PositiveIntegerField()
    first_page = models.PositiveIntegerField()
    last_page = models.PositiveIntegerField()
    token_count = models.PositiveIntegerField(default=0)
    kind = models.CharField(max_length=12, choices=ChunkKind, default=ChunkKind.PROSE)
    section = models.CharField(max_length=300, blank=True, help_text="The headings over it.")
    quality = models.FloatField(default=0, help_text="0 to 1, see ingestion.chunk_quality.")
    left_out = models.BooleanField(default=False, help_text="Not offered by any search.")

    objects = ChunkQuerySet.as_manager()

    class Meta:
        ordering = ["document", "index"]
        constraints = [models.UniqueConstraint(fields=["document", "index"], name="one_chunk_per_index")]
        indexes = [
            models.Index(fields=["datasource"], condition=Q(left_out=True), name="chunk_left_out"),
            GinIndex(SearchVector("text", config="simple"), name="chunk_words"),
            models.Index("datasource", Cast(MD5("text"), models.UUIDField()), name="chunk_text"),
        ]

    def __str__(self) -> str:
        return f"{self.document} chunk {self.index}"


class SpaceStatus(models.TextChoices):
    FILLING = "filling", "Being filled"
    CURRENT = "current", "Searched"
    KEPT = "kept", "Kept to go back"
    STOPPED = "stopped", "Stopped"
    FAILED = "failed", "Failed"


class VectorSpace(FencedRow):
    """The vectors of one datasource by one model: only these can be compared with each other.

    One of a datasource's spaces is searched. While another is filled, and after that has taken over, the old
    one stays, so that a question embedded by the old model is still answered and the change can be undone.
    """

    unfinished = (SpaceStatus.FILLING,)

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="vector_spaces")
    model = models.CharField(max_length=200)
    dimensions = models.PositiveIntegerField()
    status = models.CharField(max_length=12, choices=SpaceStatus)
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now_add=True, help_text="When it got its status.")
    declined = models.BooleanField(default=False, help_text="A person has gone back from this model.")
    indexed = models.BooleanField(default=False, help_text="Whether searches may use its index.")
    recall = models.FloatField(null=True, help_text="The share of the nearest 10 that the index finds.")
    recall_tested = models.DateTimeField(null=True)
    recall_queries = models.PositiveIntegerField(default=0)
    short_answers = models.PositiveIntegerField(default=0, help_text="Queries that got too few passages.")
    exact_ms = models.FloatField(null=True, help_text="Median of the exact scans.")
    index_ms = models.FloatField(null=True, help_text="Median with the index.")

    class Meta:
        ordering = ["datasource", "-changed"]
        constraints = [
            models.UniqueConstraint(fields=["datasource", "model", "dimensions"], name="one_space_per_model"),
            models.UniqueConstraint(
                fields=["datasource"], condition=Q(status="current"), name="one_current_space"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.model}, {self.dimensions} dimensions"


class ChunkEmbedding(models.Model):
    """A chunk's unit vector in one space, in a narrow table of its own so that exact scans stay quick.

    The column has no fixed dimension (each space has its own); every query must name the space.
    """

    pk = models.CompositePrimaryKey("chunk_id", "space_id")
    chunk = models.ForeignKey(Chunk, models.CASCADE, db_index=False, related_name="embeddings")
    space = models.ForeignKey(VectorSpace, models.CASCADE, related_name="+")
    vector = HalfVectorField()

    def __str__(self) -> str:
        return f"vector of {self.chunk_id}"


class SearchTerms(models.Model):
    """What something is found by: hashes of its terms, and how much each weighs there.

    Hashes are those of `search_terms.hashed`; the weights are in a vector of all hashes that there can be.
    """

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="+")
    terms = ArrayField(models.IntegerField())
    weights = SparseVectorField()

    class Meta:
        abstract = True


class ChunkTerms(SearchTerms):
    """The words of a chunk, each weighed as BM25 weighs it but for its rarity."""

    chunk = models.OneToOneField(Chunk, models.CASCADE, primary_key=True, related_name="search_terms")
    document = models.ForeignKey(Document, models.CASCADE, related_name="+")

    class Meta:
        verbose_name_plural = "chunk terms"
        indexes = [GinIndex(fields=["terms"], name="chunk_terms", fastupdate=False)]

    def __str__(self) -> str:
        return f"terms of {self.chunk_id}"


class DocumentTerms(SearchTerms):
    """What a document is called by: its title, and names and dates of its beginning that recur in it.

    Empty for a document of one chunk, which says all of that itself.
    """

    document = models.OneToOneField(Document, models.CASCADE, primary_key=True, related_name="search_terms")
    language = models.CharField(max_length=2, blank=True, help_text="ISO 639-1; empty when nothing tells.")

    class Meta:
        verbose_name_plural = "document terms"
        indexes = [GinIndex(fields=["terms"], name="document_terms", fastupdate=False)]

    def __str__(self) -> str:
        return f"terms of {self.document_id}"


class TermCount(models.Model):
    """In how many chunks or documents of a datasource a term is. Triggers keep it, see the migration."""

    pk = models.CompositePrimaryKey("datasource_id", "term")
    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="+", db_index=False)
    term = models.IntegerField()
    count = models.IntegerField()

    def __str__(self) -> str:
        return f"{self.term:x}: {self.count}"


class Word(models.Model):
    """A word as it is written in a datasource, to be found by its misspellings, beginning and end.

    It goes with the last chunk that has its term.
    """

    datasource = models.ForeignKey(Datasource, models.CASCADE, related_name="+", db_index=False)
    word = models.CharField(max_length=60)
    term = models.IntegerField(help_text="Of its stem.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["datasource", "word", "term"], name="one_word_per_term")
        ]
        indexes = [models.Index(fields=["datasource", "term"], name="word_of_term")]

    def __str__(self) -> str:
        return self.word


class Attachment(models.Model):
    """A file in a mail: the document made of it, or why there is none. Two mails may have the same one."""

    mail = models.ForeignKey(Document, models.CASCADE, related_name="attachments")
    position = models.PositiveIntegerField(help_text="From 1, in the order of the mail.")
    filename = models.CharField(max_length=300)
    size = models.PositiveBigIntegerField(help_text="Bytes.")
    document = models.ForeignKey(Document, models.SET_NULL, null=True, related_name="attached_to")
    refusal = models.CharField(max_length=500, blank=True, help_text="Why no document was made of it.")

    class Meta:
        ordering = ["mail", "position"]
        constraints = [
            models.UniqueConstraint(fields=["mail", "position"], name="one_attachment_per_position")
        ]

    def __str__(self) -> str:
        return self.filename

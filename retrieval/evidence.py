"""The output of every search: passages, and why each was found."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ingestion.models import Chunk
from retrieval.query import Leg
from text.running_lines import without_places


@dataclass(frozen=True, slots=True, kw_only=True)
class LegScore:
    """What one leg says of a passage: its score from 0 to 1, and its rank from 1 among all that it scored."""

    score: float
    rank: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """An entity that led to a passage, and what is said about it there."""

    entity: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableLine:
    """A line of a table as Markdown; `row` is the row as it stands in the text, empty for other lines."""

    markdown: str
    row: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A passage that a search found."""

    chunk_id: int
    document_id: int
    document_title: str
    first_page: int
    last_page: int
    start: int  # offsets in the document's text
    end: int
    text: str
    score: float  # 0 to 1, higher is nearer; comparable within one search, also of several datasources
    matched: tuple[int, int] | None = None  # span in `text`, from fuzzy search
    table_heads: str = ""  # of the table in whose midst the passage begins, "2023 | 2022"
    table: tuple[TableLine, ...] = ()  # its rows of tables, under the names of their columns
    section: str = ""  # the headings over it, the outermost first
    chunk_index: int = 0  # from 0, in the document's reading order
    kind: str = "prose"  # ingestion.models.ChunkKind
    legs: Mapping[Leg, LegScore] = field(default_factory=dict)
    facts: tuple[Fact, ...] = ()
    running: tuple[tuple[int, int], ...] = ()  # spans in `text`: heads and feet of pages

    @property
    def body(self) -> str:
        """The text with spaces in place of the heads and feet of pages."""
        return without_places(self.text, self.running)

    def runs_over_an_edge(self, start: int, end: int) -> bool:
        """Whether the head or foot of a page stands in text[start:end]."""
        return any(start < last and first < end for first, last in self.running)


def evidence_of(chunk: Chunk, score: float, matched: tuple[int, int] | None = None) -> Evidence:
    """The chunk as a search result; its document must be loaded."""
    return Evidence(
        chunk_id=chunk.pk,
        document_id=chunk.document_id,
        document_title=chunk.document.title,
        first_page=chunk.first_page,
        last_page=chunk.last_page,
        start=chunk.start,
        end=chunk.end,
        text=chunk.text,
        score=round(float(score), 4),
        matched=matched,
        chunk_index=chunk.index,
        kind=chunk.kind,
        section=chunk.section,
    )

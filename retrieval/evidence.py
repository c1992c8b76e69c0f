"""What every search gives: passages."""

from dataclasses import dataclass

from ingestion.models import Chunk


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
    score: float  # 0 to 1, higher is nearer; comparable within one tool only
    matched: tuple[int, int] | None = None  # span in `text`, from fuzzy search
    table_heads: str = ""  # of the table in whose midst the passage begins, "2023 | 2022"


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
    )

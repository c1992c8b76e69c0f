"""The values that searches take and give."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where a search may look. Made from checked permissions; every search takes one."""

    user_id: int
    datasource_id: int
    document_ids: frozenset[int] | None = None  # None means all documents of the datasource


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
    matched: tuple[int, int] | None = None  # span in `text`, from literal search

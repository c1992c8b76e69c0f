"""The input of a search: where it may look, what for, by which legs, and how many results."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Any, Self

from ingestion.models import Chunk, ChunkQuerySet

LIMIT = 8  # passages a search gives unless told
MAX_LIMIT = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where a search may look. Made from checked permissions; every search takes one."""

    user_id: int
    datasource_id: int
    document_ids: frozenset[int] | None = None  # None means all documents of the datasource
    embedded_by: str = ""  # the model of the questions' vectors; empty: that of the documents at the moment
    passages: int | None = field(default=None, compare=False)  # of these documents, where they were counted

    def chunks(self) -> ChunkQuerySet:
        """The chunks that a search may give."""
        chunks = Chunk.objects.filter(datasource_id=self.datasource_id).searchable()
        return chunks if self.document_ids is None else chunks.filter(document_id__in=self.document_ids)

    def parameters(self) -> dict[str, Any]:
        """The same for SQL: %(datasource)s, and %(documents)s that is null for all."""
        documents = None if self.document_ids is None else sorted(self.document_ids)
        return {"datasource": self.datasource_id, "documents": documents}

    def only(self, document_ids: frozenset[int]) -> Self:
        """The part of this scope that lies in these documents."""
        both = document_ids if self.document_ids is None else self.document_ids & document_ids
        return replace(self, document_ids=both, passages=None)


class Leg(StrEnum):
    """A way to find passages; each gives every passage a score and a rank of its own."""

    DENSE = "dense"  # nearness of meaning
    BM25 = "bm25"  # words, the rarer the better
    FUZZY = "fuzzy"  # the exact words, small misspellings allowed
    GRAPH = "graph"  # along what the passages name
    DOCUMENT = "document"  # title, names and dates of the document that a passage is in


class Fusion(StrEnum):
    """How the legs' scores become one."""

    WEIGHTED = "weighted"
    RECIPROCAL_RANK = "rrf"


class Rerank(StrEnum):
    """Who reranks the fused passages."""

    NONE = "none"
    BGE = "bge"  # a server that speaks /v1/rerank, or an installed model
    LLM = "llm"  # the language model, from 0 to 10


HYBRID = frozenset({Leg.DENSE, Leg.BM25, Leg.DOCUMENT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Conditions on a passage's document, applied by every leg. Without any, all documents pass.

    types: endings of file names, without the dot. since, until: days on which documents were added, both
    included. languages: ISO 639-1. tags: of which the document's metadata has one. metadata: values that it
    has. Of what a file says of itself: written_by: a part of its author's or sender's name or address;
    sent_to: the same of a recipient; written_since, written_until: days on which a mail was sent or a file
    was made, both included.
    """

    document_ids: frozenset[int] | None = None
    types: frozenset[str] = frozenset()
    since: date | None = None
    until: date | None = None
    languages: frozenset[str] = frozenset()
    tags: frozenset[str] = frozenset()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    written_by: str = ""
    sent_to: str = ""
    written_since: date | None = None
    written_until: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A question to the engine.

    alpha: the share of meaning when meaning and words are weighted, 0 to 1; None: told by the scores.
    min_similarity: the least cosine to the question; min_score: the least fused score; near: the least score
    as a share of the best one; all from 0 to 1. rewrites: other wordings of the question, searched as well.
    expand: whether the language model adds some. joined: whether neighbouring passages become one. others: so
    many of the last places go to the best passages of documents that have none among the first.
    """

    text: str
    k: int = LIMIT
    legs: frozenset[Leg] = HYBRID
    fusion: Fusion = Fusion.WEIGHTED
    alpha: float | None = None
    filters: Filters = Filters()
    rerank: Rerank = Rerank.NONE
    min_similarity: float = 0.0
    min_score: float = 0.0
    near: float = 0.0
    rewrites: tuple[str, ...] = ()
    expand: bool = False
    joined: bool = False
    others: int = 0

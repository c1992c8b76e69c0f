"""What any extractor gives for a chunk: entities and relations, with their words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ingestion.models import Chunk

# Types of what is the same wherever it is spelled the same: found by key, and no name of anything.
VALUES = frozenset({"DATE", "AMOUNT", "CODE", "REFERENCE"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedEntity:
    """A thing that the chunk names. `start` and `end` bound the words in the chunk's text.

    `stands_for` is the full name when these words are a short form of it (“Smith”, “SEC”).
    `defines` says that the chunk is about this thing: a title, a heading or a definition names it.
    """

    name: str
    types: tuple[str, ...]
    description: str
    start: int
    end: int
    said: tuple[int, int]  # span of the statement about it, mostly its sentence
    stands_for: str = ""
    defines: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedRelation:
    """What the chunk says about two things; source and target are names of its entities."""

    source: str
    target: str
    description: str
    keywords: tuple[str, ...] = ()
    strength: float = 1.0
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Extraction:
    """All that one chunk says."""

    entities: tuple[ExtractedEntity, ...] = ()
    relations: tuple[ExtractedRelation, ...] = ()


class ExtractedChunks(NamedTuple):
    """What an extractor, known by its name, found in each of these chunks."""

    extractor: str
    chunks: Sequence[Chunk]
    extractions: Sequence[Extraction]

"""What the searches give for some words: the chunk page tells why a passage is found, or why not."""

from dataclasses import dataclass

from ingestion.models import Chunk
from providers.protocols import ProviderError
from providers.roles import embedder
from retrieval.evidence import Evidence
from retrieval.legs import dense, fuzzy
from retrieval.query import Scope

SHOWN = 10  # of each search


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a chunk stands in what one search gives: `rank` from 1, `score` 0 to 1."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A chunk and its place by each search; None where that search does not give it."""

    chunk: Chunk
    meaning: Place | None
    words: Place | None

    @property
    def both(self) -> tuple[Place | None, Place | None]:
        return self.meaning, self.words


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """The nearest by meaning first, then what the words alone find. `problem`: why there is no meaning."""

    query: str
    found: list[Found]
    problem: str = ""


def find(scope: Scope, query: str) -> Tried:
    problem, near = "", list[Evidence]()
    try:
        near = dense.search(scope, embedder().embed([query])[0], SHOWN)
    except ProviderError as error:
        problem = error.message
    meaning, words = places(near), places(fuzzy.search(scope, query, SHOWN))
    chunks = Chunk.objects.select_related("document").in_bulk([*meaning, *words])
    return Tried(
        query=query,
        problem=problem,
        found=[
            Found(chunk=chunks[pk], meaning=meaning.get(pk), words=words.get(pk))
            for pk in {**meaning, **words}
            if pk in chunks
        ],
    )


def places(results: list[Evidence]) -> dict[int, Place]:
    """By chunk, in order."""
    return {one.chunk_id: Place(rank=rank, score=one.score) for rank, one in enumerate(results, start=1)}

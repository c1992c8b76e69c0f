"""What the searches give for some words: the chunk page shows why a passage is found, or why not."""

from dataclasses import dataclass, replace

from ingestion.models import Chunk
from providers.protocols import Embedder, ProviderError
from retrieval.evidence import Evidence
from retrieval.legs import dense, fuzzy
from retrieval.query import Scope

SHOWN = 10  # of each search


@dataclass(frozen=True, slots=True, kw_only=True)
class Rank:
    """Where a chunk stands in what one search gives: `rank` from 1, `score` 0 to 1."""

    rank: int
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A chunk and its rank in each search; None where that search does not give it."""

    chunk: Chunk
    dense: Rank | None
    fuzzy: Rank | None

    @property
    def both(self) -> tuple[Rank | None, Rank | None]:
        return self.dense, self.fuzzy


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTest:
    """The nearest by meaning first, then what the words alone find. `problem`: why none are by meaning."""

    query: str
    found: list[Result]
    problem: str = ""


def run(scope: Scope, query: str, embedder: Embedder) -> QueryTest:
    problem, nearest = "", list[Evidence]()
    scope = replace(scope, embedded_by=embedder.name)
    try:
        nearest = dense.search(scope, embedder.embed([query])[0], SHOWN)
    except ProviderError as error:
        problem = error.message
    by_meaning, by_words = ranks(nearest), ranks(fuzzy.search(scope, query, SHOWN))
    chunks = Chunk.objects.select_related("document").in_bulk([*by_meaning, *by_words])
    return QueryTest(
        query=query,
        problem=problem,
        found=[
            Result(chunk=chunks[pk], dense=by_meaning.get(pk), fuzzy=by_words.get(pk))
            for pk in {**by_meaning, **by_words}
            if pk in chunks
        ],
    )


def ranks(results: list[Evidence]) -> dict[int, Rank]:
    """By chunk, in order."""
    return {
        passage.chunk_id: Rank(rank=rank, score=passage.score)
        for rank, passage in enumerate(results, start=1)
    }

"""How vectors are searched: recall with filters, and milliseconds beside numpy, usearch and hnswlib.

    python -m benchmarks vectors

SVQ_BENCH_VECTORS=10000x384,100000x384,30000x3072 says how many of how many dimensions; 1000000x384 takes half
an hour, 2 GB of memory beside the database's and 10 GB of disk. The vectors are made: topics, a falling
spectrum, mean cosine about 0.3. Peers that are not installed are left out: usearch is in the group `bench`,
hnswlib has to be built from its source.
"""

import json
import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benchmarks import graph, throwaway

if TYPE_CHECKING:
    from accounts.models import User
    from datasources.models import Datasource

Vectors = NDArray[np.float32]
SIZES = os.environ.get("SVQ_BENCH_VECTORS") or "10000x384,100000x384,30000x3072"
K = 10
QUERIES = 100
CHUNKS_OF_DOCUMENT = 100
SHARES = (0.01, 0.1, 1.0)
STRANGERS = 10_000  # queries by random people
MOST_OF_PEERS = 200_000  # vectors


def run() -> dict[str, Any]:
    return throwaway.figures_of("benchmarks.vectors")


def made(count: int, dimensions: int, chance: np.random.Generator) -> tuple[Vectors, Vectors]:
    """Vectors, and questions: half of them near one of the vectors, half fresh."""
    spectrum = (np.arange(1, dimensions + 1) ** -0.6).astype(np.float32)
    common = chance.normal(size=dimensions).astype(np.float32) * spectrum
    topics = common + chance.normal(size=(400, dimensions)).astype(np.float32) * spectrum

    def some(number: int) -> Vectors:
        noise = chance.normal(size=(number, dimensions)).astype(np.float32) * spectrum
        return unit(topics[chance.integers(len(topics), size=number)] + 0.7 * noise)

    vectors = np.empty((count, dimensions), np.float32)
    for start in range(0, count, 10_000):
        vectors[start : start + 10_000] = some(min(10_000, count - start))
    near = vectors[chance.integers(count, size=QUERIES // 2)]
    return vectors, np.concatenate([unit(near + 0.3 * some(len(near))), some(QUERIES - len(near))])


def unit(vectors: Vectors) -> Vectors:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def filled(
    user: "User", name: str, vectors: Vectors, texts: Sequence[str] = (), model: str = "made"
) -> "Datasource":
    """A datasource of that many chunks, a hundred a document, with vectors by that model."""
    from datasources.models import Document, DocumentStatus
    from datasources.services import create_datasource
    from ingestion.indexes import statistics
    from ingestion.indexes.embedding import copy_chunks, copy_vectors
    from ingestion.models import Chunk, SpaceStatus, VectorSpace

    datasource = create_datasource(user, name)
    space = VectorSpace.objects.create(
        datasource=datasource, model=model, dimensions=vectors.shape[1], status=SpaceStatus.CURRENT
    )
    documents = Document.objects.bulk_create(
        Document(
            datasource=datasource,
            title=f"Made {n}",
            filename="made.txt",
            mime="text/plain",
            size=1,
            sha256=f"{n:064d}",
            status=DocumentStatus.READY,
            chunk_count=CHUNKS_OF_DOCUMENT,
        )
        for n in range(-(-len(vectors) // CHUNKS_OF_DOCUMENT))
    )
    texts = texts or [f"made {n}" for n in range(len(vectors))]
    copy_chunks(
        Chunk(
            datasource_id=datasource.pk,
            document=documents[n // CHUNKS_OF_DOCUMENT],
            text=text,
            index=n % CHUNKS_OF_DOCUMENT,
            start=0,
            end=len(text),
            first_page=1,
            last_page=1,
        )
        for n, text in enumerate(texts)
    )
    ids = list(Chunk.objects.filter(datasource=datasource).order_by("pk").values_list("pk", flat=True))
    copy_vectors(space, ids, vectors)
    statistics.refresh()
    return datasource


def times(search: Callable[[Vectors], Any], questions: Vectors) -> list[float]:
    """Milliseconds of each."""
    search(questions[0])
    taken = []
    for question in questions:
        begun = time.perf_counter()
        search(question)
        taken.append(1000 * (time.perf_counter() - begun))
    return taken


def spread(taken: Sequence[float]) -> str:
    return f"{np.percentile(taken, 50):.2f} / {np.percentile(taken, 95):.2f}"


def measured(user: "User", count: int, dimensions: int) -> dict[str, Any]:
    from ingestion.indexes import vector_index, vector_spaces
    from ingestion.models import Chunk
    from retrieval.nearest import exactly, nearest
    from retrieval.query import Scope

    chance = np.random.default_rng(7)
    vectors, questions = made(count, dimensions, chance)
    datasource = filled(user, f"{count} x {dimensions}", vectors)
    space = vector_spaces.current(datasource.pk)
    assert space
    begun = time.perf_counter()
    vector_index.maintain(space)
    building = time.perf_counter() - begun
    everything = Scope(user_id=user.pk, datasource_id=datasource.pk)
    ids = np.array(Chunk.objects.filter(datasource=datasource).order_by("pk").values_list("pk", flat=True))
    documents = np.array(datasource.documents.order_by("pk").values_list("pk", flat=True))
    size = f"{vector_index.size_of(space.pk) / 2**20:.0f} MB in {building:.0f} s"
    figures: dict[str, Any] = {"index": size if space.indexed else "none"}
    taken: dict[float, list[float]] = {}
    for share in SHARES:
        chosen = np.sort(chance.choice(len(documents), max(1, round(share * len(documents))), replace=False))
        scope = (
            everything
            if share == 1
            else Scope(
                user_id=user.pk,
                datasource_id=datasource.pk,
                document_ids=frozenset(documents[chosen].tolist()),
            )
        )
        rows_in = np.flatnonzero(np.isin(np.arange(count) // CHUNKS_OF_DOCUMENT, chosen))
        inside = vectors if share == 1 else vectors[rows_in]
        recall, short = [], 0
        for question in questions:
            found = nearest(scope, question, K)
            best = ids[rows_in[np.argpartition(-(inside @ question), min(K, len(rows_in) - 1))[:K]]]
            short += len(found) < min(K, len(rows_in))
            recall.append(len({pk for pk, *_ in found} & set(best.tolist())) / min(K, len(rows_in)))
        taken[share] = times(lambda q, s=scope: nearest(s, q, K), questions)  # type: ignore[misc]
        name = f"filter {share:.0%}"
        figures[name] = f"recall {np.mean(recall):.4f}, too few {short}, ms {spread(taken[share])}"
        graph.log(count, dimensions, name, figures[name])
    whole = float(np.median(taken[1.0]))
    exact = times(lambda q: exactly(space, everything, q, K), questions[:30])
    flat = times(lambda q: np.argpartition(-(vectors @ q), K)[:K], questions)
    figures["every vector compared, ms"] = spread(exact)
    figures["numpy, ms"] = spread(flat)
    figures["ratio to numpy"] = round(whole / float(np.median(flat)), 2)
    for name, build in (("usearch", usearch), ("hnswlib", hnswlib)):
        if count > MOST_OF_PEERS:
            figures[name] = "left out: it would take too long to build"
        elif peer := build(vectors):
            alone = times(peer, questions)
            figures[f"{name}, ms"] = spread(alone)
            figures[f"ratio to {name}"] = round(whole / float(np.median(alone)), 2)
        else:
            figures[name] = "not installed, left out"
    return figures


def usearch(vectors: Vectors) -> Callable[[Vectors], Any] | None:
    """An index in memory with the same parameters."""
    try:
        from usearch.index import Index
    except ImportError:
        return None
    index = Index(
        ndim=vectors.shape[1],
        metric="cos",
        dtype="f16",
        connectivity=16,
        expansion_add=100,
        expansion_search=100,
    )
    index.add(np.arange(len(vectors)), vectors)
    return lambda question: index.search(question, K)


def hnswlib(vectors: Vectors) -> Callable[[Vectors], Any] | None:
    """The same; its numbers are whole floats, not halves."""
    try:
        from hnswlib import Index
    except ImportError:
        return None
    index = Index(space="cosine", dim=vectors.shape[1])
    index.init_index(max_elements=len(vectors), ef_construction=100, M=16)
    index.add_items(vectors)
    index.set_ef(100)
    return lambda question: index.knn_query(question, k=K)


def strangers(number: int) -> dict[str, int]:
    """Random people search what is theirs or shared with them, filtered by anybody's documents."""
    from accounts.models import User
    from datasources.models import Datasource, Document, Membership, Role
    from ingestion.models import Chunk
    from retrieval.nearest import nearest
    from retrieval.query import Scope

    chance = random.Random(3)
    people = [User.objects.create_user(f"p{n}@localhost", None, name=f"P{n}") for n in range(20)]
    vectors, questions = made(60 * 200, 384, np.random.default_rng(5))
    shelf = [filled(people[n % 20], f"Shelf {n}", vectors[200 * n : 200 * (n + 1)]) for n in range(60)]
    for datasource in shelf[::3]:
        for person in chance.sample(people, 3):
            if person.pk != datasource.owner_id:
                Membership.objects.get_or_create(
                    datasource=datasource, user=person, defaults={"role": Role.VIEWER}
                )
    home = dict(Chunk.objects.filter(datasource__in=shelf).values_list("pk", "datasource_id"))
    documents = list(Document.objects.filter(datasource__in=shelf).values_list("pk", flat=True))
    visible = {p.pk: list(Datasource.objects.visible_to(p).values_list("pk", flat=True)) for p in people}
    foreign = rows = 0
    for _ in range(number):
        person = chance.choice(people)
        chosen = frozenset(chance.sample(documents, 20)) if chance.random() < 0.5 else None
        datasource_id = chance.choice(visible[person.pk])
        scope = Scope(user_id=person.pk, datasource_id=datasource_id, document_ids=chosen)
        for chunk, document, _cosine in nearest(scope, questions[chance.randrange(len(questions))], K):
            rows += 1
            foreign += home[chunk] not in visible[person.pk] or home[chunk] != datasource_id
            foreign += chosen is not None and document not in chosen
    return {"queries": number, "rows": rows, "rows of another's": foreign}


def main() -> None:
    user = graph.begin()
    figures: dict[str, Any] = {}
    for size in SIZES.split(","):
        count, dimensions = map(int, size.split("x"))
        figures[f"{count:,} vectors of {dimensions:,}"] = measured(user, count, dimensions)
        graph.log(json.dumps(figures, indent=2))
    figures["random people"] = strangers(int(os.environ.get("SVQ_BENCH_QUERIES") or STRANGERS))
    json.dump(figures, sys.stdout, indent=2)


if __name__ == "__main__":
    main()

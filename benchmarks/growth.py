"""What a file costs the graph that holds 100,000 entities already, against the same file into an empty one.

    SVQ_BENCH_DATA=folder python -m benchmarks growth

Reads the first filing of docugami_10q in that folder, else a sample document.
"""

import json
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks import graph, throwaway

if TYPE_CHECKING:
    from accounts.models import User
    from datasources.models import Datasource

ENTITIES = 100_000
NEW, KNOWN = 5, 3  # names in a made passage: seen nowhere else, and from those that recur
RECURRING = 400  # names of the file that recur
BATCH = 500  # made passages, each a document, that the graph grows by at once
READINGS = 5  # of the file into each datasource; the medians are told
GRAPH_PARTS = ("graph", "publish", "embed_graph")  # publishing is all but the graph's growth instant


def run() -> dict[str, Any]:
    return throwaway.figures_of("benchmarks.growth")


def merging(user: "User", path: Path) -> dict[str, Any]:
    """The same file into an empty datasource and into one of 100,000 entities, some of them the file's."""
    from datasources.services import create_datasource
    from ingestion.indexes import vector_spaces
    from ingestion.indexes.embedding import copy_into
    from ingestion.lifecycle.purging import purge
    from providers.embedders import embedder
    from sql import rows

    empty, full = create_datasource(user, "Empty"), create_datasource(user, "Full")
    warm = create_datasource(user, "Warm")
    graph.ingest(warm, path, graph.Cost())
    known = list(warm.entities.order_by("-mention_count", "key").values_list("name", "types")[:RECURRING])
    begun = time.perf_counter()
    make_graph(full, known)
    made = time.perf_counter() - begun
    entities = full.entities.count()
    # What was made has its vectors; which ones is nothing to what follows.
    vector = np.full(384, 384**-0.5, np.float32)
    copy_into(
        "graph_nameembedding",
        "entity_id",
        vector_spaces.claim(full, embedder()),
        [(pk, vector) for pk in full.entities.values_list("pk", flat=True)],
    )
    for table in ("entity", "relation"):
        rows(f"UPDATE graph_{table} SET vector_due = false WHERE datasource_id = %s", full.pk)
    costs: dict[str, list[graph.Cost]] = {"empty": [], "full": []}
    for _ in range(READINGS):
        for name, datasource in (("empty", empty), ("full", full)):
            costs[name].append(graph.Cost())
            purge(graph.ingest(datasource, path, costs[name][-1]))
    of_graph = {name: median(spent(cost.wall) for cost in some) for name, some in costs.items()}
    processor = {name: median(spent(cost.processor) for cost in some) for name, some in costs.items()}
    whole = {name: median(sum(map(sum, cost.wall.values())) for cost in some) for name, some in costs.items()}
    return {
        "entities": entities,
        "seconds_to_make_them": round(made),
        "seconds_into_empty": round(whole["empty"], 2),
        "seconds_into_full": round(whole["full"], 2),
        "ratio": round(whole["full"] / whole["empty"], 2),
        "ratio_of_the_graph_s_part": round(of_graph["full"] / of_graph["empty"], 2),
        "ratio_of_the_graph_s_processor_time": round(processor["full"] / processor["empty"], 2),
    }


def spent(parts: Mapping[str, Sequence[float]]) -> float:
    """Seconds of the graph's part of reading a file."""
    return sum(sum(parts[part]) for part in GRAPH_PARTS)


def make_graph(datasource: "Datasource", known: Sequence[tuple[str, list[str]]]) -> None:
    """Grow a datasource by made passages until it has ENTITIES; of the known names few are frequent.

    They are of the types that the file gives them: of other types they would be other things of these names.
    """
    from django.db import transaction

    from datasources.models import Document, DocumentStatus
    from graph.aggregate import mentions, update
    from ingestion.models import Chunk
    from tests.factories import chunk_of

    chance = random.Random(1)
    weights = [1 / rank for rank in range(1, len(known) + 1)]
    fresh = made_names(chance)
    for batch in range(ENTITIES // NEW // BATCH):
        named = [
            {next(fresh): ["ORGANIZATION"] for _ in range(NEW)}
            | dict(chance.choices(known, weights, k=KNOWN))
            for _ in range(BATCH)
        ]
        texts = [". ".join(types_of) + "." for types_of in named]
        with transaction.atomic():
            documents = Document.objects.bulk_create(
                Document(
                    datasource=datasource,
                    title=f"Made {batch}-{i}",
                    filename="made.txt",
                    mime="text/plain",
                    size=len(text),
                    sha256=f"{batch * BATCH + i:064d}",
                    status=DocumentStatus.READY,
                )
                for i, text in enumerate(texts)
            )
            chunks = Chunk.objects.bulk_create(
                chunk_of(document, text) for document, text in zip(documents, texts, strict=True)
            )
            mentions.store(chunks, [told(n, t) for n, t in zip(named, texts, strict=True)], "made")
        update.change(datasource.pk, added=[document.pk for document in documents])


def told(types_of: Mapping[str, Sequence[str]], text: str) -> Any:
    """A made passage's extraction: its names, each related to the next."""
    from graph.values.extraction import ExtractedEntity, ExtractedRelation, Extraction

    places = {name: text.index(name) for name in types_of}
    return Extraction(
        entities=tuple(
            ExtractedEntity(
                name=name,
                types=tuple(types_of[name]),
                description=name,
                start=start,
                end=start + len(name),
                said=(start, start + len(name)),
            )
            for name, start in places.items()
        ),
        relations=tuple(
            ExtractedRelation(source=a, target=b, description=text, start=0, end=len(text))
            for a, b in pairwise(places)
        ),
    )


def made_names(chance: random.Random) -> Iterator[str]:
    """Names of people and companies, each once; many share a word."""
    syllables = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
    words = ["".join(chance.choices(syllables, k=chance.choice((2, 2, 3)))).title() for _ in range(4000)]
    endings = ("", "", "", " Holdings", " Systems", " Foods", " Group", " University", " Bank")
    given: set[str] = set()
    while True:
        name = f"{chance.choice(words)} {chance.choice(words)}{chance.choice(endings)}"
        if name not in given:
            given.add(name)
            yield name


if __name__ == "__main__":
    print(json.dumps(merging(graph.begin(), graph.files()[0]), indent=2))

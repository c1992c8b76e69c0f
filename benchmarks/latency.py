"""How long a search by meaning, words and documents takes, whole and by stage, as a datasource grows.

    python -m benchmarks latency

SVQ_BENCH_CHUNKS=4000,10000,100000 says of how many passages. Texts and vectors are made; words are as
frequent as in a language. The embedder is asked as always, but the vector of a question is made like the
others.
"""

import json
import os
import random
import sys
import time
from collections.abc import Sequence
from itertools import accumulate
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks import graph, throwaway
from benchmarks.vectors import Vectors, filled, made, spread

if TYPE_CHECKING:
    from accounts.models import User
    from datasources.models import Datasource
    from retrieval.engine import Result

SIZES = os.environ.get("SVQ_BENCH_CHUNKS") or "4000,10000,100000"
WORDS = 80  # of a passage, and as many small ones
VOCABULARY = 30_000
FREQUENT = 200  # words that questions do not ask for
SMALL = ("the", "of", "and", "in", "to", "is")
AT_ONCE = 5_000  # passages indexed in one go
WARM = 10  # searches before the clock counts


def run() -> dict[str, Any]:
    return throwaway.figures_of("benchmarks.latency")


def vocabulary(chance: random.Random) -> list[str]:
    """Made words, the most frequent first."""
    syllables = [c + v for c in "bdfgklmnprstvz" for v in "aeiou"]
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        words["".join(chance.choices(syllables, k=chance.choice((2, 3, 3, 4))))] = None
    return list(words)


def passages(count: int, words: Sequence[str], chance: random.Random) -> list[str]:
    """Texts whose words follow Zipf's law."""
    weights = list(accumulate(1 / rank for rank in range(1, len(words) + 1)))
    drawn = (chance.choices(words, cum_weights=weights, k=WORDS) for _ in range(count))
    return [". ".join(f"{chance.choice(SMALL)} {word}" for word in some) for some in drawn]


def question(passage: str, frequent: frozenset[str], chance: random.Random) -> str:
    """It asks for four words of a passage, two of them neighbours there."""
    words = [word for word in passage.replace(".", "").split() if word not in frequent]
    start = chance.randrange(len(words) - 1)
    return (
        f"What does the {' '.join(words[start : start + 2])} say of {' and '.join(chance.sample(words, 2))}?"
    )


def stored(user: "User", texts: Sequence[str], vectors: Vectors, model: str) -> "Datasource":
    """A datasource of these passages that was never searched."""
    from django.db import transaction

    from ingestion.indexes import search_index, statistics, vector_index, vector_spaces
    from ingestion.models import Chunk

    datasource = filled(user, f"{len(texts)} passages", vectors, texts, model)
    chunks = Chunk.objects.filter(datasource=datasource).select_related("document").order_by("pk")
    for start in range(0, len(texts), AT_ONCE):
        with transaction.atomic():
            search_index.index_all(chunks[start : start + AT_ONCE])
    statistics.refresh()
    space = vector_spaces.current(datasource.pk)
    assert space
    vector_index.maintain(space)
    return datasource


def measured(user: "User", count: int) -> dict[str, Any]:
    """Milliseconds of each search, and of its stages; of the first one for itself."""
    from django.db import connection

    from providers.embedders import embedder
    from providers.protocols import Embedder
    from providers.protocols.in_front import EmbedderInFront
    from retrieval.engine import Query, Scope, retrieve

    chance = random.Random(count)
    words = vocabulary(chance)
    texts = passages(count, words, chance)
    vectors, near = made(count, 384, np.random.default_rng(count))
    frequent = frozenset((*words[:FREQUENT], *SMALL))
    asked = [question(text, frequent, chance) for text in chance.sample(texts, len(near))]

    class Placed(EmbedderInFront[Embedder]):
        """Embeds as the model does, and gives the next made vector in place of what came out."""

        def embed(self, texts: Sequence[str]) -> Vectors:
            return self._model.embed(texts)

        def embed_questions(self, texts: Sequence[str]) -> Vectors:
            self._model.embed_questions(texts)
            return near[[asked.index(text) for text in texts]]

    model = Placed(embedder())
    begun = time.perf_counter()
    scope = Scope(user_id=user.pk, datasource_id=stored(user, texts, vectors, model.name).pk)
    graph.log(count, "passages stored in", round(time.perf_counter() - begun), "s")
    connection.close()

    def timed(text: str) -> tuple[float, float, "Result"]:
        connection.ensure_connection()
        wall, processor = time.perf_counter(), graph.processor_seconds()
        result = retrieve(Query(text=text), scope, model)
        return (
            1000 * (time.perf_counter() - wall),
            1000 * (graph.processor_seconds() - processor),
            result,
        )

    told = [timed(text) for text in asked]
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")  # as autovacuum does within a minute of an upload
    settled = [processor for _, processor, _ in map(timed, asked)]
    warm = told[WARM:]
    stages = {stage for *_, result in warm for stage in result.milliseconds}
    return {
        "whole, ms": spread([wall for wall, *_ in warm]),
        "processor, ms": spread([processor for _, processor, _ in warm]),
        "first, ms": round(told[0][0], 1),
        "first, processor, times one once vacuumed": round(told[0][1] / median(settled), 2),
        "processor, times the same once vacuumed": round(
            median(processor for _, processor, _ in warm) / median(settled[WARM:]), 2
        ),
        **{
            f"{stage}, ms": spread([result.milliseconds.get(stage, 0.0) for *_, result in warm])
            for stage in sorted(stages)
        },
    }


def main() -> None:
    user = graph.begin()
    figures: dict[str, Any] = {}
    for size in map(int, SIZES.split(",")):
        figures[f"{size:,} passages"] = measured(user, size)
        graph.log(json.dumps(figures, indent=2))
    one, five, fifteen = os.getloadavg()
    figures["load of the machine, 1, 5 and 15 minutes"] = f"{one:.1f}, {five:.1f}, {fifteen:.1f}"
    json.dump(figures, sys.stdout, indent=2)


if __name__ == "__main__":
    main()

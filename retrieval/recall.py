"""The self-test of a datasource's index: on real queries, does it find what comparing every vector finds?"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

import numpy as np
from django.conf import settings
from django.utils import timezone
from django.utils.module_loading import import_string

from datasources.models import Datasource
from ingestion.indexes import vector_index, vector_spaces
from ingestion.indexes.chunk_vectors import ChunkVectors
from ingestion.models import VectorSpace
from providers.embedders import embedder
from retrieval.nearest import Near, by_index, exactly
from retrieval.query import Scope
from sql import rows

QUERIES, MOST_QUERIES = 50, 10_000
K = 10
ENOUGH = 0.95  # below it the index is to be built again


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What is known of how a datasource's vectors are searched. `advice` is empty when all is well."""

    space: VectorSpace
    vectors: int
    detail: str
    advice: str = ""


def measure(datasource: Datasource, queries: int = QUERIES) -> Report | None:
    """Search with and without the index and store the result; None without vectors. Raises ProviderError."""
    space = vector_spaces.current(datasource.pk)
    if space is None:
        return None
    if space.indexed:
        _compare(space, Scope(user_id=datasource.owner_id, datasource_id=datasource.pk), datasource, queries)
    return report(space)


def report(space: VectorSpace) -> Report:
    """From what the last test has left; nothing is searched."""
    vectors = ChunkVectors().count(space)
    detail, advice = f"{vectors:,} vectors of {space}: ", ""
    if not space.indexed:
        if vector_index.is_worth_it(space, vectors):
            detail += "every one is compared, an index is not built yet"
            advice = "A worker builds it within ten minutes; if it does not, see its log."
        else:
            detail += "every one is compared, none is missed"
    elif not vector_index.is_valid(space.pk):
        detail += "the index is broken"
        advice = "Build it again with `manage.py vectors DATASOURCE --rebuild`."
    elif space.recall is None:
        detail += "an index, not tested yet"
    else:
        detail += (
            f"the index finds {space.recall:.1%} of the {K} nearest ({space.recall_queries} queries, "
            f"{space.index_ms:.1f} ms; comparing every one takes {space.exact_ms:.1f} ms)"
        )
        if space.short_answers or space.recall < ENOUGH:
            advice = (
                "Build it again with `manage.py vectors DATASOURCE --rebuild`; if that does not help, raise "
                "SVQ_VECTOR_INDEX_FROM above the number of vectors, so that every one is compared."
            )
    return Report(space=space, vectors=vectors, detail=detail, advice=advice)


def _compare(space: VectorSpace, scope: Scope, datasource: Datasource, queries: int) -> None:
    found, short, exact_ms, index_ms = [], 0, [], []
    for vector in embedder(datasource).embed_questions(questions(datasource, queries)):
        near, taken = _timed(lambda v=vector: by_index(space, scope, v, K))  # type: ignore[misc]
        index_ms.append(taken)
        all_near, taken = _timed(lambda v=vector: exactly(space, scope, v, K))  # type: ignore[misc]
        exact_ms.append(taken)
        short += len(near) < len(all_near)
        found.append(share_found(near, all_near))
    space.write(
        recall=float(np.mean(found)) if found else None,
        recall_tested=timezone.now(),
        recall_queries=len(found),
        short_answers=short,
        exact_ms=median(exact_ms) if exact_ms else None,
        index_ms=median(index_ms) if index_ms else None,
    )


def share_found(near: Near, all_near: Near) -> float:
    """Recall; of several at the same distance as the last one, each is as right as the others."""
    if not all_near:
        return 1.0
    least = all_near[-1][2] - 1e-6
    return min(1.0, sum(cosine >= least for *_, cosine in near) / len(all_near))


def questions(datasource: Datasource, number: int) -> list[str]:
    """What was asked here, latest first; if that is too little, sentences of the documents as well."""
    asked: list[str] = import_string(settings.QUESTIONS_ASKED)(datasource.pk, number)
    asked = list(dict.fromkeys([*asked, *datasource.questions]))[:number]
    passages = rows(
        "SELECT text FROM ingestion_chunk WHERE datasource_id = %s AND NOT left_out "
        "ORDER BY random() LIMIT %s",
        datasource.pk,
        number - len(asked),
    )
    return [*asked, *(text[len(text) // 3 :][:150] for (text,) in passages)]


def _timed(search: Callable[[], Near]) -> tuple[Near, float]:
    begun = time.perf_counter()
    near = search()
    return near, 1000 * (time.perf_counter() - begun)

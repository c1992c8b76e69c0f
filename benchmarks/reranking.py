"""Whether the reader should put passages in order: the right page of quarterly reports, by a search alone and
with the reader's second look at its first 40 passages.

    SVQ_BENCH_DATA=folder python -m benchmarks reranking

The folder holds docugami_10q. Works in a data folder of its own.
"""

import json
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks import filings, throwaway

if TYPE_CHECKING:
    from datasources.models import Datasource
    from providers.protocols import AnswerReader
    from retrieval.evidence import Evidence

LOOKED_AT = 40  # passages
CUTS = (1, 5, 10)
SHARES = (0.5, 1.0)  # what the reader counts beside the search, both in standard deviations
SHORTEST = 25  # characters of a sentence that is read


def run() -> dict[str, Any]:
    """Measures in a process with a data folder of its own; nothing without SVQ_BENCH_DATA."""
    if not os.environ.get("SVQ_BENCH_DATA"):
        return {}
    return throwaway.figures_of("benchmarks.reranking")


def main() -> None:
    throwaway.set_up()
    datasource, asked = filings.read(Path(os.environ["SVQ_BENCH_DATA"]) / "docugami_10q")
    print(json.dumps(table(datasource, asked), indent=2))


def table(datasource: "Datasource", asked: "Sequence[filings.Question]") -> dict[str, str]:
    """A line an order: the share of questions with a right page among the first so many."""
    from providers.minilm.loaded import local_reader
    from retrieval.engine import HYBRID, Leg

    reader = local_reader()
    hits: dict[str, list[list[bool]]] = {}
    times: dict[str, list[float]] = {"the passage": [], "its sentences": []}
    for question in asked:
        for search, legs in (("dense", frozenset({Leg.DENSE})), ("hybrid", HYBRID)):
            found = _found(datasource, question.text, legs)
            right = np.array([question.is_on(each) for each in found])
            scores = np.array([each.score for each in found])
            hits.setdefault(search, []).append(_hits(right, -np.arange(len(found))))
            for way, read in (("the passage", _of_passages), ("its sentences", _of_sentences)):
                begun = time.perf_counter()
                told = np.array(read(reader, question.text, found))
                times[way].append(1000 * (time.perf_counter() - begun))
                hits.setdefault(f"{search}, by {way} alone", []).append(_hits(right, told))
                for share in SHARES:
                    both = _standard(scores) + share * _standard(told)
                    hits.setdefault(f"{search} + {share} {way}", []).append(_hits(right, both))
    figures = {"questions": str(len(asked))} | {name: _percent(rows) for name, rows in hits.items()}
    return figures | {f"milliseconds to read {way}": f"{median(ms):.0f}" for way, ms in times.items()}


def _found(datasource: "Datasource", question: str, legs: Any) -> "Sequence[Evidence]":
    from providers.embedders import embedder
    from retrieval.engine import Query, retrieve
    from retrieval.query import Scope

    scope = Scope(user_id=datasource.owner_id, datasource_id=datasource.pk)
    return retrieve(Query(text=question, legs=legs, k=LOOKED_AT), scope, embedder(datasource)).evidence


def _of_passages(reader: "AnswerReader", question: str, found: "Sequence[Evidence]") -> list[float]:
    """The beginning of each passage, as far as the reader reads."""
    return reader.scores(question, [(each.document_title, " ".join(each.text.split())) for each in found])


def _of_sentences(reader: "AnswerReader", question: str, found: "Sequence[Evidence]") -> list[float]:
    """Of each passage what its best sentence has; the least of all where it has no sentence."""
    from english.quotable import parts

    read = [
        (place, (part.about or each.document_title, part.text))
        for place, each in enumerate(found)
        for part in parts(each.text)
        if part.kind == "sentence" and len(part.text) >= SHORTEST
    ]
    scores = reader.scores(question, [pair for _, pair in read]) if read else []
    best: Mapping[int, list[float]] = {place: [] for place in range(len(found))}
    for (place, _), score in zip(read, scores, strict=True):
        best[place].append(score)
    least = min(scores, default=0.0)
    return [max(some, default=least) for some in best.values()]


def _standard(values: Any) -> Any:
    return (values - values.mean()) / (values.std() + 1e-9)


def _hits(right: Any, told: Any) -> list[bool]:
    """Whether a right page is among the first so many by what is told, as `CUTS` has them."""
    order = np.argsort(-told, kind="stable")
    return [bool(right[order[:cut]].any()) for cut in CUTS]


def _percent(rows: Sequence[Sequence[bool]]) -> str:
    return ", ".join(f"@{cut} {100 * mean(row[i] for row in rows):.1f}" for i, cut in enumerate(CUTS))


if __name__ == "__main__":
    main()

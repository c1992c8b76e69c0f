"""What each leg of the engine finds, and each fusion of them: recall or hits, and milliseconds a question.

    SVQ_BENCH_DATA=folder python -m benchmarks retrieval

The folder holds any of hotpot_train, musique_train and docugami_10q. Works in a data folder of its own.
Choices were made on the questions of even number; those of odd number are told apart.
"""

import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean, median, quantiles
from typing import TYPE_CHECKING, Any

from benchmarks import filings, multihop, throwaway

if TYPE_CHECKING:
    from datasources.models import Datasource
    from retrieval.engine import Query
    from retrieval.evidence import Evidence

MOST = 20  # passages of a question
PAGES = (1, 5, 10, 20)

Gain = Callable[[Sequence["Evidence"], int], float]  # what the first so many passages are worth, 0 to 1


def run() -> dict[str, Any]:
    """Measures in a process with a data folder of its own; nothing without SVQ_BENCH_DATA."""
    if not os.environ.get("SVQ_BENCH_DATA"):
        return {}
    return throwaway.figures_of("benchmarks.retrieval")


def main() -> None:
    throwaway.set_up()
    data = Path(os.environ["SVQ_BENCH_DATA"])
    figures: dict[str, Any] = {}
    for name, title, load in (
        ("hotpot_train", "HotpotQA", multihop.hotpot),
        ("musique_train", "MuSiQue", multihop.musique),
    ):
        if (data / name).is_dir():
            passages, questions = load(data / name)
            datasource = multihop.build(passages, {})
            asked = [(question.text, None, recall(datasource, question.gold)) for question in questions]
            figures[f"{title}, recall"] = table(datasource, asked, (2, 5, 10), rankings())
    if (data / "docugami_10q").is_dir():
        datasource, filed = filings.read(data / "docugami_10q")
        figures |= of_filings(datasource, filed, rankings(), "")
        datasource, filed = filings.read(data / "docugami_10q", "paragraph")
        figures |= of_filings(datasource, filed, defaults(), ", split by paragraph")
    print(json.dumps(figures, indent=2))


def of_filings(
    datasource: "Datasource", filed: "Sequence[filings.Question]", ways: "Mapping[str, Query]", split: str
) -> dict[str, Any]:
    """All reports searched, and the right one alone."""
    everywhere = [(one.text, None, hit(one)) for one in filed]
    inside = [(one.text, one.document, hit(one)) for one in filed]
    return {
        f"10-Q filings{split}, right page among all": table(datasource, everywhere, PAGES, ways),
        f"10-Q filings{split}, right page, document known": table(datasource, inside, PAGES, ways),
    }


def recall(datasource: "Datasource", gold: frozenset[str]) -> Gain:
    """The share of the gold passages, told by their contents' hashes."""
    from datasources.models import Document

    documents = Document.objects.filter(datasource=datasource, sha256__in=gold)
    ids = set(documents.values_list("pk", flat=True))
    return lambda passages, cut: len(ids & {each.document_id for each in passages[:cut]}) / len(gold)


def hit(question: filings.Question) -> Gain:
    """Whether a page with the answer is there."""
    return lambda passages, cut: float(any(question.is_on(each) for each in passages[:cut]))


def rankings() -> "Mapping[str, Query]":
    """Every leg alone, then what is fused of them, the product's own ways last but one."""
    from retrieval.engine import HYBRID, Fusion, Leg, Query

    dense, bm25 = frozenset({Leg.DENSE}), frozenset({Leg.BM25})
    both, everything = dense | bm25, HYBRID | {Leg.GRAPH}
    return {
        "dense": Query(text="", legs=dense),
        "BM25": Query(text="", legs=bm25),
        "graph": Query(text="", legs=frozenset({Leg.GRAPH})),
        **{f"dense and BM25, alpha {a}": Query(text="", legs=both, alpha=a) for a in (0.3, 0.5, 0.7)},
        "dense and BM25, reciprocal rank": Query(text="", legs=both, fusion=Fusion.RECIPROCAL_RANK),
        **defaults(),
        "all, reciprocal rank": Query(text="", legs=everything, fusion=Fusion.RECIPROCAL_RANK),
    }


def defaults() -> "Mapping[str, Query]":
    """As the product searches."""
    from retrieval.engine import HYBRID, Leg, Query

    return {
        "with documents": Query(text="", legs=HYBRID),
        "with documents and graph": Query(text="", legs=HYBRID | {Leg.GRAPH}),
    }


def table(
    datasource: "Datasource",
    asked: Sequence[tuple[str, int | None, Gain]],
    cuts: Sequence[int],
    ways: "Mapping[str, Query]",
) -> dict[str, str]:
    """A line a ranking: all questions, those of odd number, p50 and p95 in milliseconds.

    Where single legs are among the rankings, also how far the product's own ways are above the best of them.
    """
    from dataclasses import replace

    from providers.embedders import embedder
    from retrieval.engine import retrieve
    from retrieval.query import Scope

    figures, means = {}, {}
    for name, query in ways.items():
        gains: list[list[float]] = []
        times = []
        for number, (text, document, gain) in enumerate([asked[0], *asked]):
            only = None if document is None else frozenset([document])
            scope = Scope(user_id=datasource.owner_id, datasource_id=datasource.pk, document_ids=only)
            started = time.perf_counter()
            found = retrieve(replace(query, text=text, k=MOST), scope, embedder()).evidence
            if number:  # the first one warms up
                times.append(1000 * (time.perf_counter() - started))
                gains.append([gain(found, cut) for cut in cuts])
        figures[name] = f"{_percent(gains, cuts)}; odd {_percent(gains[1::2], cuts)}; {_times(times)}"
        means[name] = [100 * mean(row[i] for row in gains) for i in range(len(cuts))]
    alone = {name: next(iter(query.legs)) for name, query in ways.items() if len(query.legs) == 1}
    for name in defaults() if alone else ():
        legs = [means[leg] for leg, asked_for in alone.items() if asked_for in ways[name].legs]
        above = [means[name][i] - max(leg[i] for leg in legs) for i in range(len(cuts))]
        told = ", ".join(f"@{cut} {points:+.1f}" for cut, points in zip(cuts, above, strict=True))
        figures[f"{name}, points above the best leg"] = told
    return figures


def _percent(gains: Sequence[Sequence[float]], cuts: Sequence[int]) -> str:
    return ", ".join(f"@{cut} {100 * mean(row[i] for row in gains):.1f}" for i, cut in enumerate(cuts))


def _times(times: Sequence[float]) -> str:
    return f"{median(times):.0f} ms (p95 {quantiles(times, n=20)[-1]:.0f})"


if __name__ == "__main__":
    main()

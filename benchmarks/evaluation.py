"""Figures of generated question sets, of the samples and of quarterly reports, and of a public one.

    SVQ_BENCH_DATA=folder python -m benchmarks evaluation

The folder holds docugami_10q; of its reports SVQ_BENCH_REPORTS are read, all where that is not set. Works in
a data folder of its own; SVQ_BENCH_KEEP names one that is kept, with what was read before.
"""

import asyncio
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks import throwaway

if TYPE_CHECKING:
    from datasources.models import Datasource
    from desks.evaluation.models import QuestionSet

COLLECTION = Path("docugami_10q/sec-10-q/data/v1")
OF_EACH_KIND = 40
SET, OWN = "Benchmark", "Of the collection"
METRICS = (
    "relevance",
    "utilisation",
    "completeness",
    "adherence",
    "refused",
    "relevance_at_5",
    "hit_at_5",
    "recall_at_5",
    "mrr",
    "ndcg_at_10",
    "pages",
    "quote_found",
    "carries_claim",
    "gold_page_cited",
)


def run() -> dict[str, Any]:
    """Means with the bounds of 95 in 100 samples, by kind of question."""
    kept = os.environ.get("SVQ_BENCH_KEEP")
    return throwaway.figures_of("benchmarks.evaluation", Path(kept) if kept else None)


def main() -> None:
    throwaway.set_up()
    samples = read("Samples", sorted((throwaway.ROOT / "samples").glob("*.pdf")))
    figures: dict[str, Any] = {"samples": {"documents": samples.documents.ready().count()}}
    made = generated(samples)
    figures["samples"] |= measured_ways(made)
    data = os.environ.get("SVQ_BENCH_DATA")
    if data:
        most = int(os.environ.get("SVQ_BENCH_REPORTS") or 0) or None
        filings = read("Filings", sorted((Path(data) / COLLECTION / "docs").glob("*.pdf"))[:most])
        made = generated(filings)
        figures["filings"] = {"documents": filings.documents.ready().count()}
        figures["filings"] |= measured_ways(made)
        own = imported(filings, Path(data) / COLLECTION / "qna_data.csv")
        figures["filings, questions of the collection, search alone"] = measured(own, "search")
    print(json.dumps(figures, indent=2))


def read(name: str, paths: list[Path]) -> "Datasource":
    """A datasource with these files, read to the end; those that are there already are left as they are."""
    from django.core.management import call_command

    from accounts.models import User
    from datasources.models import Datasource

    owner = User.objects.filter(is_superuser=True).first() or User.objects.create_superuser(
        "evaluation@example.org", "none", name="Evaluation"
    )
    with open(os.devnull, "w") as nowhere:
        call_command("ingest", name, *map(str, paths), user=owner.email, json=True, stdout=nowhere)
    return Datasource.objects.get(owner=owner, name=name)


def generated(datasource: "Datasource") -> "QuestionSet":
    """A new set by rules."""
    from desks.evaluation.generation.making import make
    from desks.evaluation.models import Kind
    from desks.evaluation.questions.services import create_set, set_order

    datasource.question_sets.filter(name=SET).delete()
    made = create_set(datasource, SET, datasource.owner)
    set_order(made, dict.fromkeys(Kind.values, OF_EACH_KIND), by_model=False)
    make(made.pk)
    return made


def imported(datasource: "Datasource", file: Path) -> "QuestionSet":
    """The collection's own questions, read as people's files are."""
    from desks.evaluation.models import Origin
    from desks.evaluation.questions.files.reading import read as read_questions
    from desks.evaluation.questions.services import add_questions, create_set

    datasource.question_sets.filter(name=OWN).delete()
    made = create_set(datasource, OWN, datasource.owner)
    add_questions(made, read_questions(file.name, file.read_bytes(), datasource), Origin.IMPORT)
    return made


def measured_ways(made: "QuestionSet") -> dict[str, Any]:
    """Without a model, the search without what is far from the best passage, and with a model by rule."""
    return {
        "keyless": measured(made, "keyless"),
        "search alone, near the best": measured(made, "search,near=0.5"),
        "scripted": scripted(made),
    }


def measured(chosen: "QuestionSet", variant: str, *, judged: bool = False) -> dict[str, Any]:
    """A run of the set, to its end."""
    from desks.evaluation.models import Kind
    from desks.evaluation.reports.summary import EVERY, summary_of
    from desks.evaluation.reports.words import shown
    from desks.evaluation.runs.run import carry_on
    from desks.evaluation.runs.services import start_runs

    (started,) = start_runs(chosen.datasource.owner, chosen, [variant], judged=judged, queued=False)
    asyncio.run(carry_on(started.pk))
    started.refresh_from_db()
    if started.status != "done":
        raise RuntimeError(f"{started} ended as {started.status}: {started.error_message}")
    summary = summary_of(started)
    figures: dict[str, Any] = {"questions": summary.asked}
    for kind in (EVERY, *Kind.values):
        means = {name: shown(value) for name in METRICS if (value := summary.mean(name, kind))}
        figures |= {kind: means} if means else {}
        by_judge = summary.judged.get(kind, {})
        figures |= {f"{kind}, by the judge": {n: shown(v) for n, v in by_judge.items()}} if by_judge else {}
    return figures | {"seconds of a question, median": summary.seconds}


def scripted(chosen: "QuestionSet") -> dict[str, Any]:
    """The same with a model by rule behind the real protocol, which is its judge as well."""
    from django.test.utils import override_settings

    from benchmarks.scripted_model import reply
    from tests.openai_server import MODEL, ScriptedOpenAI

    with ScriptedOpenAI(reply) as server, override_settings(LLM_BASE_URL=server.base_url, LLM_MODEL=MODEL):
        return measured(chosen, "agent", judged=True)


if __name__ == "__main__":
    main()

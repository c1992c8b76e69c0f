"""What the graph costs, by rules and by an instant model: ingestion against its floor, queries, deletion.

    SVQ_BENCH_DATA=folder python -m benchmarks graph

The folder holds docugami_10q, of whose filings SVQ_BENCH_FILES may limit the number; without it the sample
documents are read. Works in a data folder of its own.
"""

import csv
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks import throwaway
from benchmarks.throwaway import ROOT

if TYPE_CHECKING:
    from accounts.models import User
    from datasources.models import Datasource, Document

FILINGS = "docugami_10q"
QUESTIONS = 40


def run() -> dict[str, Any]:
    """Measures in a process with a data folder of its own."""
    return throwaway.figures_of("benchmarks.graph")


# --- what is read ----------------------------------------------------------------------------------------
def files() -> list[Path]:
    """The filings, else the sample documents."""
    root = Path(os.environ.get("SVQ_BENCH_DATA") or "/nowhere") / FILINGS
    found = sorted(root.rglob("*.pdf")) or sorted((ROOT / "samples").glob("*.pdf"))
    return found[: int(os.environ.get("SVQ_BENCH_FILES") or len(found))]


def questions() -> list[str]:
    """Questions that people asked about the filings."""
    root = Path(os.environ.get("SVQ_BENCH_DATA") or "/nowhere") / FILINGS
    for path in sorted(root.rglob("qna_data.csv")):
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = [row["Question"] for row in csv.DictReader(file)]
        return rows[:: max(1, len(rows) // QUESTIONS)][:QUESTIONS]
    asked = json.loads((ROOT / "benchmarks" / "keyless_questions.json").read_text(encoding="utf-8"))
    return [row["question"] for row in asked][:QUESTIONS]


# --- ingestion -------------------------------------------------------------------------------------------
@dataclass(slots=True, kw_only=True)
class Cost:
    """Wall and processor seconds of each part, over all documents."""

    wall: dict[str, list[float]] = field(default_factory=dict)
    processor: dict[str, list[float]] = field(default_factory=dict)

    @contextmanager
    def of(self, part: str) -> Iterator[None]:
        wall, processor = time.perf_counter(), processor_seconds()
        yield
        self.wall.setdefault(part, []).append(time.perf_counter() - wall)
        self.processor.setdefault(part, []).append(processor_seconds() - processor)


def processor_seconds() -> float:
    """Of this process, of its children that have ended, and where Linux tells of its database session."""
    from django.db import connection

    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    session = Path(f"/proc/{connection.connection.info.backend_pid}/schedstat")
    of_database = int(session.read_text().split()[0]) / 1e9 if session.exists() else 0.0
    return sum(each.ru_utime + each.ru_stime for each in used) + of_database


def bare(path: Path) -> None:
    """The floor: extract, split and embed, and keep nothing."""
    from formats import PageText
    from formats.pdf.reader import read_pdf
    from ingestion.chunks.chunking import join_pages, split
    from ingestion.indexes import embedding
    from providers.embedders import embedder

    pages = [frame.text for frame in read_pdf(path) if isinstance(frame, PageText)]
    text, starts = join_pages(pages)
    pieces = split(text, starts, size=1000, overlap=100)
    for batch in embedding.batches([(i, piece.text) for i, piece in enumerate(pieces)]):
        embedder().embed([piece for _, piece in batch])


def ingest(datasource: "Datasource", path: Path, cost: Cost) -> "Document":
    """Read one file as its job would, and embed what the graph has learned as that job would."""
    from datasources.models import Document
    from graph.aggregate import vectors
    from ingestion import pipeline
    from ingestion.adding.upload import accept_upload
    from ingestion.indexes import vector_spaces
    from ingestion.run import start
    from ingestion.step import steps
    from providers.embedders import embedder

    with path.open("rb") as file:
        accepted = accept_upload(datasource, None, path.name, file)[0].document
    run = start(accepted.pk, lambda: False)
    assert run
    for step in steps():
        with cost.of(step.name):
            step.run(run)
    with cost.of("publish"):
        pipeline.publish(run)
    with cost.of("embed_graph"):
        space = vector_spaces.claim(datasource, embedder())
        while vectors.embed_due(space, embedder()):
            pass
    return Document.objects.get(pk=accepted.pk)


def reading(datasource: "Datasource", paths: Sequence[Path]) -> dict[str, Any]:
    """Every file's floor and whole ingestion, one after the other."""
    cost = Cost()
    chunks = []
    for path in paths:
        with cost.of("bare"):
            bare(path)
        chunks.append(ingest(datasource, path, cost).chunk_count)
        log(path.name, chunks[-1], {part: round(times[-1], 2) for part, times in cost.wall.items()})
    whole = {
        name: [sum(times[i] for part, times in measured.items() if part != "bare") for i in range(len(paths))]
        for name, measured in (("wall", cost.wall), ("processor", cost.processor))
    }
    names = datasource.entities.exclude(name_embeddings=None).count()
    quarter = max(1, len(paths) // 4)
    pace = [w / b for w, b in zip(whole["wall"], cost.wall["bare"], strict=True)]
    return {
        "chunks": sum(chunks),
        "seconds": round(sum(whole["wall"]), 1),
        "seconds_floor": round(sum(cost.wall["bare"]), 1),
        "ratio": round(sum(whole["wall"]) / sum(cost.wall["bare"]), 2),
        "ratio_of_processor_time": round(sum(whole["processor"]) / sum(cost.processor["bare"]), 2),
        "names_embedded_a_chunk": round(names / sum(chunks), 2),
        "ratio_first_quarter_of_documents": round(median(pace[:quarter]), 2),
        "ratio_last_quarter_of_documents": round(median(pace[-quarter:]), 2),
        "parts": {part: round(sum(times), 1) for part, times in cost.wall.items()},
        "parts_processor": {part: round(sum(times), 1) for part, times in cost.processor.items()},
    }


def log(*words: Any) -> None:
    print(*words, file=sys.stderr, flush=True)


@contextmanager
def instant_model() -> Iterator[None]:
    """The configured chat model is one that answers at once."""
    from django.test.utils import override_settings

    server = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.instant_model"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert server.stdout
    try:
        with override_settings(LLM_BASE_URL=server.stdout.readline().strip(), LLM_MODEL="instant"):
            yield
    finally:
        server.terminate()
        server.wait()


# --- queries ---------------------------------------------------------------------------------------------
def querying(datasource: "Datasource", asked: Sequence[str]) -> dict[str, Any]:
    """Milliseconds a call of each tool that follows the graph, once the database has settled."""
    from django.db import connection

    from providers.embedders import embedder
    from retrieval.query import Scope
    from retrieval.tools.query_entities import QUERY_ENTITIES
    from retrieval.tools.query_knowledge_graph import QUERY_KNOWLEDGE_GRAPH
    from retrieval.tools.query_relations import QUERY_RELATIONS

    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE)")  # as autovacuum does within a minute of an upload
    scope = Scope(user_id=datasource.owner_id, datasource_id=datasource.pk)
    tools = {QUERY_ENTITIES: "query", QUERY_RELATIONS: "query", QUERY_KNOWLEDGE_GRAPH: "question"}
    figures = {}
    for tool, words in tools.items():

        def ask(question: str, tool: Any = tool, words: str = words) -> None:
            tool.run(scope, embedder(), tool.arguments(**{words: question}))

        figures[tool.name] = {"ms": timed(ask, asked)}
    return figures


def timed(ask: Callable[[str], Any], asked: Sequence[str]) -> str:
    """Median and 95th percentile in ms, after one question that plans."""
    ask(asked[0])
    times = []
    for question in asked:
        begun = time.perf_counter()
        ask(question)
        times.append(1000 * (time.perf_counter() - begun))
    times.sort()
    return f"{median(times):.1f}, 95 % under {times[int(0.95 * len(times))]:.1f}"


# --- deletion --------------------------------------------------------------------------------------------
def deleting(datasource: "Datasource") -> dict[str, Any]:
    """Seconds to delete the largest document by its page, and one of middling size at once; what is left."""
    from ingestion.lifecycle import deletion
    from ingestion.lifecycle.purging import purge

    documents = list(datasource.documents.order_by("chunk_count", "pk"))
    by_page = (
        ("remove", deletion.delete),
        ("restore", deletion.restore),
        ("remove_again", deletion.delete),
        ("delete_what_is_removed", purge),
    )
    return {
        "largest": timed_steps(documents[-1], by_page),
        "middling": timed_steps(documents[(len(documents) - 1) // 2], [("delete_at_once", purge)]),
    }


def timed_steps(
    document: "Document", steps: Sequence[tuple[str, Callable[["Document"], object]]]
) -> dict[str, Any]:
    """Wall and processor seconds of each step, and the rows that are left after the last."""
    from datasources.models import Document

    cost = Cost()
    for name, act in steps:
        with cost.of(name):
            act(Document.objects.get(pk=document.pk))
    return {
        "chunks": document.chunk_count,
        **{
            name: f"{cost.wall[name][0]:.2f} s, {cost.processor[name][0]:.2f} s of processor time"
            for name, _ in steps
        },
        "rows_left": left_of(document.pk),
    }


# Derived rows that nothing proves, or that point at what is gone.
_UNPROVEN = (
    "graph_entity e WHERE NOT EXISTS (SELECT 1 FROM graph_entityname n"
    " JOIN graph_entitymention m ON m.named_id = n.id WHERE n.entity_id = e.id)",
    "graph_entityname n WHERE NOT EXISTS (SELECT 1 FROM graph_entitymention m WHERE m.named_id = n.id)",
    "graph_relation r WHERE NOT EXISTS (SELECT 1 FROM graph_relationmention m"
    " JOIN graph_entityname s ON s.id = m.source_id JOIN graph_entityname t ON t.id = m.target_id"
    " WHERE s.entity_id = r.source_id AND t.entity_id = r.target_id)",
    "graph_cachedextraction c WHERE NOT EXISTS"
    " (SELECT 1 FROM graph_chunkextraction x WHERE x.cached_id = c.id)",
    "graph_entityposition p WHERE NOT EXISTS (SELECT 1 FROM graph_entity e WHERE e.id = p.entity_id)",
    *(
        f"graph_{table} x WHERE EXISTS (SELECT 1 FROM unnest(x.passages) AS passage(id) WHERE NOT EXISTS"
        " (SELECT 1 FROM ingestion_chunk c WHERE c.id = passage.id))"
        for table in ("entity", "relation")
    ),
)


def left_of(document_id: int) -> int:
    """Rows anywhere in the database that name the document, and derived rows that nothing proves."""
    from sql import rows

    tables = rows(
        "SELECT table_name FROM information_schema.columns WHERE column_name = 'document_id'"
        " AND table_schema = 'public'"
    )
    naming = [f"{table} WHERE document_id = {document_id}" for (table,) in tables]
    naming.append(f"graph_pairverdict WHERE {document_id} = ANY(documents)")
    return sum(rows(f"SELECT count(*) FROM {what}")[0][0] for what in [*naming, *_UNPROVEN])


def begin() -> "User":
    """Set Django up with an empty database; gives who owns the datasources."""
    throwaway.set_up()
    from accounts.models import User
    from providers.embedders import embedder

    embedder().embed(["warm"])
    return User.objects.create_user("bench@localhost", None, name="Bench")


def main() -> None:
    user = begin()
    from datasources.services import create_datasource
    from graph.models import GraphExtractor, GraphSettings

    paths = files()
    figures: dict[str, Any] = {"documents": len(paths)}
    ruled = create_datasource(user, "Rules")
    figures["rules"] = reading(ruled, paths)
    with instant_model():
        told = create_datasource(user, "Model")
        GraphSettings.objects.create(datasource=told, extractor=GraphExtractor.MODEL)
        figures["instant_model"] = reading(told, paths)
    for name, datasource in (("rules", ruled), ("instant_model", told)):
        figures[name] |= querying(datasource, questions())
        figures[name] |= {"entities": datasource.entities.count(), "relations": datasource.relations.count()}
        figures[name]["delete"] = deleting(datasource)
        log(name, json.dumps(figures[name], indent=2))
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()

"""What the graph costs: ingestion against its floor, queries, deletion, and growth at 100,000 entities.

    SVQ_BENCH_DATA=folder python -m benchmarks graph

The folder holds docugami_10q; without it the sample documents are read. Works in a data folder of its own.
"""

import csv
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from datasources.models import Datasource, Document

ROOT = Path(__file__).resolve().parent.parent
FILINGS = "docugami_10q"
ENTITIES = 100_000
QUESTIONS = 40
NEW, KNOWN = 5, 3  # names in a made passage: seen nowhere else, and from those that recur
BATCH = 500  # made passages, each a document, that the graph grows by at once


def run() -> dict[str, Any]:
    """Measures in a process with a data folder of its own."""
    with tempfile.TemporaryDirectory(prefix="svq-bench-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # the embedded Postgres may run as another account
        environment = os.environ | {"SVQ_DATA_DIR": str(folder / "var")}
        for variable in [
            v for v in environment if v == "DATABASE_URL" or v.startswith(("SVQ_LLM", "SVQ_EMB"))
        ]:
            del environment[variable]
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.graph"], cwd=ROOT, env=environment, text=True,
            stdout=subprocess.PIPE, check=True,
        )  # fmt: skip
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures


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
    """Of this process and of its children that have ended; the database's and the model's are not in it."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def bare(path: Path) -> None:
    """The floor: extract, split and embed, and keep nothing."""
    from ingestion import embed
    from ingestion.extract import PageText, read
    from ingestion.split import join_pages, split
    from providers.configured import embedder

    pages = [frame.text for frame in read(path, "application/pdf") if isinstance(frame, PageText)]
    text, starts = join_pages(pages)
    pieces = split(text, starts, size=1000, overlap=100)
    for batch in embed.batches([(i, piece.text) for i, piece in enumerate(pieces)]):
        embedder().embed([piece for _, piece in batch])


def ingest(datasource: "Datasource", path: Path, cost: Cost) -> "Document":
    """Read one file as its job would, and embed what the graph has learned as that job would."""
    from datasources.models import Document
    from ingestion import pipeline
    from ingestion.graph import vectors
    from ingestion.run import start
    from ingestion.services import accept_upload
    from providers.configured import embedder

    with path.open("rb") as file:
        accepted = accept_upload(datasource, None, path.name, file)[0].document
    run = start(accepted.pk, lambda: False)
    assert run
    for step in pipeline.STEPS:
        with cost.of(step.__name__):
            step(run)
    with cost.of("embed_graph"):
        while vectors.embed_due(datasource.pk, embedder()):
            pass
    return Document.objects.get(pk=accepted.pk)


GRAPH_PARTS = ("find_mentions_step", "link_step", "embed_graph")


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
    names = datasource.entities.exclude(name_embedding=None).count()
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


# --- growth ----------------------------------------------------------------------------------------------
def merging(user: Any, path: Path) -> dict[str, Any]:
    """The same file into an empty datasource and into one of 100,000 entities, some of them the file's."""
    from datasources.services import create_datasource
    from ingestion.embed import copy_into
    from ingestion.graph.link import rows

    empty, full = create_datasource(user, "Empty"), create_datasource(user, "Full")
    warm = create_datasource(user, "Warm")
    ingest(warm, path, Cost())
    known = list(warm.entities.order_by("-mention_count", "key").values_list("name", flat=True)[:400])
    begun = time.perf_counter()
    make_graph(full, known)
    made = time.perf_counter() - begun
    entities = full.entities.count()
    # What was made has its vectors; which ones is nothing to what follows.
    vector = np.full(384, 384**-0.5, np.float32)
    copy_into(
        "name", full.pk, [(pk, vector) for pk in full.entities.values_list("pk", flat=True)], of="entity"
    )
    for table in ("entity", "relation"):
        rows(f"UPDATE ingestion_{table} SET vector_due = false WHERE datasource_id = %s", full.pk)
    costs = {}
    for name, datasource in (("empty", empty), ("full", full)):
        costs[name] = Cost()
        ingest(datasource, path, costs[name])
    of_graph = {name: sum(sum(cost.wall[part]) for part in GRAPH_PARTS) for name, cost in costs.items()}
    whole = {name: sum(map(sum, cost.wall.values())) for name, cost in costs.items()}
    return {
        "entities": entities,
        "seconds_to_make_them": round(made),
        "seconds_into_empty": round(whole["empty"], 2),
        "seconds_into_full": round(whole["full"], 2),
        "ratio": round(whole["full"] / whole["empty"], 2),
        "ratio_of_the_graph_s_part": round(of_graph["full"] / of_graph["empty"], 2),
    }


def make_graph(datasource: "Datasource", known: Sequence[str]) -> None:
    """Grow a datasource by made passages until it has ENTITIES; of the known names few are frequent."""
    from django.db import transaction

    from datasources.models import Document, DocumentStatus
    from ingestion.graph import growth, mentions
    from ingestion.models import Chunk

    chance = random.Random(1)
    weights = [1 / rank for rank in range(1, len(known) + 1)]
    fresh = made_names(chance)
    for batch in range(ENTITIES // NEW // BATCH):
        named = [
            [*(next(fresh) for _ in range(NEW)), *dict.fromkeys(chance.choices(known, weights, k=KNOWN))]
            for _ in range(BATCH)
        ]
        texts = [". ".join(names) + "." for names in named]
        with transaction.atomic():
            documents = Document.objects.bulk_create(
                Document(
                    datasource=datasource, title=f"Made {batch}-{i}", filename="made.txt", mime="text/plain",
                    size=len(text), sha256=f"{batch * BATCH + i:064d}", status=DocumentStatus.READY,
                )
                for i, text in enumerate(texts)
            )  # fmt: skip
            chunks = Chunk.objects.bulk_create(
                Chunk(
                    datasource=datasource, document=document, index=0, text=text, start=0, end=len(text),
                    first_page=1, last_page=1,
                )
                for document, text in zip(documents, texts, strict=True)
            )  # fmt: skip
            mentions.store(chunks, [told(n, t) for n, t in zip(named, texts, strict=True)], "made")
        growth.change(datasource.pk, added=[document.pk for document in documents])


def told(names: Sequence[str], text: str) -> Any:
    """A made passage's extraction: its names, each related to the next."""
    from ingestion.graph.values import ExtractedEntity, ExtractedRelation, Extraction

    places = {name: text.index(name) for name in names}
    return Extraction(
        entities=tuple(
            ExtractedEntity(
                name=name, types=("ORGANIZATION",), description=name, start=start, end=start + len(name),
                said=(start, start + len(name)),
            )
            for name, start in places.items()
        ),
        relations=tuple(
            ExtractedRelation(source=a, target=b, description=text, start=0, end=len(text))
            for a, b in pairwise(places)
        ),
    )  # fmt: skip


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
    """Milliseconds a query, without embedding the question and with."""
    from providers.configured import embedder
    from retrieval import graph
    from retrieval.evidence import Scope

    scope = Scope(user_id=datasource.owner_id, datasource_id=datasource.pk)
    vectors = {question: embedder().embed([question])[0] for question in asked}
    tools: dict[str, Callable[[str, Any], Any]] = {
        "query_entities": lambda question, vector: graph.query_entities(scope, vector),
        "query_relations": lambda question, vector: graph.query_relations(scope, vector),
        "query_knowledge_graph": lambda question, vector: graph.query_knowledge_graph(
            scope, question, vector
        ),
    }
    return {
        name: {
            "ms": timed(lambda q, ask=ask: ask(q, vectors[q]), asked),  # type: ignore[misc]
            "ms_with_embedding": timed(lambda q, ask=ask: ask(q, embedder().embed([q])[0]), asked),  # type: ignore[misc]
        }
        for name, ask in tools.items()
    }


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
def deleting(datasource: "Datasource", document: "Document") -> dict[str, Any]:
    """Seconds to remove a document with a way back, to bring it back, to delete it for good; what is left."""
    from datasources.models import Document
    from ingestion import removal, services

    seconds = {}
    for name, act in (
        ("remove", removal.remove),
        ("restore", removal.restore),
        ("delete_for_good", services.delete_document),
    ):
        begun = time.perf_counter()
        act(Document.objects.get(pk=document.pk))
        seconds[name] = round(time.perf_counter() - begun, 2)
    return {**seconds, "rows_left": left_of(document.pk)}


# Derived rows that nothing proves.
_UNPROVEN = (
    "ingestion_entity e WHERE NOT EXISTS (SELECT 1 FROM ingestion_entityname n"
    " JOIN ingestion_entitymention m ON m.named_id = n.id WHERE n.entity_id = e.id)",
    "ingestion_entityname n WHERE NOT EXISTS"
    " (SELECT 1 FROM ingestion_entitymention m WHERE m.named_id = n.id)",
    "ingestion_relation r WHERE NOT EXISTS (SELECT 1 FROM ingestion_relationmention m"
    " JOIN ingestion_entityname s ON s.id = m.source_id JOIN ingestion_entityname t ON t.id = m.target_id"
    " WHERE s.entity_id = r.source_id AND t.entity_id = r.target_id)",
    "ingestion_cachedextraction c WHERE NOT EXISTS"
    " (SELECT 1 FROM ingestion_chunkextraction x WHERE x.cached_id = c.id)",
)


def left_of(document_id: int) -> int:
    """Rows anywhere in the database that name the document, and derived rows that nothing proves."""
    from ingestion.graph.link import rows

    tables = rows(
        "SELECT table_name FROM information_schema.columns WHERE column_name = 'document_id'"
        " AND table_schema = 'public'"
    )
    naming = [f"{table} WHERE document_id = {document_id}" for (table,) in tables]
    return sum(rows(f"SELECT count(*) FROM {what}")[0][0] for what in [*naming, *_UNPROVEN])


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")
    from svq_site.database import start_embedded

    start_embedded()
    import django

    django.setup()
    from django.core.management import call_command

    from accounts.models import User
    from datasources.models import GraphExtractor
    from datasources.services import create_datasource
    from providers.configured import embedder

    call_command("migrate", verbosity=0)
    user = User.objects.create_user("bench@localhost", None, name="Bench")
    paths = files()
    embedder().embed(["warm"])
    figures: dict[str, Any] = {"documents": len(paths)}
    figures["growth"] = merging(user, paths[0])
    ruled = create_datasource(user, "Rules")
    figures["rules"] = reading(ruled, paths)
    with instant_model():
        told = create_datasource(user, "Model")
        told.graph_extractor = GraphExtractor.MODEL
        told.save()
        figures["instant_model"] = reading(told, paths)
    for name, datasource in (("rules", ruled), ("instant_model", told)):
        figures[name] |= querying(datasource, questions())
        figures[name] |= {"entities": datasource.entities.count(), "relations": datasource.relations.count()}
        document = datasource.documents.order_by("pk")[len(paths) // 2]
        figures[name]["delete"] = deleting(datasource, document)
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()

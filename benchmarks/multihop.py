"""Multi-hop questions with the graph and without: recall of the gold passages, and ms a question.

    SVQ_BENCH_DATA=folder python benchmarks/multihop.py

The folder holds hotpot_train and musique_train. Works in a datasource of its own that it deletes at the end.
The ranking's few constants were chosen on the questions of even number; those of odd number are held out.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from statistics import mean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")

CUTS = (2, 5, 10)
BATCH = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    text: str
    gold: frozenset[str]  # hashes of passages


def digest(title: str, text: str) -> str:
    return sha256(f"{title}\n{text}".encode()).hexdigest()


def hotpot(folder: Path) -> tuple[list[tuple[str, str]], list[Question]]:
    corpus = json.loads((folder / "hotpotqa_train_corpus.json").read_text())
    passages = {title: "".join(sentences) for title, sentences in corpus.items()}
    questions = [
        Question(
            text=row["question"],
            gold=frozenset(digest(title, passages[title]) for title, _ in row["supporting_facts"]),
        )
        for row in json.loads((folder / "hotpotqa_train.json").read_text())
    ]
    return list(passages.items()), questions


def musique(folder: Path) -> tuple[list[tuple[str, str]], list[Question]]:
    rows = json.loads((folder / "musique_train_corpus.json").read_text())
    questions = [
        Question(
            text=row["question"],
            gold=frozenset(
                digest(p["title"], p["paragraph_text"]) for p in row["paragraphs"] if p["is_supporting"]
            ),
        )
        for row in json.loads((folder / "musique_train.json").read_text())
    ]
    return [(row["title"], row["text"]) for row in rows], questions


def recorded(folder: Path) -> dict[str, tuple[list[str], list[list[str]]]]:
    """The entities and triples that GPT-3.5 gave for each passage, by its hash."""
    rows = json.loads(next(folder.glob("openie_*.json")).read_text())["docs"]
    return {digest(r["title"], r["text"]): (r["extracted_entities"], r["extracted_triples"]) for r in rows}


def main() -> None:
    root = os.environ.get("SVQ_BENCH_DATA")
    if not root or not Path(root).is_dir():
        print("multihop: skipped, SVQ_BENCH_DATA names no folder with hotpot_train and musique_train")
        return
    from svq_site.database import start_embedded

    start_embedded()
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    for name, load in (("hotpot_train", hotpot), ("musique_train", musique)):
        folder = Path(root) / name
        if not folder.is_dir():
            print(f"multihop: {name} skipped, it is not in SVQ_BENCH_DATA")
            continue
        passages, questions = load(folder)
        report(name, "rules", passages, questions, {})
        if triples := recorded(folder) if list(folder.glob("openie_*.json")) else {}:
            report(name, "rules and recorded triples", passages, questions, triples)


def report(
    name: str,
    extractor: str,
    passages: Sequence[tuple[str, str]],
    questions: Sequence[Question],
    triples: dict[str, tuple[list[str], list[list[str]]]],
) -> None:
    """Build the datasource, ask, print one line a ranking, delete it."""
    from ingestion.services import delete_datasource
    from providers.configured import embedder
    from retrieval import graph, search
    from retrieval.evidence import Evidence, Scope

    started = time.perf_counter()
    datasource = build(passages, triples)
    print(f"\n{name}, {extractor}: {len(passages)} passages built in {time.perf_counter() - started:.0f} s")
    scope = Scope(user_id=datasource.owner_id, datasource_id=datasource.pk)
    vectors = embedder().embed([question.text for question in questions])

    def dense(i: int) -> list[Evidence]:
        return search.by_meaning(scope, vectors[i], limit=max(CUTS))

    def walked(i: int) -> list[Evidence]:
        return graph.query_knowledge_graph(scope, questions[i].text, vectors[i], limit=max(CUTS))

    try:
        measure("graph off", dense, questions)
        measure("graph on", walked, questions)
    finally:
        owner = datasource.owner
        delete_datasource(datasource)
        owner.delete()


def measure(label: str, ask: Callable[[int], Sequence[Any]], questions: Sequence[Question]) -> None:
    from ingestion.models import Document

    ask(0)  # the first query of a connection plans
    recalls: list[list[float]] = []
    times = []
    for i, question in enumerate(questions):
        started = time.perf_counter()
        found = ask(i)
        times.append(1000 * (time.perf_counter() - started))
        hashes = dict(
            Document.objects.filter(pk__in=[e.document_id for e in found]).values_list("pk", "sha256")
        )
        ranked = [hashes[e.document_id] for e in found]
        recalls.append([len(question.gold & set(ranked[:cut])) / len(question.gold) for cut in CUTS])
    for part, rows in (("all", recalls), ("even", recalls[::2]), ("odd, held out", recalls[1::2])):
        figures = "  ".join(f"@{cut} {100 * mean(r[i] for r in rows):5.1f}" for i, cut in enumerate(CUTS))
        print(
            f"  {label:10} {part:14} recall {figures}"
            + (f"   {median(times):.0f} ms" if part == "all" else "")
        )


def build(passages: Sequence[tuple[str, str]], triples: dict[str, tuple[list[str], list[list[str]]]]):  # type: ignore[no-untyped-def]
    """A datasource of one document a passage, embedded and in the graph."""
    from accounts.models import User
    from datasources.models import Document, DocumentStatus
    from datasources.services import create_datasource
    from ingestion import embed
    from ingestion.graph import growth, mentions
    from ingestion.graph.recorded import extraction
    from ingestion.graph.rules import Rules
    from ingestion.models import Chunk
    from providers.configured import embedder

    user = User.objects.create_user(f"bench-{os.getpid()}-{time.time_ns()}@example.org", None, name="Bench")
    datasource = create_datasource(user, "Multi-hop")
    embed.claim_dimensions(datasource, embedder())
    for start in range(0, len(passages), BATCH):
        batch = passages[start : start + BATCH]
        texts = [f"{title}\n{text}" for title, text in batch]
        documents = Document.objects.bulk_create(
            Document(
                datasource=datasource,
                title=title,
                filename="passages.jsonl",
                mime="text/plain",
                size=len(text),
                sha256=digest(title, text),
                status=DocumentStatus.READY,
            )
            for title, text in batch
        )
        chunks = Chunk.objects.bulk_create(
            Chunk(
                datasource=datasource,
                document=d,
                index=0,
                text=t,
                start=0,
                end=len(t),
                first_page=1,
                last_page=1,
            )
            for d, t in zip(documents, texts, strict=True)
        )
        embed.copy_vectors(datasource.pk, [chunk.pk for chunk in chunks], embedder().embed(texts))
        if triples:
            said = [extraction(title, chunk.text, *triples[digest(title, text)])
                    for (title, text), chunk in zip(batch, chunks, strict=True)]  # fmt: skip
            mentions.store(chunks, said, "recorded")
        found = [Rules().extract(title, [text])[0] for (title, _), text in zip(batch, texts, strict=True)]
        mentions.store(chunks, found, Rules.name)
        growth.change(datasource.pk, added=[document.pk for document in documents])
    return datasource


if __name__ == "__main__":
    main()

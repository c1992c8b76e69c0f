"""Multi-hop questions to the tools that search with the graph and without it: recall of the gold passages.

    SVQ_BENCH_DATA=folder python -m benchmarks multihop

The folder holds hotpot_train and musique_train. Works in a data folder of its own.
The ranking's few constants were chosen on the questions of even number; those of odd number are held out.
"""

import json
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from statistics import mean, median
from typing import TYPE_CHECKING, Any

from benchmarks import throwaway

if TYPE_CHECKING:
    from datasources.models import Datasource
    from retrieval.evidence import Evidence
    from retrieval.tools.tool import Tool

CUTS = (2, 5, 10)
BATCH = 256


def run() -> dict[str, Any]:
    """Measures in a process with a data folder of its own; nothing without SVQ_BENCH_DATA."""
    if not os.environ.get("SVQ_BENCH_DATA"):
        return {}
    return throwaway.figures_of("benchmarks.multihop")


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
    throwaway.set_up()
    figures = {}
    for name, title, load in (("hotpot_train", "HotpotQA", hotpot), ("musique_train", "MuSiQue", musique)):
        folder = Path(os.environ["SVQ_BENCH_DATA"]) / name
        if not folder.is_dir():
            continue
        passages, questions = load(folder)
        figures[f"{title}, rules"] = report(passages, questions, {})
        if triples := recorded(folder) if list(folder.glob("openie_*.json")) else {}:
            figures[f"{title}, rules and recorded triples"] = report(passages, questions, triples)
    print(json.dumps(figures, indent=2))


def report(
    passages: Sequence[tuple[str, str]],
    questions: Sequence[Question],
    triples: dict[str, tuple[list[str], list[list[str]]]],
) -> dict[str, str]:
    """Build the datasource, ask, delete it."""
    from ingestion.lifecycle.purging import purge_datasource
    from retrieval.tools.query_knowledge_graph import QUERY_KNOWLEDGE_GRAPH
    from retrieval.tools.search_chunks import SEARCH_CHUNKS

    started = time.perf_counter()
    datasource = build(passages, triples)
    built = time.perf_counter() - started
    figures = {"passages": f"{len(passages):,}, built in {built:.0f} s"}
    for name, tool, words in (("off", SEARCH_CHUNKS, "query"), ("on", QUERY_KNOWLEDGE_GRAPH, "question")):
        ask = partial(call, datasource, tool, words)
        figures |= {f"graph {name}, {part}": told for part, told in measure(ask, questions).items()}
    owner = datasource.owner
    purge_datasource(datasource)
    owner.delete()
    return figures


def call(datasource: "Datasource", tool: "Tool", words: str, question: str) -> "list[Evidence]":
    """What a tool of the agent finds; `words`: the name of the argument that takes the question."""
    from providers.embedders import embedder
    from retrieval.query import Scope

    scope = Scope(user_id=datasource.owner_id, datasource_id=datasource.pk)
    return tool.run(scope, embedder(), tool.arguments(**{words: question, "limit": max(CUTS)}))


def measure(ask: "Callable[[str], list[Evidence]]", questions: Sequence[Question]) -> dict[str, str]:
    """Recall in percent over all questions, the even and the odd ones, and ms a question."""
    from datasources.models import Document

    ask(questions[0].text)  # the first query of a connection plans
    recalls: list[list[float]] = []
    times = []
    for question in questions:
        started = time.perf_counter()
        found = ask(question.text)
        times.append(1000 * (time.perf_counter() - started))
        hashes = dict(
            Document.objects.filter(pk__in=[e.document_id for e in found]).values_list("pk", "sha256")
        )
        ranked = [hashes[e.document_id] for e in found]
        recalls.append([len(question.gold & set(ranked[:cut])) / len(question.gold) for cut in CUTS])
    parts = {"all questions": recalls, "even": recalls[::2], "odd, held out": recalls[1::2]}
    figures = {
        part: "recall "
        + ", ".join(f"@{cut} {100 * mean(r[i] for r in rows):.1f}" for i, cut in enumerate(CUTS))
        for part, rows in parts.items()
    }
    return figures | {"milliseconds": f"{median(times):.0f}"}


def build(passages: Sequence[tuple[str, str]], triples: dict[str, tuple[list[str], list[list[str]]]]):  # type: ignore[no-untyped-def]
    """A datasource of one document a passage, embedded and in the graph."""
    from accounts.models import User
    from benchmarks.recorded import extraction
    from datasources.models import Document, DocumentStatus
    from datasources.services import create_datasource
    from graph.aggregate import mentions, update
    from graph.extraction.rules.extractor import Rules
    from ingestion.indexes import embedding, search_index, vector_spaces
    from ingestion.models import Chunk
    from providers.embedders import embedder
    from tests.factories import chunk_of

    user = User.objects.create_user(f"bench-{os.getpid()}-{time.time_ns()}@example.org", None, name="Bench")
    datasource = create_datasource(user, "Multi-hop")
    space = vector_spaces.claim(datasource, embedder())
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
        chunks = Chunk.objects.bulk_create(chunk_of(d, t) for d, t in zip(documents, texts, strict=True))
        embedding.copy_vectors(space, [chunk.pk for chunk in chunks], embedder().embed(texts))
        search_index.index_all(chunks)
        if triples:
            said = [
                extraction(title, chunk.text, *triples[digest(title, text)])
                for (title, text), chunk in zip(batch, chunks, strict=True)
            ]
            mentions.store(chunks, said, "recorded")
        found = [Rules().extract(title, [text])[0] for (title, _), text in zip(batch, texts, strict=True)]
        mentions.store(chunks, found, Rules.name)
        update.change(datasource.pk, added=[document.pk for document in documents])
    return datasource


if __name__ == "__main__":
    main()

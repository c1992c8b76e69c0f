"""`make bench`: runs every benchmark and writes the figures, with date and machine, for people to read."""

import argparse
import datetime
import importlib
import os
import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "docs" / "reference" / "benchmarks.md"

# Module, title, and what its figures are held against.
BENCHMARKS = {
    "extraction": (
        "Reading PDFs",
        "Limit: 1.5 times bare pypdfium2 doing the same work (`time_over_bare`). This run was beside much "
        "other work.",
    ),
    "ocr": (
        "Text recognition",
        "Pages whose words are known, drawn at 200 dots an inch and damaged: of a quarterly report where "
        "SVQ_BENCH_DATA names the public collection, else of the samples; and a Chinese contract. Recall of "
        "words (Chinese: of characters), share of those whose box lies by more than half on the true one, "
        "seconds a page with the loading of the models. Limit: 700 MB.",
    ),
    "tables": (
        "Tables of PDFs",
        "Rows with two or more figures on pages of quarterly reports drawn by lot, told by the words that "
        "pdfplumber reads: how many are one row with each figure alone in its cell. Limit: 0.99. Public "
        "files, named by SVQ_BENCH_DATA. Then made tables of sentences, with lines or without, in three "
        "languages, drawn cell by cell or line by line: how many rows have each cell as it was made, in its "
        "order; and pages of prose in columns. This run was beside much other work: its seconds are too "
        "many.",
    ),
    "ingestion": (
        "Whole ingestion",
        "Limits: 1.3 times what the embedder alone takes on the same chunks (`ratio`); 600 MB for 500 pages.",
    ),
    "readiness": (
        "From upload to ready",
        "Seconds until an added document can be searched, median and most of three files of each kind: a PDF "
        "of 50 pages, a presentation of 30 slides, a Word file of 20 pages, a page as a picture of 150 dots "
        "an inch. One worker, which has read such files before.",
    ),
    "formats": (
        "Office files, web pages, mail and text",
        "Words found, and found in their order, seconds a file (median and most), the largest child process; "
        "public files, named by SVQ_BENCH_DATA. Then 200 made sentences a format: how many are whole in the "
        "text, and how many have each letter in its box, told by PDFium; large files.",
    ),
    "hostile_office": (
        "Office files made to break the reading",
        "Bombs, deep nesting, entities, wide and far cells, quotes without an end: each ends in pages or "
        "with a reason; seconds, and the largest child process. Aim: less than 600 MB.",
    ),
    "hostile": (
        "Files made to break the reading",
        "Bombs of text, pages, streams, words and lines, made by the benchmark. Limits: every file ends in a "
        "definite state; no worker and no child takes 1,000 MB.",
    ),
    "fairness": (
        "A neighbour beside a flood",
        "One person adds 900 files, adds large text files, asks 120 questions; another adds pages and asks, "
        "one after the other. Seconds until each can be searched or is answered, without and with the flood. "
        "Limit: the time under which 95 % stay doubles at most (`ratio_of_p95`).",
    ),
    "turns": (
        "Many turns at once",
        "So many people ask within five seconds, over REST, and follow the events of their answers; one "
        "worker, and a model server that waits half a second and then sends 200 words, one every 50 ms. "
        "Milliseconds from asking until the reader has the first event (the question is accepted), until a "
        "worker has taken it up, until the first words; and from the model's sending of a word until a page "
        "has it. Limit: the first event within 300 ms at p95.",
    ),
    "keyless": (
        "Answers without a language model",
        "Two lists of questions over the sample documents. Of each, 40 are answered by one sentence, 8 need "
        "several, 12 or 14 have no answer. Then questions about quarterly reports, where SVQ_BENCH_DATA "
        "names the public collection.",
    ),
    "assess": (
        "Documents held against a framework",
        "500 requirements against 50 made documents, with a model by rule in a model's place (it says "
        "nothing of how good a model is), and the same again with nothing changed. Limit: no call then.",
    ),
    "evaluation": (
        "Evaluation of generated questions",
        "Question sets that rules make, 40 of each kind, asked without a language model (keyless), and with "
        "a model by rule in a model's place, which is its own judge (scripted: it says nothing of how good a "
        "model is). Means, with the bounds of 95 in 100 samples in brackets. The questions are not chosen by "
        "whether they are found. Context relevance at 5 of a question with one gold passage is at most 0.20 "
        "where five are given; *near the best* gives those alone that score half as much as the first. "
        "SVQ_BENCH_DATA names the public collection of quarterly reports, of whose own 195 questions the "
        "pages are told by the figures of their answers.",
    ),
    "claims": (
        "Claims and their quotes",
        "Sentences of real documents, turned into claims by code, and what the check without a model says of "
        "them. Limits: of each kind of contradiction at most 2 % green, of each kind of faithful restatement "
        "at least 85 %. Held back are kinds and corpora that nobody looked at when the rules were written. "
        "The last rows are pairs that people judged. SVQ_BENCH_DATA names the public collections; the sample "
        "documents are always used. SVQ_BENCH_ENTAILMENT names an installed model that judges too.",
    ),
    "graph": (
        "What the graph costs",
        "Limits: reading within 1.5 times its floor, which is to extract, split and embed and keep nothing "
        "(`ratio`), with the rules and with a model that answers at once; a call of a tool that "
        "follows the graph 30 ms, from the question to the passages; deleting a filing 1 s, and nothing left "
        "of it.",
    ),
    "growth": (
        "A large graph grows",
        "Limit: a file into 100,000 entities takes 1.3 times the same into none, in all and in the graph's "
        "own part. The names of the file that the graph has already are of the types that the file gives "
        "them: of other types they are other things, and telling the two apart costs their relations.",
    ),
    "vectors": (
        "Vectors: an index against comparing each",
        "The ten nearest of made vectors; milliseconds are p50 / p95. Limits: recall 0.99 and never too few, "
        "whatever the filter; no row of another's.",
    ),
    "latency": (
        "How long a search takes",
        "Searches by meaning, words and documents over made passages of 80 words, one after the other in one "
        "process; milliseconds are p50 / p95. Processor time is that of the process and of its database "
        "session. `first`: the first search of a new connection right after the passages were stored; the "
        "planner knows of them, which a test asserts. `once vacuumed`: the same questions again after what "
        "autovacuum does within a minute. Aim: 8 ms at 4,000 passages, 30 ms at 100,000.",
    ),
    "multihop": (
        "Multi-hop questions, graph on and off",
        "What the tools `search_chunks` (off) and `query_knowledge_graph` (on) find. Public question sets, "
        "named by SVQ_BENCH_DATA; left out where that is not set.",
    ),
    "retrieval": (
        "What the engine finds",
        "Each leg alone and fused; the milliseconds are with the embedding. Limit: the product's own ways "
        "are not more than a point below the best leg. Public question sets, named by SVQ_BENCH_DATA; of the "
        "filings, the questions whose page can be told by the figures of their answers.",
    ),
    "reranking": (
        "The reader as a reranker",
        "Quarterly reports: questions with a right page among the first so many passages, as a search gives "
        "them and as the reader puts its first 40 in order, alone or beside the search's scores (both in "
        "standard deviations). It reads the beginning of each passage, or its sentences one by one, of which "
        "the best counts. Public files, named by SVQ_BENCH_DATA.",
    ),
    "resolution": (
        "One thing, one entity",
        "Pairs of DBLP-ACM, of recorded names judged by hand, of passages of one name; left out where "
        "SVQ_BENCH_DATA is not set.",
    ),
    "personal_data": (
        "Personal data in answers",
        "Shares of 400 made texts each: of personal data that are found as what they are, and of numbers "
        "that only look alike and are taken for it. Then alarms in the sample documents that are none.",
    ),
    "pages": (
        "Pages in the browser",
        "Budgets of the design, in the right column. First paints and waits after asking are medians of five "
        "new visitors, by the clock of the page, from the key or the address to the frame on the screen.",
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("only", nargs="*", help=f"some of: {', '.join(BENCHMARKS)}; all when none is named")
    chosen = parser.parse_args().only or [
        name for name in BENCHMARKS if (ROOT / "benchmarks" / f"{name}.py").exists()
    ]
    sections = read_sections()
    broken: list[str] = []
    for name in chosen:
        print(f"{name} ...", flush=True)
        figures = importlib.import_module(f"benchmarks.{name}").run()
        if not figures:
            print("left out")
            continue
        sections[name] = section(name, figures)
        print(sections[name], flush=True)
        broken += [f"{name}: {row}" for row, value in figures.items() if "limit broken" in str(value)]
        REPORT.write_text(whole(sections))
    if broken:
        sys.exit("A limit is broken: " + "; ".join(broken))


def section(name: str, figures: Mapping[str, Any]) -> str:
    """One benchmark as Markdown."""
    title, note = BENCHMARKS[name]
    lines = [f"## {title}", "", note, "", f"{when()}, `python -m benchmarks {name}`", ""]
    return "\n".join([*lines, "| figure | value |", "|---|---|", *rows(figures)])


def rows(figures: Mapping[str, Any], prefix: str = "") -> list[str]:
    """A line a figure; groups of figures get their name in front, lists of cases are left to the terminal."""
    found = []
    for key, value in figures.items():
        label = f"{prefix}{key}".replace("_", " ")
        if isinstance(value, Mapping):
            found += rows(value, f"{label}: ")
        elif not isinstance(value, list):
            found.append(f"| {label} | {value} |")
    return found


def when() -> str:
    """Date and machine, without its name."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    return f"{today}, {machine}, Python {platform.python_version()}"


def whole(sections: Mapping[str, str]) -> str:
    head = (
        "# Benchmarks\n\nWritten by `make bench`. Figures of one run on a shared machine: "
        "read the ratios, not the absolute times."
    )
    return "\n\n".join([head, *(sections[name] for name in BENCHMARKS if name in sections)]) + "\n"


def read_sections() -> dict[str, str]:
    """What the report says already, so that a part can be measured again by itself."""
    if not REPORT.exists():
        return {}
    by_title = {title: name for name, (title, _) in BENCHMARKS.items()}
    parts = REPORT.read_text().split("\n## ")[1:]
    return {by_title[p.split("\n")[0]]: f"## {p}".rstrip() for p in parts if p.split("\n")[0] in by_title}


if __name__ == "__main__":
    main()

"""Questions that people ask of a contract, put to real ones, without a language model.

SVQ_BENCH_CONTRACTS names a folder of the Contract Understanding Atticus Dataset (CUAD v1, CC BY 4.0, by The
Atticus Project): master_clauses.csv, full_contract_pdf/, full_contract_txt/. Lawyers have marked in each
contract the words that answer; where they marked nothing, nothing in it does.
"""

import ast
import csv
import hashlib
import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.scratch import scratch

CONTRACTS = 10  # of each part
LARGEST = 120_000  # bytes of text of a contract
SHARED = 6  # words in a row by which a quote is the marked place
ALIKE = 0.7  # share of the words of the shorter one

# Columns of the collection, and two ways to ask for what is marked there.
QUESTIONS = {
    ("Parties",): ("Who are the parties to this agreement?", "Between whom was the contract concluded?"),
    ("Effective Date", "Agreement Date"): (
        "When does this agreement take effect?",
        "What is the date of the agreement?",
    ),
    ("Expiration Date", "Renewal Term"): (
        "How long does this agreement last?",
        "When does the contract expire?",
    ),
    ("Renewal Term", "Notice Period To Terminate Renewal"): (
        "How is the agreement renewed?",
        "Does it extend automatically, and by how long?",
    ),
    ("Termination For Convenience",): (
        "Can a party terminate the agreement without cause, and with what notice?",
        "How much notice is needed to end the contract early?",
    ),
    ("Cap On Liability", "Uncapped Liability"): ("How is liability limited?", "Is there a cap on damages?"),
    ("Governing Law",): ("Which law governs this agreement?", "What law applies?"),
    ("Anti-Assignment",): (
        "Can the agreement be assigned?",
        "May a party transfer its rights to somebody else?",
    ),
    ("Insurance",): ("Which insurance must be kept?", "Must a party be insured?"),
    ("Audit Rights",): ("Who may audit the books and records?", "Is there a right to inspect the records?"),
    ("Exclusivity",): ("Is there exclusivity?", "Is one party the sole supplier or distributor?"),
    ("Non-Compete",): ("Is there a non-compete?", "May a party work for competitors?"),
    ("Ip Ownership Assignment", "Joint Ip Ownership"): (
        "Who owns the intellectual property?",
        "Who owns the results of the work?",
    ),
    ("License Grant", "Non-Transferable License"): (
        "What licence is granted?",
        "What may be used under licence?",
    ),
    ("Warranty Duration",): ("How long is the warranty?", "For how long are the goods guaranteed?"),
}
PARTS = ("development", "held out")  # words and weights may be chosen on the first, never on the second

Words = list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract:
    path: Path
    marked: dict[str, list[Words]]  # by column


def run() -> dict[str, Any]:
    """Shares of questions; empty without the collection."""
    folder = os.environ.get("SVQ_BENCH_CONTRACTS")
    if not folder:
        return {}
    with scratch() as own:
        return _measure(Path(folder), own)


def _measure(folder: Path, own: Path) -> dict[str, Any]:
    chosen = _contracts(folder)
    figures: dict[str, Any] = {}
    for number, part in enumerate(PARTS):
        contracts = chosen[number * CONTRACTS : (number + 1) * CONTRACTS]
        figures |= {f"{part}: {name}": value for name, value in _asked(part, contracts, own).items()}
    return figures


def _contracts(folder: Path) -> list[Contract]:
    """Those of a size that is read quickly, in an order that their names decide."""
    pdfs = {path.name: path for path in folder.glob("full_contract_pdf/**/*.pdf")}
    texts = {path.stem: path for path in folder.glob("full_contract_txt/*.txt")}
    with (folder / "master_clauses.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["Filename"] in pdfs]
    rows.sort(key=lambda row: hashlib.sha256(row["Filename"].encode()).hexdigest())
    return [
        Contract(path=pdfs[row["Filename"]], marked={column: _marked(row[column]) for column in _columns()})
        for row in rows
        if (text := texts.get(Path(row["Filename"]).stem)) and text.stat().st_size < LARGEST
    ]


def _columns() -> set[str]:
    return {column for columns in QUESTIONS for column in columns}


def _marked(written: str) -> list[Words]:
    places = ast.literal_eval(written or "[]")
    return [words for place in places if (words := _words(place.replace("<omitted>", " ")))]


def _asked(part: str, contracts: Sequence[Contract], own: Path) -> dict[str, Any]:
    from benchmarks.keyless import read

    (own / part).mkdir()
    paths = []
    for number, contract in enumerate(contracts):
        paths.append(own / part / f"{number:02d}.pdf")
        shutil.copy(contract.path, paths[-1])
    _, datasource = read(part.replace(" ", "-"), paths)
    documents = dict(datasource.documents.values_list("filename", "pk"))
    counts: Counter[str] = Counter()
    for contract, path in zip(contracts, paths, strict=True):
        for told in _answers(datasource, documents[path.name], contract):
            counts.update(told)
    return {
        "questions with an answer": counts["answered"],
        "the first quote is at a marked place": round(counts["first"] / counts["answered"], 3),
        "one of three is": round(counts["among three"] / counts["answered"], 3),
        "the sentence nearest in meaning is": round(counts["peer"] / counts["answered"], 3),
        "nothing is quoted": round(counts["blank"] / counts["answered"], 3),
        "questions without an answer": counts["unanswered"],
        "something is quoted all the same": round(counts["given"] / counts["unanswered"], 3),
    }


def _answers(datasource: Any, document: int, contract: Contract) -> Iterator[list[str]]:
    """For each question what counts of its answer."""
    from answering.suggestions.trial import Trial

    trial = Trial(datasource, among=[document])
    for columns, questions in QUESTIONS.items():
        marked = [words for column in columns for words in contract.marked[column]]
        for question in questions:
            choice, passages = trial.ask(question)
            right = [_is_marked(quote.quote, marked) for quote in choice.quotes]
            if not marked:
                yield ["unanswered", *(["given"] if right else [])]
                continue
            nearest = _nearest(question, [passage.text for passage in passages.values()])
            yield [
                "answered",
                *(["first"] if right[:1] == [True] else []),
                *(["among three"] if any(right) else []),
                *(["blank"] if not right else []),
                *(["peer"] if _is_marked(nearest, marked) else []),
            ]


def _nearest(question: str, passages: Sequence[str]) -> str:
    """The sentence of these passages that is nearest to the question in meaning."""
    from english.quotable import parts
    from providers.embedders import embedder

    sentences = [part.text for text in passages for part in parts(text)]
    if not sentences:
        return ""
    asked, *told = embedder().embed([question, *sentences])
    return sentences[int(np.argmax(np.stack(told) @ asked))]


def _is_marked(quote: str, marked: Sequence[Words]) -> bool:
    """Whether one of the quote and a marked place holds the other, or they share words in a row, or most."""
    words = _words(quote)
    told = f" {' '.join(words)} "
    for place in marked:
        there = f" {' '.join(place)} "
        if (len(place) > 1 and there in told) or (len(words) > 1 and told in there):
            return True
        if any(f" {' '.join(words[at : at + SHARED])} " in there for at in range(len(words) - SHARED + 1)):
            return True
        shared = len({*words} & {*place})
        if shared >= SHARED and shared / min(len({*words}), len({*place})) >= ALIKE:
            return True
    return False


def _words(text: str) -> Words:
    return re.findall(r"[a-z0-9]+", text.lower())

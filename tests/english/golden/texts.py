"""The texts, all of this repository: claims with their quotes, sentences of contracts, reports and rules."""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from text.sentences import sentences

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"
SETS = ("open", "held_out")


def _rows(*names: str) -> Iterator[dict[str, Any]]:
    for name in names:
        lines = (BENCHMARKS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        yield from map(json.loads, lines)


@cache
def pairs() -> Sequence[tuple[str, str, str]]:
    """Claim, quote and what stands around it."""
    rows = _rows("claims_by_hand", *(f"natural_claims/{name}" for name in SETS))
    return [(row["claim"], row["quote"], row.get("context", "")) for row in rows]


@cache
def documents() -> Sequence[tuple[str, str]]:
    """Title and text of invented ones."""
    _, *every = (BENCHMARKS / "keyless_invented.txt").read_text(encoding="utf-8").split("# ")
    return [(title, text) for title, _, text in (each.partition("\n") for each in every)]


@cache
def sides() -> Sequence[tuple[str, dict[str, str], dict[str, str]]]:
    """A question, and what two documents say to it: title and text of each."""
    rows = _rows(*(f"differing_documents/{name}" for name in SETS))
    return [(row["question"], row["a"], row["b"]) for row in rows]


@cache
def single_sentences() -> Sequence[str]:
    """Of the quotes, the documents and both sides, each once, with white space folded."""
    texts = [quote for _, quote, _ in pairs()] + [text for _, text in documents()]
    texts += [side["text"] for _, *both in sides() for side in both]
    every = (text[start:end] for text in texts for start, end in sentences(text))
    return list(dict.fromkeys(" ".join(each.split()) for each in every))

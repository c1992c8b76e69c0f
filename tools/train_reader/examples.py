"""What the reader learns from: rows of the training folder as a question (or claim) beside the sentences of a
passage, and which of them are right.
"""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from text.sentences import sentences

LABELS = ("supported", "contradicted", "neither")

# How often a set is drawn from, beside the others. Sets that are not named are not learned from.
ANSWERS = {
    "squad2_dev_half": 3.0,
    "squad_new_wiki": 3.0,
    "squad_new_wiki_other_passage": 2.0,
    "xquad_en": 0.4,
    "xquad_en_other_passage": 0.4,
    "xquad_de": 0.2,
    "xquad_de_other_passage": 0.2,
    "nq_oracle": 1.4,
    "qed_nq_dev": 0.8,
    "boolq_evidence": 0.6,
    "condaqa": 0.4,
    "qnli_dev": 1.0,
    "squad1_sentences_lowercased": 4.0,
}
SUPPORTS = {
    "fever_eraser": 2.0,
    "fever_symmetric": 0.5,
    "fever_other_sentence": 1.0,
    "breaking_nli": 0.5,
    "conjnli": 0.2,
    "conjnli_generated": 0.3,
    "help_conjunction": 0.3,
    "med": 0.5,
    "snli_dev_test": 1.5,
    "snli_counterfactual": 1.5,
    "tabfact_pairs": 0.5,
}
# Whole sources that the curves are drawn on; nothing is learned from them.
UNSEEN_ANSWERS = ("selqa", "tatqa_text")
UNSEEN_SUPPORTS = ("mnli_sample", "negation_mnli", "negation_snli", "fool_me_twice")

# Sets whose questions get a passage beside theirs that does not answer them.
WITHOUT_NEGATIVES = ("nq_oracle", "qed_nq_dev", "boolq_evidence", "tatqa_text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """right: places of the sentences that answer; none where the passage does not. left_out: places of which
    nobody knows. label: of a claim (asked) and its quote, a place in LABELS; -1 where a question is asked.
    """

    asked: str
    sentences: tuple[str, ...]
    right: frozenset[int] = frozenset()
    left_out: frozenset[int] = frozenset()
    title: str = ""
    label: int = -1


def read(folder: Path, names: Sequence[str]) -> dict[str, list[Example]]:
    """The examples of each set, in the order of the files. Raises OSError and ValueError."""
    rows: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                rows[row["set"]].append(row)
    if missing := [name for name in names if name not in rows]:
        raise ValueError(f"{folder} has no rows of {', '.join(missing)}.")
    return {name: list(_examples(name, rows[name])) for name in names}


def _examples(name: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[Example]:
    if "claim" in rows[0]:
        for row in rows:
            label = LABELS.index(row["label"])
            yield Example(asked=row["claim"], sentences=(row["evidence"],), label=label)
    elif not any(row["answer"] for row in rows) and all(len(row["passage"]) < 1200 for row in rows):
        yield from _grouped(rows)
    else:
        for row in rows:
            yield _passage(row)
        if name in WITHOUT_NEGATIVES:
            yield from _beside_others(rows)


def _grouped(rows: Sequence[Mapping[str, Any]]) -> Iterator[Example]:
    """Sentences judged one by one: those of a question are put beside each other."""
    by_question: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        by_question[row["question"]].append(row)
    for question, some in by_question.items():
        right = frozenset(place for place, row in enumerate(some) if row["contains_answer"])
        texts = tuple(row["passage"] for row in some)
        yield Example(asked=question, sentences=texts, right=right, title=some[0].get("title", ""))


def _passage(row: Mapping[str, Any]) -> Example:
    """Right is the sentence in which the answer begins; another one with the same words is left out."""
    passage, answer, start = row["passage"], row["answer"], row["start"]
    spans = sentences(passage) or ((0, len(passage)),)
    texts = tuple(" ".join(passage[first:last].split()) for first, last in spans)
    right: set[int] = set()
    left_out: set[int] = set()
    if row["contains_answer"] and start < 0:
        right = set(range(len(texts)))
    elif row["contains_answer"]:
        right = {place for place, (first, last) in enumerate(spans) if first <= start < last}
        right = right or {0}
        left_out = {
            place for place, text in enumerate(texts) if answer.lower() in text.lower() and place not in right
        }
    return Example(
        asked=row["question"],
        sentences=texts,
        right=frozenset(right),
        left_out=frozenset(left_out),
        title=row.get("title", ""),
    )


def _beside_others(rows: Sequence[Mapping[str, Any]]) -> Iterator[Example]:
    """Each question with the passage of another one that shares most of its rare words, not the answer."""
    holders: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        for word in set(_words(row["passage"])):
            holders[word].append(place)
    for place, row in enumerate(rows):
        counts: dict[int, float] = defaultdict(float)
        for word in set(_words(row["question"])):
            for other in holders.get(word, ())[:500]:
                counts[other] += 1 / len(holders[word]) ** 0.5
        passage, answer = row["passage"], row["answer"].lower()
        for other in sorted(counts, key=lambda other: (-counts[other], other))[:10]:
            text = rows[other]["passage"]
            same = other == place or text == passage or rows[other]["question"] == row["question"]
            if not same and not (answer and answer in text.lower()):
                title = rows[other].get("title", "")
                negative = {**row, "passage": text, "contains_answer": False, "title": title}
                yield _passage(negative)
                break


def _words(text: str) -> list[str]:
    return [word.strip(".,;:?!()\"'") for word in text.lower().split() if len(word) > 3]

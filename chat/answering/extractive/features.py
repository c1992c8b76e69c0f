"""What can be measured about a question and the parts of passages, as numbers for the weights."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chat.answering.extractive.answer_kinds import Kind
from chat.answering.extractive.candidates import SHORT, Candidate, Passage
from chat.answering.extractive.words import MONTH, Terms, is_proper, mentions, names, stem, stems
from providers.protocols import Vectors

FEATURES = (
    "meaning",  # cosine of question and part, the heading before it
    "meaning_alone",  # ... and the part without its heading
    "meaning_wide",  # ... and the part between its title, heading and neighbours
    "covered",  # nearness of the part's tokens to the question's content words, above all the worst covered
    "asked",  # ... and to its other words, which ask for a number, a person, a permission
    "covered_best",  # ... of all the parts the greatest
    "asked_best",
    "lead",  # by how much the nearest part in meaning is ahead of the next three
    "passage",  # cosine of question and passage
    "words",  # share of the question's words in the part; rare words count more
    "words_around",  # ... in the part, its heading and its neighbours
    "words_title",  # ... in the title
    "rarest",  # the rarest word of the question: in the part
    "names",  # share of the question's names in the part, its heading or the title
    "names_document",  # ... anywhere in what was found of the document
    "name_absent",  # some name of the question is not in the passage or the title
    "name_unknown",  # some name of the question is in no document at all
    "other_subject",  # names of the question that other documents are about, and not this one nor the part
    "other_edition",  # figures of the question ("Q2", "2023") that stand in another's title and not in this
    "boilerplate",
    "kind",  # the kind of answer that was asked for
    "kind_missing",
    "wrong_year",
    "title_only",  # a line with no figure but a date, as on the title page and at the top of pages
    "short",
    "title_named",  # the question speaks of this document: "the questionnaire"
    "replaces",  # "is deleted and replaced", when asked about a change
)

SUBJECT_OF = 0.25  # share of the passages with a name that a document about it holds at least
SUBJECT_PASSAGES = 6  # a name in fewer passages is no document's subject
SUBJECT_SHARE = 0.25  # ... or the share of a document's own passages that have the name
FOLLOWERS = 3  # parts that the nearest one is compared with
WIDE = 600  # characters that are embedded of a part and what stands around it
ALL_OVER = 1 / 3  # share of a document's passages that hold a name which its sentences need not repeat

_CHANGE = re.compile(
    r"\bchang\w+|\bamend\w*|\breplac\w+|\bdiffer\w*|\bbefore and after\b"
    r"|\b(?:old|new|previous|former|original)(?:ly)?\b|\bused to\b|\bwas it before\b|\bnow\b",
    re.IGNORECASE,
)
_REPLACED = re.compile(
    r"\b(?:deleted|replaced|amend(?:ed|ment)?|addendum|substituted|superseded|instead of|in place of)\b",
    re.IGNORECASE,
)
_DEICTIC = re.compile(r"\b(?:the|this|that|our|their|each) (?:[\w-]+ )?([\w-]+)", re.IGNORECASE)
_DATE = re.compile(rf"(?:\d{{1,2}} )?{MONTH} (?:\d{{1,2}}\b,? ?)?(?:\d{{4}})?|\b(?:1[89]|20)\d\d\b")
_FIGURE = re.compile(r"\d")
_YEAR = re.compile(r"\b(?:1[89]|20)\d\d\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`text` is what is searched for; `asked` is the part that says which kind of answer is wanted."""

    text: str
    asked: str


# Of each name searched for by its letters: how many passages of which document have it.
Holders = Mapping[str, Mapping[str, int]]


class Asking:
    """A question among the passages that were found for it."""

    def __init__(self, question: Question, passages: Sequence[Passage], holders: Holders) -> None:
        self.known = {one.key: _stems(f"{one.document} {one.text}") for one in passages}
        self.by_document: dict[str, set[str]] = {}
        for one in passages:
            self.by_document.setdefault(one.document, set()).update(self.known[one.key])
        self.terms = Terms(question.text, list(self.known.values()))
        self.kind = Kind(question.asked)
        self.names = names(question.text)
        self.holders = {
            name: {
                one.key
                for one in passages
                if mentions(name, self.known[one.key], f"{one.document} {one.text}")
            }
            for name in self.names
        }
        self.unknown = [
            name
            for name, found in holders.items()
            if name in self.names and not found and not self.holders[name]
        ]
        self.subjects = {
            name: {one for one in self.by_document if self._is_about(one, name, passages, holders)}
            for name in self.names
            if is_proper(name)
        }
        self.editions = [
            name
            for name in self.names
            if any(map(str.isdigit, name)) and any(stem(name) in _stems(one) for one in self.by_document)
        ]
        self.context = {document: self._context(document, passages) for document in self.by_document}
        self.years = set(_YEAR.findall(question.text))
        self.change = bool(_CHANGE.search(question.text))
        self.titles = {stem(found) for found in _DEICTIC.findall(question.text)}
        if self.titles & {"contract", "agree"}:  # the two words that people use for one document
            self.titles |= {"contract", "agree"}

    def _context(self, document: str, passages: Sequence[Passage]) -> set[str]:
        """Words that every sentence of the document leaves unsaid: its title, and names met all over it."""
        keys = {one.key for one in passages if one.document == document}
        known = [
            name
            for name in self.names
            if document in self.subjects.get(name, ())
            or len(self.holders[name] & keys) >= len(keys) * ALL_OVER
        ]
        return _stems(" ".join([document, *known]))

    def _is_about(self, document: str, name: str, passages: Sequence[Passage], holders: Holders) -> bool:
        """Whether a document has the name in its title, or all over it."""
        if mentions(name, _stems(document), document):
            return True
        found = holders.get(name, {})
        if found.get(document, 0) > SUBJECT_OF * sum(found.values()) > 0:
            return sum(found.values()) >= SUBJECT_PASSAGES
        keys = {one.key for one in passages if one.document == document}
        return len(self.holders[name] & keys) >= max(2, SUBJECT_SHARE * len(keys))

    def _elsewhere(self, document: str, known: set[str], text: str) -> int:
        return sum(
            bool(about) and document not in about and not mentions(name, known, text)
            for name, about in self.subjects.items()
        )

    def first_sight(self, one: Candidate) -> float:
        """A rough fitness without vectors, to leave out what is hopeless."""
        own = _stems(f"{one.around} {one.text}") | self.context[one.passage.document]
        return (
            0.5 * self.terms.covered(own)
            + 0.2 * self.terms.covered(own | _stems(one.beside))
            + one.passage.score
            + 0.2 * self.kind.fits(one.text, one.around)
            - self._elsewhere(one.passage.document, own, one.text)
        )

    def row(self, one: Candidate) -> dict[str, float]:
        """All features but those that compare candidates or need vectors."""
        title = _stems(one.passage.document)
        near = _stems(f"{one.around} {one.text}") | self.context[one.passage.document]
        fits = self.kind.fits(one.text, one.around)
        years = set(_YEAR.findall(f"{one.around} {one.text}"))
        return {
            "passage": one.passage.score,
            "words": self.terms.covered(near),
            "words_around": self.terms.covered(near | _stems(one.beside)),
            "words_title": self.terms.covered(title),
            "rarest": self.terms.met(self.terms.rarest, near) if self.terms.rarest else 0.0,
            "names": self._named(near, f"{one.passage.document} {one.around} {one.text}"),
            "names_document": self._named(self.by_document[one.passage.document], one.passage.text),
            "name_absent": float(any(one.passage.key not in keys for keys in self.holders.values())),
            "name_unknown": float(bool(self.unknown)),
            "other_subject": float(self._elsewhere(one.passage.document, near, one.text)),
            "other_edition": float(sum(stem(name) not in title | near for name in self.editions)),
            "boilerplate": float(one.boilerplate),
            "kind": fits if self.kind.known else 0.5,
            "kind_missing": float(fits == 0.0),
            "wrong_year": float(bool(self.years and years and not self.years & years)),
            "title_only": float(one.kind == "row" and not _FIGURE.search(_DATE.sub("", one.text))),
            "short": float(one.kind != "row" and len(one.text) < SHORT),
            "title_named": float(bool(self.titles & title)),
            "replaces": self._replaces(one),
        }

    def _named(self, known: set[str], text: str) -> float:
        if not self.names:
            return 1.0
        return sum(mentions(name, known, text) for name in self.names) / len(self.names)

    def _replaces(self, one: Candidate) -> float:
        if not self.change:
            return 0.0
        return 1.0 if _REPLACED.search(one.text) else 0.5 * bool(_REPLACED.search(one.passage.document))


def views(one: Candidate) -> tuple[str, str, str]:
    """What is embedded of a part for each of the features of meaning, in their order."""
    headed = f"{one.around} {one.text}".strip()
    return headed, one.text, f"{one.passage.document}. {headed} {one.beside}"[:WIDE]


def measure(
    asking: Asking, found: Sequence[Candidate], near: Vectors, covering: NDArray[np.float64]
) -> NDArray[np.float32]:
    """One row a candidate, one column a feature. `near`: cosines of the question with each of the views,
    (candidates, 3). `covering`: what quote_coverage.coverage tells of the first view, (candidates, 2).
    """
    rows: list[Mapping[str, float]] = [asking.row(one) for one in found]
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    columns |= dict(zip(("meaning", "meaning_alone", "meaning_wide"), near.T, strict=True))
    columns |= dict(zip(("covered", "asked"), covering.T, strict=True))
    columns |= {f"{name}_best": np.full(len(found), columns[name].max()) for name in ("covered", "asked")}
    columns["lead"] = np.full(len(found), _lead(columns["meaning_alone"]))
    return np.stack([columns[name] for name in FEATURES], axis=1).astype(np.float32)


def _lead(near: NDArray[Any]) -> float:
    best = np.sort(near)[::-1][: 1 + FOLLOWERS]
    return float(best[0] - best[1:].mean()) if len(best) == 1 + FOLLOWERS else 0.0


def _stems(text: str) -> set[str]:
    return set(stems(text))

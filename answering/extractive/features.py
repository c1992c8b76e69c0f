"""What can be measured about a question and the parts of passages, as numbers for the weights."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from answering.extractive.answer_kinds import Kind
from answering.extractive.attribute import Attribute
from answering.extractive.candidates import SHORT, Candidate, Passage
from answering.extractive.defined_terms import AskedTerm
from answering.extractive.named_documents import (
    Itself,
    named_documents,
    others_than_named,
)
from answering.extractive.numbered import asked_numbers, is_of_another
from answering.extractive.phrases import Phrases
from answering.extractive.question import Question
from answering.extractive.row_labels import label_fit
from answering.extractive.titles import is_title
from answering.extractive.usual_words import Matter, asked_matters
from answering.extractive.words import (
    Terms,
    identifying,
    is_proper,
    matter,
    mentions,
    names,
    owners,
    stem,
    stems,
    times,
)
from english.closed_classes import MODALS, one_of
from english.dates import YEAR
from english.periods import Periods
from providers.protocols import Vectors

FEATURES = (
    "meaning",  # cosine of question and part, the heading before it
    "meaning_alone",  # ... and the part without its heading
    "meaning_wide",  # ... and the part between its title, heading and neighbours
    "lead",  # by how much the nearest part in meaning is ahead of the next three
    "words",  # share of the question's words in the part or its heading; rare words count more
    "matter",  # the same of its words that are no names and no times: what is asked about them
    "name_absent",  # some name of the question is not in the passage or the title
    "other_subject",  # names of the question that other documents are about, and not this one nor the part
    "other_edition",  # figures of the question ("Q2", "2023") that stand in another's title and not in this
    "other_source",  # the question names the documents that are to answer, and this is none of them
    "other_number",  # "severity 2" is asked about, and the part speaks of "severity 1"
    "boilerplate",
    "kind",  # the kind of answer that was asked for
    "wrong_year",
    "short",
    "title",  # it only names something
    "label",  # how well the label of a row names what is asked for
    "change",  # a sentence tells by how much a figure has changed, and the figure itself is asked for
    "limit",  # a sentence limits a figure, and the figure itself is asked for
    "time_unnamed",  # a year is asked for that neither the part, its heads nor its title name
    "usual",  # the part has the words in which documents usually state what is asked, or defines it
    "plainly",  # ... and these alone tell that it does
    "otherwise",  # what is asked is usually stated in words that the part has not
    "in_phrase",  # what is asked for stands only in a longer phrase: "certificates of deposit"
    "another",  # "the lease" is asked about, and the part says "this Deed"
)

FIRST_PAGE = 1
SUBJECT_SHARE = 0.25  # of a document's own passages that have the name, when it is about it
FOLLOWERS = 3  # parts that the nearest one is compared with
VIEWS = ("meaning", "meaning_alone", "meaning_wide")  # the features that they make
WIDE = 400  # characters that are embedded of a part and what stands around it

_YEAR = re.compile(rf"\b{YEAR}\b")
_CHANGED = re.compile(r"\b(?:increas|decreas|declin|reduc)\w*|\b(?:grew|rose|fell)\b", re.IGNORECASE)
_ASKS_CHANGE = re.compile(
    rf"{_CHANGED.pattern}|\b(?:grow|chang|differ|rise|fall|up|down|why)\w*", re.IGNORECASE
)
_LIMIT = re.compile(
    r"\b(?:not exceed|(?:is|are|be) (?:limited to|capped)|no(?:t)? more than)\b", re.IGNORECASE
)
_ASKS_LIMIT = re.compile(
    r"\b(?:limit|cap|capped|max|most|exceed|liab|penalt|damage|compensat|up to|highest|ceiling)\w*",
    re.IGNORECASE,
)
# What law governs something is told by the law's name alone; nothing near it is half an answer.
_ASKS_LAW = re.compile(r"\bgovern(?:s|ed|ing)?\b|\bapplicable law\b|\bchoice of law\b", re.IGNORECASE)
_TO_COME = re.compile(rf"\b(?:{one_of(MODALS)}|if)\b", re.IGNORECASE)


# Of each name searched for by its letters: the first page of each document on which it was found.
Holders = Mapping[str, Mapping[str, int]]


class Asking:
    """A question among the passages that were found for it."""

    def __init__(self, question: Question, passages: Sequence[Passage], holders: Holders) -> None:
        documents = {passage.document for passage in passages}
        known = {passage.key: set(stems(f"{passage.of} {passage.text}")) for passage in passages}
        self._terms = Terms(question.text, list(known.values()))
        self._matter = Terms(matter(question.text), list(known.values()))
        self._question = question.text
        self._asked = set(stems(question.text))
        self._kind = Kind(question.asked)
        self._asks_figure = self._kind.is_figure and not _ASKS_CHANGE.search(question.text)
        self._asks_no_limit = self._kind.is_figure and not _ASKS_LIMIT.search(question.text)
        self._years = set(_YEAR.findall(question.text))
        self._periods = Periods.asked(question.text)
        self._attribute = Attribute(question, passages)
        self._matters = asked_matters(question.text)
        self._asks_law = bool(self._kind.is_law and _ASKS_LAW.search(question.text))
        self._term = AskedTerm(question.asked)
        self._itself = Itself(question.text)
        self._saying: dict[str, list[Matter]] = {}  # by the text of a part
        self._words_at: dict[tuple[str, int], set[str]] = {}  # by a part's passage and start
        self._is_other_time = _is_other_time(question.text, self._periods, passages)
        self._title_periods = {document: Periods.of(document) for document in documents}
        self._fiscal_years = _fiscal_years(passages if self._periods.fiscal else ())
        asked_names = names(question.text)
        self._identifying = [name for name in identifying(question.text) if name in asked_names]
        self._owners = set(owners(question.text))
        self._named_in = {
            name: {p.key for p in passages if mentions(name, known[p.key])} for name in asked_names
        }
        self._subjects = {
            name: {document for document in documents if self._is_about(document, name, passages, holders)}
            for name in asked_names
            if is_proper(name)
        }
        titles = {passage.document: set(stems(passage.of)) for passage in passages}
        texts = _texts(passages)
        changes = {passage.document: passage.changes for passage in passages}
        own = any(matter.own for matter in self._matters)
        self._sources = named_documents(question.text, texts)
        self._others = others_than_named(question.asked, texts, changes, own=own)
        self.only_named = bool(self._others) and (own or not question.compares)
        self._own_of_named = bool(self._others) and (own or self._asks_law)
        self._phrases = Phrases(matter(question.text), texts)
        self._numbers = asked_numbers(question.text, (passage.text for passage in passages))
        self._editions = [
            stem(name)
            for name in asked_names
            if any(map(str.isdigit, name)) and any(stem(name) in title for title in titles.values())
        ]
        self._unsaid = {
            document: title.union(
                *(stems(name) for name, about in self._subjects.items() if document in about),
                times(question.text) if self._periods.are_those_of(self._title_periods[document]) else (),
            )
            for document, title in titles.items()
        }

    def _is_about(self, document: str, name: str, passages: Sequence[Passage], holders: Holders) -> bool:
        """Whether a document has the name in its title, on its first page, or all over it."""
        if mentions(name, set(stems(document))) or holders.get(name, {}).get(document) == FIRST_PAGE:
            return True
        keys = {passage.key for passage in passages if passage.document == document and passage.by_meaning}
        return len(self._named_in[name] & keys) >= max(2, SUBJECT_SHARE * len(keys))

    def covers(self, part: Candidate) -> bool:
        """Whether the part may be about what is asked: the names and the times of the question.

        Nothing is, where no passage speaks of the years that are asked for; and of what each document has of
        its own, only that of the document which is named.
        A name is covered by the part and its headings, by a document that is about it, or, unless what is
        asked for is the name's own ("Boeing's tax rate"), by the passage.
        """
        if part.kind == "label" and not self.says_as_usual(part):
            return False  # it tells a day or a name, and nothing of what else is asked
        if self._is_other_time or (self._own_of_named and not self.is_of_named(part)):
            return False
        return self._covers_names(part) and self._covers_periods(part)

    def speaks_of_it(self, part: Candidate) -> bool:
        """Whether the part speaks of what is asked of somebody. Others are measured all the same: the nearest
        is the surer, the farther it is ahead of them.
        """
        if self._asks_law and not (self._kind_fits(part) or self.says_as_usual(part)):
            return False
        return self._attribute.is_named(part)

    def _covers_names(self, part: Candidate) -> bool:
        words = self._words(part)
        document = part.passage.document
        for name in self._identifying:
            if mentions(name, words) or document in self._subjects.get(name, ()):
                continue
            if name in self._owners or part.passage.key not in self._named_in[name]:
                return False
        return True

    def _covers_periods(self, part: Candidate) -> bool:
        if self._kind.is_date or not self._periods:
            return True
        fiscal = self._fiscal_years.get(part.passage.document, frozenset())
        if self._periods.fiscal and fiscal and not self._periods.fiscal & fiscal:
            return False
        words = Periods.of(f"{part.around} {part.text}")
        return self._periods.met_by(words, self._title_periods[part.passage.document])

    def first_sight(self, part: Candidate) -> float:
        """A rough fitness without vectors, to leave out what is hopeless."""
        words = self._words(part)
        return (
            0.25 * self._terms.covered(words)
            + 0.25 * self._terms.meant(words)
            + 0.2 * self._terms.covered(words.union(stems(part.beside)))
            + part.passage.score
            + 0.2 * self._kind_fits(part)
            + 0.5 * self._label(part)
            + 0.5 * self.says_as_usual(part)
            - self._other_subjects(part, words)
            - 0.5 * self.is_other_source(part)
        )

    def row(self, part: Candidate) -> dict[str, float]:
        """All features but those that compare parts or need vectors."""
        words = self._words(part)
        years = set(_YEAR.findall(f"{part.around} {part.text}"))
        saying = self._said_in(part.text)
        defines = self._term.is_defined_in(part.text)
        usual = float(bool(saying) or defines)
        return {
            "words": max(usual, self._terms.covered(words)),
            "matter": max(usual, self._matter.covered(words)),
            "name_absent": float(any(part.passage.key not in keys for keys in self._named_in.values())),
            "other_subject": float(self._other_subjects(part, words)),
            "other_edition": float(sum(edition not in words for edition in self._editions)),
            "other_source": float(self.is_other_source(part)),
            "other_number": float(is_of_another(part, self._numbers)),
            "boilerplate": float(part.boilerplate),
            "kind": self._kind_fits(part),
            "wrong_year": float(bool(self._years and years and not self._years & years)),
            "short": float(part.kind != "row" and len(part.text) < SHORT),
            "title": float(not part.heads and not usual and is_title(part.text)),
            "label": self._label(part),
            "change": float(
                self._asks_figure and part.kind == "sentence" and bool(_CHANGED.search(part.text))
            ),
            "limit": float(self._asks_no_limit and bool(_LIMIT.search(part.text))),
            "time_unnamed": float(not self._names_year(part)),
            "usual": usual,
            "plainly": float(defines or any(matter.plain for matter in saying)),
            "otherwise": float(bool(self._matters) and not usual),
            "in_phrase": float(self._phrases.only_have(part)),
            "another": float(self._itself.is_another(part.text)),
        }

    @property
    def statements(self) -> list[str]:
        """Sentences as documents usually have them that state what is asked."""
        return [statement for matter in self._matters for statement in matter.statements]

    def says_as_usual(self, part: Candidate) -> bool:
        """Whether the part states it in the usual words."""
        return bool(self._said_in(part.text)) or self._term.is_defined_in(part.text)

    def _said_in(self, text: str) -> list[Matter]:
        """Looked up once for each text: every part is asked about three times."""
        if text not in self._saying:
            self._saying[text] = [
                matter
                for matter in self._matters
                if matter.is_said(text) and matter.is_of(self._question, text)
            ]
        return self._saying[text]

    def _kind_fits(self, part: Candidate) -> float:
        return self._kind.fits(part.text, is_row=part.kind == "row")

    def _label(self, part: Candidate) -> float:
        if not self._kind.may_be_figure:
            return 0.0
        return label_fit(part, self._asked, self._matter.covered)

    def _names_year(self, part: Candidate) -> bool:
        if not self._periods.years:
            return True
        title = self._title_periods[part.passage.document]
        return self._periods.named_by(title.years | Periods.of(f"{part.around} {part.text}").years)

    def _words(self, part: Candidate) -> set[str]:
        """Those of the part and its heading, and what every sentence of its document leaves unsaid."""
        place = (part.passage.key, part.start)
        if place not in self._words_at:
            unsaid = self._unsaid[part.passage.document]
            named = " ".join(filter(is_proper, names(part.stands_for)))
            self._words_at[place] = unsaid.union(stems(f"{part.around} {part.text} {named}"))
        return self._words_at[place]

    def is_other_source(self, part: Candidate) -> bool:
        """Whether the question names documents that are to answer it, and the part is of none of them."""
        document = part.passage.document
        return document in self._others or bool(self._sources and document not in self._sources)

    def is_of_named(self, part: Candidate) -> bool:
        """Whether the part is of a document that the question names by its kind, if it names one."""
        return part.passage.document not in self._others

    def _other_subjects(self, part: Candidate, words: set[str]) -> int:
        return sum(
            bool(about) and part.passage.document not in about and not mentions(name, words)
            for name, about in self._subjects.items()
        )


def _texts(passages: Iterable[Passage]) -> dict[str, list[str]]:
    """Those of each document."""
    texts: dict[str, list[str]] = {}
    for passage in passages:
        texts.setdefault(passage.document, []).append(passage.text)
    return texts


def _fiscal_years(passages: Iterable[Passage]) -> dict[str, frozenset[str]]:
    return {
        document: frozenset().union(*(Periods.of(text).fiscal for text in texts))
        for document, texts in _texts(passages).items()
    }


def _is_other_time(question: str, asked: Periods, passages: Sequence[Passage]) -> bool:
    """Whether passages speak of years, but of none that is asked for. What will be can follow from words that
    name no year.
    """
    if not asked.years or _TO_COME.search(question):
        return False
    told = {year for passage in passages for year in Periods.of(f"{passage.document} {passage.text}").years}
    return bool(told) and not asked.years & told


def views(part: Candidate) -> tuple[str, str, str]:
    """What is embedded of a part for each of the features of meaning, in their order."""
    headed = f"{part.around} {part.text}".strip()
    return headed, part.text, f"{part.passage.document}. {headed} {part.beside}"[:WIDE]


def measure(rows: Sequence[Mapping[str, float]], cosines: Vectors) -> NDArray[np.float32]:
    """One row a part, one column a feature. rows: as `Asking.row` makes them. cosines: of the question with
    each of the views, (parts, 3).
    """
    columns = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    columns |= dict(zip(VIEWS, cosines.T, strict=True))
    columns["lead"] = np.full(len(rows), _lead(columns["meaning_alone"]))
    return np.stack([columns[name] for name in FEATURES], axis=1).astype(np.float32)


def _lead(cosines: NDArray[Any]) -> float:
    best = np.sort(cosines)[::-1][: 1 + FOLLOWERS]
    return float(best[0] - best[1:].mean()) if len(best) == 1 + FOLLOWERS else 0.0

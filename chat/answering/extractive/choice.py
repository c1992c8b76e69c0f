"""Which of the ranked sentences are quoted, and whether they are an answer at all."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from chat.answering.extractive.answer_kinds import Kind
from chat.answering.extractive.candidates import Candidate, with_its_neighbours
from chat.answering.extractive.named_documents import named_in
from chat.answering.extractive.usual_words import asked_matters, places_asked
from text.amendments import changed_clauses, number_of_clause, on_one_point

QUOTES = 3
BY_NAME = 2  # words of its title with which a question names a document: "the contract of employment"
CLAUSES = 5  # quotes, where a document has several clauses of the kind that is asked for
SAME_KIND = 2.5  # how close to the score of the best one such a clause is
PLAINLY = 6.0  # ... and one whose words alone tell that it answers, or one of another document
FOUND = 0.38  # sureness; a less sure sentence is shown as an answer in part
SOME = 0.24  # the best sentence of a question that the documents don't answer seldom has more
NEAR_BEST = 1.0  # a sentence whose score is this close to the best may be the right one instead
OTHER_DOCUMENT = 0.5  # share of the sureness asked of the first that the other of a pair needs
SAME_MATTER = 0.45  # cosine of two sentences about one thing
TOGETHER = 0.5  # what that cosine counts beside the sureness of both
PAIRED = 16  # sentences among which a pair is looked for
REPLACED = 0.05  # sureness that a clause and its replacement need, as each proves the other to be meant

_CLAUSE = re.compile(r"\b[Cc]lauses? (\d{1,3}(?:\.\d{1,3})+)")
_OF_DOCUMENT = re.compile(
    r"\b[Cc]lauses? \d{1,3}(?:\.\d{1,3})+ of (?:the|our|your) (?:[A-Z]\w+ ){0,2}?([A-Z]\w+)"
)
_REPLACES = re.compile(r"\b(?:deleted|replaced|replaces|amended|substituted|instead of|in place of)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The quotes in order of fitness, and how much of the question they answer."""

    quotes: tuple[Candidate, ...]
    found: Literal["all", "some", "none"]
    unanswered: tuple[str, ...] = ()  # the question, or those within it, to which nothing is quoted
    missing: str = ""  # years that are asked for and that no quote names; where nothing is quoted, no passage


def choose(
    rankings: Sequence[Sequence[Candidate]],
    everything: Sequence[Candidate],
    *,
    question: str = "",
    asked: Sequence[str] = (),
    compares: bool,
    broad: bool,
    several: bool = False,
    plainly: bool = False,
) -> Choice:
    """`rankings`: the whole question's first, then those of its parts, if it has several: `asked`.

    `compares` says that the question asks for what two documents, or two times, say; `broad` that no one
    sentence can be expected to answer it; `several` that a document may answer it by more than one clause;
    `plainly` that a clause with the usual words always answers it.
    """
    whole, *parts = rankings
    questions = [*asked, question] if parts else [question]
    if max(map(how_sure, rankings)) < SOME:
        return Choice(quotes=(), found="none")
    missing = broad or any(how_sure(ranking) < FOUND for ranking in parts or [whole])
    chosen: list[Candidate] = []
    if compares:
        pair = _replacement(whole) or _pair(whole)
        missing = missing or not pair
        chosen += pair
    # What answers one of several questions in one comes before what is near to all of them.
    for ranking, text in zip((*parts, whole), questions, strict=True):
        if how_sure(ranking) < SOME:
            continue
        best, *others = ranking
        beside = partners(best, ranking, everything) or _amended(best, others, text)
        chosen += [best, *beside]
    answering = len(chosen) if parts else 0
    documents = {quote.passage.document for quote in chosen}
    clauses = [
        quote
        for clause in (_of_one_kind(whole, documents, plainly) if several else [])
        for quote in (clause, *partners(clause, whole, everything))
    ]
    chosen += clauses
    chosen += _of_other_documents(whole, documents, question) if plainly else []
    chosen += [
        quote
        for quote in whole
        if quote.score >= whole[0].score - NEAR_BEST and not _is_of_less_named(quote, whole[0], question)
    ]
    texts = {part.text for part in everything}
    most = min(max(QUOTES, len(clauses), answering), CLAUSES)
    quotes = _first_distinct((with_its_neighbours(quote, texts) for quote in chosen), most)
    return Choice(quotes=quotes, found="some" if missing else "all")


def how_sure(ranking: Sequence[Candidate]) -> float:
    """Of the best; 0 where nothing speaks of what is asked."""
    return ranking[0].sure if ranking else 0.0


def references(quote: Candidate) -> set[str]:
    """Numbers of the clauses that a sentence is, or speaks of."""
    return set(_CLAUSE.findall(quote.text)) | _own_number(quote)


def is_number_of(part: Candidate, clauses: Collection[str]) -> bool:
    """Whether the part is one of these clauses."""
    return not _own_number(part).isdisjoint(clauses)


def replaced_by(part: Candidate) -> set[str]:
    """Numbers of the clauses that it says are deleted or replaced."""
    return changed_clauses(part.text)


def _own_number(part: Candidate) -> set[str]:
    """Of "8.1 The Tenant shall ..." the number; of "8 The ..." none, which may be a figure."""
    number = number_of_clause(part.text)
    return {number} if "." in number else set()


def partners(
    quote: Candidate, ranking: Sequence[Candidate], everything: Iterable[Candidate]
) -> list[Candidate]:
    """A clause of another document that this sentence replaces or rests on, or a sentence there about it.

    The best ranked such sentence; failing that, one that was not looked at but plainly replaces.
    """
    own, named = _own_number(quote), set(_CLAUSE.findall(quote.text))
    replaces = bool(_REPLACES.search(quote.text))

    def belongs(other: Candidate, *, plainly: bool) -> bool:
        if other.passage.document == quote.passage.document or _is_of_another_contract(quote, other):
            return False
        if own & replaced_by(other) and quote.passage.document in other.passage.changes:
            return True
        if _OF_DOCUMENT.search(other.text) and not _is_of(other, quote):
            return False  # "clause 6.1 of the Lease" is none of another contract
        if named & _own_number(other) and (replaces or _is_of(quote, other)):
            return True
        speaks_of_this = bool(own & set(_CLAUSE.findall(other.text)))
        return speaks_of_this and (not plainly or bool(_REPLACES.search(other.text)))

    ranked = [other for other in ranking if belongs(other, plainly=False)]
    return (ranked or [other for other in everything if belongs(other, plainly=True)])[:1]


def _amended(quote: Candidate, ranking: Sequence[Candidate], question: str) -> list[Candidate]:
    """Where its document is amended, or amends another one: the best sentence there on the same point, with
    the kind of answer that is asked for if the quote has it.
    """
    if any(matter.own for matter in asked_matters(question)):
        return []  # an amendment has parties and signatures of its own
    matters, kind = asked_matters(question), Kind(question)

    def states(part: Candidate) -> bool:
        return any(places_asked(kind, matters, part.text))

    found = [
        other
        for other in ranking
        if is_amended(quote, other)
        and other.sure >= SOME * OTHER_DOCUMENT
        and (states(other) or not states(quote))
        and (
            (quote.said and other.said and states(other))
            or on_one_point(other.text, quote.text, f"{quote.passage.of} {other.passage.of}")
        )
    ]
    return sorted(found, key=lambda other: quote.said and not other.said)[:1]


def is_amended(one: Candidate, other: Candidate) -> bool:
    """Whether the document of one changes that of the other."""
    return one.passage.document in other.passage.changes or other.passage.document in one.passage.changes


def _is_of_another_contract(one: Candidate, other: Candidate) -> bool:
    """Whether one changes contracts, and the other is of none of them."""
    return any(
        change.passage.changes and changed.passage.document not in change.passage.changes
        for change, changed in ((one, other), (other, one))
    )


def _is_of(quote: Candidate, clause: Candidate) -> bool:
    """Whether the quote names the clause's document: "as clause 5.2 of the Lease requires"."""
    named = {kind.lower() for kind in _OF_DOCUMENT.findall(quote.text)}
    told = f"{clause.passage.document} {clause.passage.text}".lower()
    return any(re.search(rf"(?<!\w){kind}\b", told) for kind in named)


def _replacement(ranking: Sequence[Candidate]) -> list[Candidate]:
    """The best sentence that replaces a clause of another document, and that clause; empty without such.

    Both are looked for, because a legal sentence of many words is never as sure as one that only speaks of
    the change.
    """
    for new in ranking[:PAIRED]:
        clauses = replaced_by(new) if new.sure >= REPLACED else set()
        for old in ranking:
            is_replaced = is_number_of(old, clauses) and old.sure >= REPLACED
            if is_replaced and old.passage.document != new.passage.document:
                return [new, old]
    return []


def _pair(ranking: Sequence[Candidate]) -> list[Candidate]:
    """The best two sentences of two documents on one matter; empty when no two are near enough."""
    pairs = [
        (one.sure + other.sure + TOGETHER * _likeness(one, other), [one, other])
        for position, one in enumerate(ranking[:PAIRED])
        for other in ranking[position + 1 : PAIRED]
        if one.passage.document != other.passage.document
        and other.sure >= SOME * OTHER_DOCUMENT
        and _likeness(one, other) >= SAME_MATTER
    ]
    return max(pairs, key=lambda pair: pair[0])[1] if pairs else []


def _likeness(one: Candidate, other: Candidate) -> float:
    return float(one.vector @ other.vector) if one.vector is not None and other.vector is not None else 0.0


def _of_one_kind(ranking: Sequence[Candidate], documents: Collection[str], plainly: bool) -> list[Candidate]:
    """The clauses of these documents, those of the best one and its partners, that state what is asked as it
    does: a contract may be ended for a breach, and by notice.
    """
    stated = _stated(ranking, PLAINLY if plainly else SAME_KIND)
    return [part for part in stated if part.passage.document in documents]


def _of_other_documents(
    ranking: Sequence[Candidate], documents: Collection[str], question: str
) -> list[Candidate]:
    """The best one of each other document that states what is asked as plainly: two contracts name a law.
    None of a document that is less what the question is about than the best one's.
    """
    first: dict[str, Candidate] = {}
    for part in _stated(ranking, PLAINLY):
        title, best = part.passage.document, ranking[0].passage.document
        is_asked = ranking[0].passage.document in part.passage.changes or (
            named_in(question, title) >= named_in(question, best)
        )
        if title not in documents and is_asked:
            first.setdefault(title, part)
    return list(first.values())


def _is_of_less_named(quote: Candidate, best: Candidate, question: str) -> bool:
    """Whether the question names the document of the best by several words, and this one's by fewer; not so
    one that changes that document.
    """
    if best.passage.document in quote.passage.changes:
        return False
    named = named_in(question, best.passage.document)
    return named >= BY_NAME and named_in(question, quote.passage.document) < named


def _stated(ranking: Sequence[Candidate], behind: float) -> list[Candidate]:
    """What states what is asked in the usual words, not much less fit than the best, if that does."""
    best = ranking[0] if ranking else None
    if best is None or not best.said or best.sure < FOUND:
        return []
    stated = (part for part in ranking if part.said and part.sure >= FOUND)
    return [part for part in stated if part.score >= best.score - behind]


def _first_distinct(chosen: Iterable[Candidate], most: int) -> tuple[Candidate, ...]:
    """At most so many, none within another."""
    quotes: list[Candidate] = []
    for quote in chosen:
        if len(quotes) == most:
            break
        if not any(quote.text in other.text or other.text in quote.text for other in quotes):
            quotes.append(quote)
    return tuple(quotes)

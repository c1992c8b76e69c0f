"""Which of the ranked sentences are quoted, and whether they are an answer at all."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from answering.extractive.answer_kinds import Kind
from answering.extractive.candidates import Candidate, with_its_neighbours
from answering.extractive.named_documents import named_in
from answering.extractive.usual_words import asked_matters, places_asked
from answering.extractive.words import matter, stems
from english.contracts.clauses import changed_clauses, number_of_clause, on_one_point, on_one_term, sets_aside

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question, as far as it says what to choose.

    compares: it asks for what two documents, or two times, say. broad: no one sentence can be expected to
    answer it. several: a document may answer it by more than one clause. plainly: a clause with the usual
    words always answers it.
    """

    text: str = ""
    compares: bool = False
    broad: bool = False
    several: bool = False
    plainly: bool = False


def choose(
    rankings: Sequence[Sequence[Candidate]], everything: Sequence[Candidate], asked: Sequence[Asked]
) -> Choice:
    """`rankings` and `asked`: the whole question's first, then those of its parts, if it has several. Each
    part is answered as if it were asked alone.
    """
    if max(map(how_sure, rankings)) < SOME:
        return Choice(quotes=(), found="none")
    both = list(zip(rankings, asked, strict=True))
    answers: list[_Answer] = []
    for ranking, one in both[1:] or both:
        before = [quote for answer in answers for quote in answer.first]
        answers.append(_answer(_going_on(ranking, before), one, everything))
    # What answers one of several questions in one comes before what is near to all of them.
    due = [*_first_of(answers), *(quote for answer in answers for quote in answer.others)]
    near = answers if len(both) == 1 else [_answer(*both[0], everything)]
    chosen = [*due, *(quote for answer in near for quote in (*answer.first, *answer.near))]
    texts = {part.text for part in everything}
    most = min(max(QUOTES, len(due)), CLAUSES)
    quotes = _first_distinct((with_its_neighbours(quote, texts) for quote in chosen), most)
    missing = asked[0].broad or any(answer.is_partial for answer in answers)
    return Choice(quotes=quotes, found="some" if missing else "all")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Answer:
    """What is quoted to one question: first, what else states it, and what may be the right one instead."""

    first: tuple[Candidate, ...] = ()
    others: tuple[Candidate, ...] = ()
    near: tuple[Candidate, ...] = ()
    is_partial: bool = True


def _answer(ranking: Sequence[Candidate], asked: Asked, everything: Sequence[Candidate]) -> _Answer:
    if how_sure(ranking) < SOME:
        return _Answer()
    best, *others = ranking
    pair = (_replacement(ranking, asked.text) or _pair(ranking)) if asked.compares else []
    first = [*pair, best, *(partners(best, ranking, everything) or _amended(best, others, asked.text))]
    documents = {quote.passage.document for quote in first}
    clauses = [
        quote
        for clause in (_of_one_kind(ranking, documents, asked.plainly) if asked.several else [])
        for quote in (clause, *partners(clause, ranking, everything))
    ]
    elsewhere = [
        quote
        for other in _of_other_documents(ranking, documents, asked)
        for quote in (other, *_amended(other, others, asked.text))
    ]
    return _Answer(
        first=tuple(first),
        others=(*clauses, *elsewhere),
        near=tuple(
            quote
            for quote in ranking
            if quote.score >= best.score - NEAR_BEST and not _is_of_less_named(quote, best, asked.text)
        ),
        is_partial=best.sure < FOUND or (asked.compares and not pair),
    )


def _first_of(answers: Sequence[_Answer]) -> Iterator[Candidate]:
    return (quote for answer in answers for quote in answer.first)


def _going_on(ranking: Sequence[Candidate], before: Sequence[Candidate]) -> list[Candidate]:
    """A later part of a question goes on about the documents that answered the earlier ones, where these
    answer it nearly as well: "What is the break date, and what notice must be given?".
    """
    documents = {quote.passage.document for quote in before}
    best = ranking[0] if ranking else None
    if best is None or not documents or best.passage.document in documents:
        return list(ranking)
    own = [part for part in ranking if part.passage.document in documents]
    fits = [part for part in own if part.sure >= FOUND and part.said >= best.said]
    if not fits or fits[0].score < best.score - SAME_KIND:
        return list(ranking)
    return [fits[0], *(part for part in ranking if part is not fits[0])]


def how_sure(ranking: Sequence[Candidate]) -> float:
    """Of the best; 0 where nothing speaks of what is asked."""
    return ranking[0].sure if ranking else 0.0


def references(quote: Candidate) -> set[str]:
    """Numbers of the clauses that a sentence is, or speaks of."""
    return set(_CLAUSE.findall(quote.text)) | _own_number(quote)


def is_number_of(part: Candidate, clauses: Collection[str]) -> bool:
    """Whether the part is one of these clauses."""
    return not _own_number(part).isdisjoint(clauses)


def replaced_by(part: Candidate) -> frozenset[str]:
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
        if _sets_aside(other, quote) or _sets_aside(quote, other):
            return True
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
    asked = set(stems(matter(question))).difference(stems(quote.passage.of)) or {question}

    def states(part: Candidate) -> bool:
        return any(places_asked(kind, matters, part.text))

    found = [
        other
        for other in ranking
        if is_amended(quote, other)
        and other.sure >= SOME * OTHER_DOCUMENT
        and (states(other) or not states(quote) or (other.said and on_one_term(other.text, quote.text)))
        and (
            (quote.said and other.said and states(other))
            or (states(other) and asked <= set(stems(other.text)))
            or on_one_point(other.text, quote.text, f"{quote.passage.of} {other.passage.of}")
        )
    ]
    return sorted(found, key=lambda other: quote.said and not other.said)[:1]


def _sets_aside(change: Candidate, clause: Candidate) -> bool:
    """Whether one is of a document that changes the other's, and an exception to that clause."""
    return sets_aside(change.text, change.passage.changes, clause.passage.document, clause.clause)


def _states(asked: Asked, part: Candidate) -> bool:
    """Whether it has the kind of answer that is asked for, in the words that state it."""
    return any(places_asked(Kind(asked.text), asked_matters(asked.text), part.text))


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


def _replacement(ranking: Sequence[Candidate], question: str) -> list[Candidate]:
    """The best sentence that replaces a clause of another document, and that clause; empty without such.

    Both are looked for, because a legal sentence of many words is never as sure as one that only speaks of
    the change. One of them must have a word of what is asked, besides those of their titles.
    """
    asked = set(stems(matter(question)))
    for new in ranking[:PAIRED]:
        clauses = replaced_by(new) if new.sure >= REPLACED else set()
        for old in ranking:
            is_replaced = is_number_of(old, clauses) and old.sure >= REPLACED
            if not is_replaced or old.passage.document == new.passage.document:
                continue
            telling = asked.difference(stems(f"{new.passage.of} {old.passage.of}")) or asked
            if not telling.isdisjoint(stems(f"{new.text} {old.around} {old.text}")):
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
    ranking: Sequence[Candidate], documents: Collection[str], asked: Asked
) -> list[Candidate]:
    """The best one of each other document that states what is asked as plainly: two contracts name a law.
    None of a document that is less what the question is about than the best one's.
    """
    first: dict[str, Candidate] = {}
    best_states = _states(asked, ranking[0])
    for part in _stated(ranking, PLAINLY):
        if best_states and not _states(asked, part):
            continue
        title, best = part.passage.document, ranking[0].passage.document
        is_asked = ranking[0].passage.document in part.passage.changes or (
            named_in(asked.text, title) >= named_in(asked.text, best)
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

"""What is searched for a question, and what the conversation holds of the results."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from answering.extractive.amendments import with_what_they_change
from answering.extractive.candidates import Candidate, Passage
from answering.extractive.changes import LOOKED_UP, asks_for_changes
from answering.extractive.choice import references
from answering.extractive.defined_terms import definition_words
from answering.extractive.features import FIRST_PAGE, Holders
from answering.extractive.question import Question
from answering.extractive.usual_words import asked_matters
from answering.extractive.words import is_proper, names
from answering.tools import passages
from answering.tools.passages import KeyedPassage
from english.periods import Periods
from providers.protocols import Message, ToolCall

DENSE, LITERAL = "search_chunks", "search_literal"  # names of retrieval.tools, which would bring the database
PASSAGES = 25  # asked of a search by meaning
LITERAL_PASSAGES = 4  # asked of each search by words
NAMED_PASSAGES = 25  # asked for a name: they tell which document is about it; the first ones may be quoted
LITERAL_SEARCHES = 4
NAMED_DOCUMENTS = 2  # so many are searched by themselves
LITERAL_LIKENESS = 0.85  # below it the words were not found, only something like them
LONGEST_QUERY = 1000  # characters
UNSEEN = 0.2  # nearness of a passage when no search by meaning gave any

_QUOTED = re.compile(r"[\"“]([^\"”]{3,100})[\"”]")
_LONG_WORD = re.compile(r"[^\W\d_]{6,}")

Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a conversation holds: the question, how often tools were called for it, what they gave, and what
    was answered last.
    """

    question: Question
    rounds: int
    passages: tuple[Passage, ...]
    holders: Holders
    last_answer: str = ""


def by_meaning(query: str) -> Call:
    return DENSE, {"query": query[:LONGEST_QUERY], "limit": PASSAGES}


def by_words(words: str, limit: int = LITERAL_PASSAGES) -> Call:
    return LITERAL, {"words": words, "limit": limit}


def first_searches(question: Question) -> list[Call]:
    """By meaning for the question and each of its parts, by words for what must be spelt so, and for what may
    be defined.
    """
    defined = (definition_words(one.text) for one in question.parts or [question])
    changes = LOOKED_UP if asks_for_changes(question.text) else ()
    own = [question.asked] if question.own_words else []
    return [
        *map(by_meaning, [*own, *_queries(question)]),
        *(by_words(words, NAMED_PASSAGES) for words in changes),
        *map(by_words, filter(None, defined)),
        *(
            by_words(words, NAMED_PASSAGES if is_proper(words) else LITERAL_PASSAGES)
            for words in dict.fromkeys(
                word for one in question.parts or [question] for word in literal_words(one.text)
            )
        ),
    ]


def _queries(question: Question) -> list[str]:
    """The question and each of its parts, each with a usual statement of what it asks: passages that state it
    may have no word of the question.
    """
    queries = dict.fromkeys(
        query
        for one in (question, *question.parts)
        for query in (one.text, *(matter.statements[0] for matter in asked_matters(one.text)))
    )
    return list(queries)


def literal_words(question: str) -> list[str]:
    """Words in quotation marks, names, codes and numbers; then the longest words."""
    long = sorted(set(_LONG_WORD.findall(question)), key=lambda word: (-len(word), word))
    words = dict.fromkeys([*_QUOTED.findall(question), *names(question), *long])
    return [word for word in words if len(word) > 1][:LITERAL_SEARCHES]


def further_searches(question: Question, quotes: Sequence[Candidate]) -> list[Call]:
    """The clauses that the best sentences name or are, and the same matter in other documents."""
    clauses = sorted({number for quote in quotes[:2] for number in references(quote)})[:LITERAL_SEARCHES]
    calls = [by_words(f"clause {number}") for number in clauses]
    calls += [by_words(f"{number} The") for number in clauses[:2]]
    if quotes and question.compares:
        calls.append(by_meaning(quotes[0].text))
    return calls


def searches_in_named_documents(question: str, holders: Holders) -> list[Call]:
    """In documents that have a name of the question on their first page and its time in their title, where
    they are few: others of their kind may have taken all the places among the passages.
    """
    asked, named = Periods.asked(question), set(filter(is_proper, names(question)))
    titles = dict.fromkeys(
        title
        for words, pages in holders.items()
        for title, page in pages.items()
        if words in named and page == FIRST_PAGE and asked.are_those_of(Periods.of(title))
    )
    few = list(titles) if len(titles) <= NAMED_DOCUMENTS else []
    return [by_meaning(f"{question} {title}") for title in few]


def read(messages: Sequence[Message]) -> Findings:
    """Only the user's words are a question; tools' results are passages and nothing more."""
    calling = [position for position, message in enumerate(messages) if message.tool_calls]
    before = messages[: calling[0]] if calling else messages
    question = Question.last_of([message.content for message in before if message.role == "user"])
    calls = {call.id: call for position in calling for call in messages[position].tool_calls}
    results = [
        (call, passages.read(message.content))
        for message in messages
        if message.tool_call_id and (call := calls.get(message.tool_call_id))
    ]
    literal = [
        (_arguments(call)["words"], [row for row in rows if row.score >= LITERAL_LIKENESS])
        for call, rows in results
        if call.name == LITERAL
    ]
    dense = [(_arguments(call)["query"], rows) for call, rows in results if call.name == DENSE]
    answers = [message.content for message in before if message.role == "assistant"]
    return Findings(
        last_answer=answers[-1] if answers else "",
        question=question,
        rounds=len(calling),
        passages=tuple(with_what_they_change(_distinct(question, dense, literal))),
        holders={words: _first_pages(rows) for words, rows in literal},
    )


def _distinct(
    question: Question,
    dense: Sequence[tuple[str, list[KeyedPassage]]],
    literal: Sequence[tuple[str, list[KeyedPassage]]],
) -> tuple[Passage, ...]:
    """Each passage once, with its nearness to the question; one found by words alone was less near. Of those
    with the words of a change, each is looked at.
    """
    asked = {query[:LONGEST_QUERY] for query in _queries(question)}
    near: dict[str, float] = {}
    for row in (row for query, rows in dense if query in asked for row in rows):
        near[row.key] = max(near.get(row.key, 0.0), row.score)
    least = min(near.values(), default=UNSEEN)
    shown = [*(row for _, rows in dense for row in rows)]
    shown += [
        row
        for words, rows in literal
        for row in rows[: NAMED_PASSAGES if words in LOOKED_UP else LITERAL_PASSAGES]
    ]
    return tuple(
        Passage(
            key=row.key,
            document=row.document,
            text=row.text,
            score=near.get(row.key, least),
            by_meaning=row.key in near,
            table=row.table,
            table_heads=row.table_heads,
            changes=tuple(row.amends),
        )
        for row in {row.key: row for row in shown}.values()
    )


def _first_pages(rows: Sequence[KeyedPassage]) -> dict[str, int]:
    pages: dict[str, int] = {}
    for row in rows:
        page = int(row.pages.split("-")[0])
        pages[row.document] = min(page, pages.get(row.document, page))
    return pages


def _arguments(call: ToolCall) -> dict[str, Any]:
    """Of a call that this model has made."""
    arguments: dict[str, Any] = json.loads(call.arguments)
    return arguments

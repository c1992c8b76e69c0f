"""The keyless chat model: it calls a language model's tools and answers with the passages' own words."""

import asyncio
import json
import re
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chat.answering.extractive.candidates import Candidate, Passage, candidates
from chat.answering.extractive.choice import Choice, choose, references
from chat.answering.extractive.features import Holders, Question
from chat.answering.extractive.ranking import rank
from chat.answering.extractive.words import is_proper, names, stems
from providers.protocols import (
    Embedder,
    Message,
    Reply,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
    Vectors,
)

SEARCH, LITERAL, ANSWER = "search_chunks", "search_literal", "answer"
PASSAGES = 25  # asked of a search by meaning
LITERAL_PASSAGES = 4  # asked of each search by words
NAMED_PASSAGES = 25  # asked for a name: they tell which document is about it; the first ones may be quoted
LITERAL_SEARCHES = 4
LITERAL_LIKENESS = 0.85  # below it the words were not found, only something like them
FEW_WORDS = 2  # a question with no more content words leans on the one before it
UNSEEN = 0.2  # nearness of a passage when no search by meaning gave any

_AND = re.compile(
    r"[,;]?\s+and\s+(?=(?:what|how|when|where|who|why|which|did|do|does|is|are|was|were|has|have|can|may)\b)",
    re.IGNORECASE,
)
_COMPARES = re.compile(
    r"\b(?:compar\w*|differ\w*|chang\w*|versus|vs|both|before|old|new|previous\w*|original\w*|amend\w*|still|now)\b",
    re.IGNORECASE,
)
_BROAD = re.compile(
    r"\bover (?:time|the (?:last|past|years|quarters))\b|\btrends?\b"
    r"|\bfactors?\b|\bdrivers?\b|\baffect\w*|\bimpact\w*"
    r"|\brelat(?:e|ion)\w*|\bsummar\w+|\bdescribe\b|\bexplain\b|\boverview\b|\banaly[sz]e\b|\bexamine\b"
    r"|\bimplications?\b|\bsuggests?\b|\bindicates?\b|\broles?\b|\bbreakdown\b|\bcontribut\w+|\bcorrelat\w+"
    r"|\bsignificant\b|\bmajor\b|\b(?:risks|changes|details|developments|initiatives)\b",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|its|they|them|their|he|she|his|her|this|that|these|those)\b", re.IGNORECASE)
_OWN_SYNTAX = ("/citation[", "⟦")  # words that would be read as a part of the answer's form
_MARKDOWN = re.compile(r"([\\`*_<\[\]~|])")

Call = tuple[str, dict[str, Any]]


class QuotesModel:
    """Chooses sentences by vectors and words. It writes nothing of its own, and obeys nothing it reads."""

    name = "quotes"
    writes_prose = False

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = _Remembering(embedder)

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], *, tool_choice: str = "required"
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply]:
        """Search; then look up what the best sentences refer to; then answer. Raises ProviderError."""
        talk = read(messages)
        if talk.rounds == 0:
            self._embedder.forget()
        offered = {tool.name for tool in tools}
        calls = _only(offered, first_searches(talk.question)) if talk.rounds == 0 else []
        if not calls:
            choice = await asyncio.to_thread(self.choose, talk)
            if talk.rounds == 1:
                calls = _only(offered, further_searches(talk.question, choice))
            if not calls:
                calls = [(ANSWER, {"answer": written(choice), "found": choice.found})]
        made = tuple(
            ToolCall(
                id=f"quotes-{talk.rounds}-{index}",
                name=name,
                arguments=json.dumps(values, ensure_ascii=False),
            )
            for index, (name, values) in enumerate(calls)
        )
        for index, call in enumerate(made):
            for piece in re.findall(r".{1,200}", call.arguments, re.DOTALL):
                yield ToolCallDelta(index=index, id=call.id, name=call.name, arguments=piece)
        yield Reply(content="", tool_calls=made, usage=Usage())

    def choose(self, talk: "Talk") -> Choice:
        """Blocks while the sentences are embedded."""
        found = quotable(talk)
        return choose(
            self.ranked(talk, found),
            found,
            compares=bool(_COMPARES.search(talk.question.asked)),
            broad=bool(_BROAD.search(talk.question.asked)),
        )

    def ranked(self, talk: "Talk", found: Sequence[Candidate]) -> list[list[Candidate]]:
        """For the question and each of its parts, what may be quoted, the fittest first."""
        questions = [talk.question, *parts_of(talk.question)]
        return rank(questions, found, talk.passages, talk.holders, self._embedder)


class _Remembering:
    """An embedder that keeps what it made: the rounds of one answer look at mostly the same sentences."""

    def __init__(self, embedder: Embedder) -> None:
        self.name, self.dimensions = embedder.name, embedder.dimensions
        self.count_tokens = embedder.count_tokens
        self._embedder = embedder
        self.forget()

    def forget(self) -> None:
        self._known: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        known = self._known
        new = [text for text in dict.fromkeys(texts) if text not in known]
        if new:
            known.update(zip(new, self._embedder.embed(new), strict=True))
        return np.stack([known[text] for text in texts])


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What the messages say: the question, how often tools were called for it, and what they gave."""

    question: Question
    rounds: int
    passages: tuple[Passage, ...]
    holders: Holders


def quotable(talk: Talk) -> list[Candidate]:
    return [one for one in candidates(talk.passages) if not any(mark in one.text for mark in _OWN_SYNTAX)]


def read(messages: Sequence[Message]) -> Talk:
    """Only the user's words are a question; tools' results are passages and nothing more."""
    calling = [position for position, one in enumerate(messages) if one.tool_calls]
    before = messages[: calling[0]] if calling else messages
    asked = [one.content for one in before if one.role == "user"]
    question = question_of(asked[-1] if asked else "", asked[-2] if len(asked) > 1 else "")
    calls = {call.id: call for position in calling for call in messages[position].tool_calls}
    results = [(calls[one.tool_call_id], one.content) for one in messages if one.tool_call_id in calls]
    return Talk(
        question=question,
        rounds=len(calling),
        passages=_passages(question, results),
        holders=_holders(results),
    )


def question_of(asked: str, earlier: str) -> Question:
    """A question of few words borrows those of the one before it: "and when does it end?"."""
    if len(stems(asked)) > FEW_WORDS or not earlier:
        return Question(text=asked, asked=asked)
    return Question(text=f"{earlier} {asked}", asked=asked)


def parts_of(question: Question) -> list[Question]:
    """The questions within a question, when there are several that stand alone."""
    found = [part.strip() for part in _AND.split(question.text)]
    if len(found) < 2 or any(len(stems(part)) < FEW_WORDS for part in found):
        return []
    return [Question(text=question.text if _PRONOUN.search(part) else part, asked=part) for part in found]


def first_searches(question: Question) -> list[Call]:
    """By meaning for the question and each of its parts, by words for what must be spelt so."""
    by_meaning = [question, *parts_of(question)]
    return [
        *(
            (SEARCH, {"query": text[:1000], "limit": PASSAGES})
            for text in dict.fromkeys(one.text for one in by_meaning)
        ),
        *(
            (LITERAL, {"words": words, "limit": NAMED_PASSAGES if is_proper(words) else LITERAL_PASSAGES})
            for words in literal_words(question.text)
        ),
    ]


def literal_words(question: str) -> list[str]:
    """Words in quotation marks, names, codes and numbers; then the longest words."""
    quoted = re.findall(r"[\"“]([^\"”]{3,100})[\"”]", question)
    long = sorted(set(re.findall(r"[^\W\d_]{6,}", question)), key=lambda word: (-len(word), word))
    found = [word for word in dict.fromkeys([*quoted, *names(question), *long]) if len(word) > 1]
    return found[:LITERAL_SEARCHES]


def further_searches(question: Question, choice: Choice) -> list[Call]:
    """The clauses that the best sentences name or are, and the same matter in other documents."""
    clauses = sorted({number for one in choice.quotes[:2] for number in references(one)})[:LITERAL_SEARCHES]
    calls: list[Call] = [
        (LITERAL, {"words": f"clause {number}", "limit": LITERAL_PASSAGES}) for number in clauses
    ]
    calls += [(LITERAL, {"words": f"{number} The", "limit": LITERAL_PASSAGES}) for number in clauses[:2]]
    if choice.quotes and _COMPARES.search(question.asked):
        calls.append((SEARCH, {"query": choice.quotes[0].text, "limit": PASSAGES}))
    return calls


def written(choice: Choice) -> str:
    """One Markdown quotation a quote, each followed by its citation."""
    return "\n\n".join(
        f"> {_shown(one)} /citation[{one.passage.key}, {_tagged(one)}]" for one in choice.quotes
    )


def _shown(one: Candidate) -> str:
    return _MARKDOWN.sub(r"\\\1", one.text)


def _tagged(one: Candidate) -> str:
    return re.sub(r"([\\\[\]])", r"\\\1", one.quote)


def _only(offered: set[str], calls: list[Call]) -> list[Call]:
    return [call for call in calls if call[0] in offered]


def _passages(question: Question, results: Sequence[tuple[ToolCall, str]]) -> tuple[Passage, ...]:
    """Each passage once, with its nearness to the question; one found by words alone was less near."""
    asked = {one.text[:1000] for one in [question, *parts_of(question)]}
    near: dict[str, float] = {}
    texts: dict[str, tuple[str, str]] = {}
    for call, content in results:
        by_meaning = call.name == SEARCH and _object(call.arguments).get("query") in asked
        for row in _rows(call, content)[: None if call.name == SEARCH else LITERAL_PASSAGES]:
            texts.setdefault(row["key"], (row["document"], row["text"]))
            if by_meaning:
                near[row["key"]] = max(near.get(row["key"], 0.0), row["score"])
    least = min(near.values(), default=UNSEEN)
    return tuple(
        Passage(key=key, document=document, text=text, score=near.get(key, least))
        for key, (document, text) in texts.items()
    )


def _holders(results: Sequence[tuple[ToolCall, str]]) -> Holders:
    """Of each word searched for by its letters, the passages of each document that have it."""
    return {
        _object(call.arguments).get("words", ""): Counter(row["document"] for row in _rows(call, content))
        for call, content in results
        if call.name == LITERAL
    }


def _rows(call: ToolCall, content: str) -> list[dict[str, Any]]:
    """The passages that a search gave, without those that hold only something like the words."""
    least = LITERAL_LIKENESS if call.name == LITERAL else -1.0
    return [row for row in _object(content).get("passages", []) if row["score"] >= least]


def _object(text: str) -> dict[str, Any]:
    """A tool's result or a call's arguments; a result in plain words is a message, not passages."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}

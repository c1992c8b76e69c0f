"""A chat model by rule, in a model's place: it searches once, then quotes the nearest sentences, or refuses.

It shows what the path around a model does, and says nothing of how good any model is.
"""

import json
import re
from typing import Any

from tests.openai_server import ScriptedReply, text_reply
from text.search.search_terms import terms
from text.sentences import sentence_ends
from text.word_lists import FUNCTION_WORDS

ENOUGH = 0.5  # of the question's words in a sentence and the title of its document: less is no answer
SENTENCES = 2  # that are quoted
SHORTEST = 20  # characters of a sentence
_SILENT = {term for word in FUNCTION_WORDS for term in terms(word)}


def reply(request: dict[str, Any], enough: float = ENOUGH) -> ScriptedReply:
    """What it says to a request of the product. enough: of the question's words in a sentence to quote it."""
    messages = request["messages"]
    if "You check an answer against the passages" in str(messages[0]["content"]):
        return text_reply(json.dumps(_judgement(json.loads(messages[-1]["content"]))))
    if not request.get("tools"):
        return text_reply("{}")  # a stage of which it knows nothing is skipped
    asked = next(str(each["content"]) for each in messages if each["role"] == "user")
    question = asked.partition("\n\n# How to answer")[0]
    results = [str(each["content"]) for each in messages if each["role"] == "tool"]
    if not results:
        return ScriptedReply(tools=[("search_chunks", {"query": question[:1000], "limit": 10})])
    quotes = nearest(question, [row for result in results for row in _passages(result)], enough)
    answer = " ".join(f"{quote} /citation[{key}, {quote}]" for key, quote in quotes)
    told = {"answer": answer or "Not found.", "found": "all" if quotes else "none"}
    return ScriptedReply(tools=[("answer", told)])


def _passages(result: str) -> list[dict[str, Any]]:
    try:
        value = json.loads(result)
    except ValueError:
        return []
    return list(value.get("passages", [])) if isinstance(value, dict) else []


def _words(text: str) -> set[str]:
    return set(terms(text)) - _SILENT


def nearest(question: str, passages: list[dict[str, Any]], enough: float) -> list[tuple[str, str]]:
    """Key and sentence, the nearest first; none that has too few of the question's words."""
    asked = _words(question)
    ranked: list[tuple[float, str, str]] = []
    for passage in passages:
        titled = _words(passage["document"])
        for sentence in _sentences(passage["text"]):
            share = len(asked & (_words(sentence) | titled)) / max(1, len(asked))
            ranked.append((share, passage["key"], sentence))
    ranked.sort(key=lambda each: -each[0])
    best = {sentence: key for share, key, sentence in ranked[:SENTENCES] if share >= enough}
    return [(key, sentence) for sentence, key in best.items()]


def _sentences(text: str) -> list[str]:
    """Sentences and lines of tables that can stand in a citation."""
    ends = [*sentence_ends(text), len(text)]
    parts = [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    lines = [line for part in parts for line in (part.split("\n") if "\t" in part else [part])]
    folded = (" ".join(line.split()) for line in lines)
    return [line for line in folded if len(line) >= SHORTEST and not re.search(r"[\[\]⟦⟧]", line)]


def _judgement(asked: dict[str, Any]) -> dict[str, Any]:
    """A sentence is relevant, and a statement supported, that shares most of its words."""
    wanted = _words(asked["question"])
    context = {key: _words(text) for key, text in asked["passages"].items()}
    said = {key: _words(text) for key, text in asked["statements"].items()}
    everything = set().union(*context.values()) if context else set()
    return {
        "relevant": [key for key, words in context.items() if len(words & wanted) >= ENOUGH * len(wanted)],
        "used": [
            key
            for key, words in context.items()
            if words and any(len(words & told) >= 0.8 * len(words) for told in said.values())
        ],
        "statements": [
            {"key": key, "reason": "Its words are there.", "supported": words <= everything}
            for key, words in said.items()
        ],
    }

"""A chat model as a reranker: it rates passages from 0 to 10, several per request, requests in parallel."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from asgiref.sync import async_to_sync
from json_repair import repair_json

from localization.stored import said
from providers.protocols import Message, ProviderError, StructuredModel

PROMPT = Path(__file__).resolve().parents[1] / "prompts" / "rerank.md"
AT_ONCE = 8  # passages of one request
BEST = 10
SCHEMA = {
    "type": "object",
    "properties": {
        "ratings": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"number": {"type": "integer"}, "rating": {"type": "number"}},
                "required": ["number", "rating"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["ratings"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """A passage to rate, with the title of its document."""

    document: str
    text: str


def rate(model: StructuredModel, question: str, passages: Sequence[Rated]) -> list[float]:
    """0 to 1 for each passage, in their order. Raises ProviderError."""
    scores: list[float] = async_to_sync(_rate_all)(model, question, passages)
    return scores


async def _rate_all(model: StructuredModel, question: str, passages: Sequence[Rated]) -> list[float]:
    system = Message(role="system", content=PROMPT.read_text(encoding="utf-8"))

    async def some(start: int) -> list[float]:
        batch = passages[start : start + AT_ONCE]
        asked = Message(role="user", content=_material(question, batch))
        answer, _ = await model.complete([system, asked], SCHEMA)
        return _ratings(answer, len(batch))

    async with model:
        parts = await asyncio.gather(*(some(start) for start in range(0, len(passages), AT_ONCE)))
    return [score for part in parts for score in part]


def _material(question: str, passages: Sequence[Rated]) -> str:
    numbered = [
        {"number": number, "document": passage.document, "text": passage.text}
        for number, passage in enumerate(passages, start=1)
    ]
    return json.dumps({"question": question, "passages": numbered}, ensure_ascii=False)


def _ratings(answer: str, expected: int) -> list[float]:
    """Raises ProviderError where the model has rated none; one that it left out is worth nothing."""
    value: Any = repair_json(answer, return_objects=True)
    rows = value.get("ratings") if isinstance(value, dict) else value
    scores: dict[int, float] = {}
    for row in rows if isinstance(rows, list) else []:
        try:
            scores[int(row["number"])] = min(1.0, max(0.0, float(row["rating"]) / BEST))
        except (TypeError, ValueError, KeyError):
            continue
    if not scores.keys() & set(range(1, expected + 1)):
        raise ProviderError(
            said(
                "The model does not rate the passages, so they stand as the searches left them. Nothing is "
                "lost. Try again, or rerank with another model."
            )
        )
    return [scores.get(number, 0.0) for number in range(1, expected + 1)]

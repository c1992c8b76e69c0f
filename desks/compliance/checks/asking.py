"""What a model is asked about a requirement, and the form of its answer."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

import json_repair
from pydantic import BaseModel, ConfigDict, ValidationError

from citations.parse import without_tags
from desks.compliance.checks.searching import Searched
from desks.compliance.models import Requirement
from localization.stored import said
from providers.protocols import Message, ProviderError
from text.normal_forms.storable import storable
from text.prompt import render

PROMPT = Path(__file__).parent.parent / "prompts" / "assess.md"
LONGEST_ABOVE = 1_500  # characters of each text above the requirement
STRICT = ConfigDict(json_schema_extra={"additionalProperties": False})


class WrittenQuote(BaseModel):
    model_config = STRICT
    passage: str
    quote: str


class WrittenPart(BaseModel):
    model_config = STRICT
    text: str
    statement: str
    quotes: list[WrittenQuote]
    verdict: Literal["covered", "partial", "missing"]
    reason: str


class WrittenVerdict(BaseModel):
    """A model's answer. The parts come first, so that what is said about the whole follows from them."""

    model_config = STRICT
    applies: bool
    why_not: str
    parts: list[WrittenPart]
    draft: str


SCHEMA: Mapping[str, Any] = WrittenVerdict.model_json_schema()


def messages_of(requirement: Requirement, above: Sequence[Requirement], searched: Searched) -> list[Message]:
    told = {
        "requirement": {
            "reference": requirement.ref,
            "title": requirement.title,
            "text": requirement.wording,
        },
        "above": [f"{node.name}\n{node.text}".strip()[:LONGEST_ABOVE] for node in above],
        "proposed_parts": list(searched.parts),
        "passages": [
            {
                "key": key,
                "document": without_tags(passage.document_title),
                "pages": f"{passage.first_page}-{passage.last_page}",
                "text": without_tags(passage.text),
            }
            for key, passage in searched.passages.items()
        ],
    }
    return [
        Message(role="system", content=render(PROMPT)),
        Message(role="user", content=json.dumps(told, ensure_ascii=False)),
    ]


def key_of(model: str, messages: Sequence[Message]) -> str:
    """SHA-256 of the whole request."""
    told = json.dumps([model, list(messages), SCHEMA], sort_keys=True, default=asdict)
    return hashlib.sha256(told.encode()).hexdigest()


def read_answer(model: str, answer: str) -> WrittenVerdict:
    """Raises ProviderError when it cannot be read."""
    try:
        return WrittenVerdict.model_validate(storable(json_repair.loads(answer)))
    except (ValidationError, RecursionError, ValueError) as error:
        raise ProviderError(
            said("The model {model} did not answer in the form it was asked for.", model=model)
        ) from error

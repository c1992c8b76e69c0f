"""Asks a model which sentences of a part belong to an answer: their words are the document's, not its own."""

from pathlib import Path

import json_repair
from pydantic import BaseModel, ConfigDict, ValidationError

from answering.whole.asking import Wanted
from answering.whole.parts import Part
from providers.protocols import Message, StructuredModel, Usage
from text.prompt import render

PROMPT = Path(__file__).parent.parent / "prompts" / "whole" / "choose.md"
TASKS = PROMPT.parent / "tasks"  # what to take for each of Wanted


class Chosen(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    sentences: list[int]


SCHEMA = Chosen.model_json_schema()


async def choose(
    model: StructuredModel, question: str, wanted: Wanted, part: Part, most: int
) -> tuple[list[int] | None, Usage]:
    """The numbers of the sentences, in order; None where the reply is no such list. The model is told to name
    at most `most`, and all that it names count. One request, within `async with model:`.

    Raises ProviderError.
    """
    task = render(TASKS / f"{wanted}.md").strip()
    messages = [
        Message(role="system", content=render(PROMPT, task=task, most=most)),
        Message(role="user", content=f"Question: {question}\n\n{part.written()}"),
    ]
    answer, usage = await model.complete(messages, SCHEMA)
    try:
        written = Chosen.model_validate(json_repair.loads(answer))
    except (ValidationError, RecursionError):
        return None, usage
    return sorted({number for number in written.sentences if 1 <= number <= len(part.lines)}), usage

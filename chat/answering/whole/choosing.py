"""Asks a model which sentences of a part belong to an answer: their words are the document's, not its own."""

from collections.abc import Mapping
from pathlib import Path

import json_repair
from pydantic import BaseModel, ConfigDict, ValidationError

from chat.answering.whole.asking import Wanted
from chat.answering.whole.parts import Part
from providers.protocols import Message, ProviderError, StructuredModel, Usage
from text.prompt import render

PROMPT = Path(__file__).parent.parent / "prompts" / "whole" / "choose.md"
TASKS: Mapping[Wanted, str] = {
    Wanted.SUMMARY: (
        "A summary is wanted. Take the sentences that say what the document is and who it concerns, and what "
        "a reader must know of this part: what is agreed, done or found, with its figures, dates and names."
    ),
    Wanted.LIST: (
        "A complete list is wanted. Take every sentence that states one of the things asked for, in whatever "
        "words, and what limits it or makes an exception to it."
    ),
    Wanted.COMPARISON: (
        "A comparison with another document is wanted. Take the sentences that state what can be compared: "
        "amounts, dates, time limits, duties, rights, scope, results, and what the question names."
    ),
}


class Chosen(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    sentences: list[int]


SCHEMA = Chosen.model_json_schema()


async def choose(
    model: StructuredModel, question: str, wanted: Wanted, part: Part, most: int
) -> tuple[list[int], Usage]:
    """The numbers of at most `most` sentences, in order. One request, within `async with model:`. Raises
    ProviderError, also where the reply is no such list.
    """
    messages = [
        Message(role="system", content=render(PROMPT, task=TASKS[wanted], most=most)),
        Message(role="user", content=f"Question: {question}\n\n{part.written()}"),
    ]
    answer, usage = await model.complete(messages, SCHEMA)
    try:
        written = Chosen.model_validate(json_repair.loads(answer))
    except (ValidationError, RecursionError) as error:
        raise ProviderError(f"{model.name} did not name sentences in the form it was asked for.") from error
    numbers = sorted({number for number in written.sentences if 1 <= number <= len(part.lines)})
    return numbers[:most], usage

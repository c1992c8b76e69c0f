"""Asks a model whether two sentences are different answers to one question."""

import json
from pathlib import Path

import json_repair
from pydantic import BaseModel, ConfigDict, ValidationError

from answering.differing.compare import Excerpt
from citations.match import locate
from citations.statements import ADDRESSES_READER
from localization.stored import said
from providers.protocols import Message, ProviderError, StructuredModel, Usage
from text.normal_forms.storable import one_line
from text.prompt import render
from text.words import letters

PROMPT = Path(__file__).parent.parent / "prompts" / "differ.md"
LONGEST = 2_000  # characters of the question and of each sentence


class WrittenLook(BaseModel):
    """What each is about comes first, so that the verdict follows from it."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    first_is_about: str
    second_is_about: str
    first_answer: str
    second_answer: str
    different_answers: bool


SCHEMA = WrittenLook.model_json_schema()


async def second_look(
    model: StructuredModel, question: str, one: Excerpt, other: Excerpt
) -> tuple[bool, Usage]:
    """Within `async with model:`. A yes counts only with the words that answer in each sentence, which are
    not the same. Raises ProviderError, also where nothing of the reply can be read.
    """
    sentences = [" ".join(filter(None, (said.about, said.text))) for said in (one, other)]
    if any(ADDRESSES_READER.search(sentence) for sentence in sentences):
        return False, Usage()
    told = {"question": one_line(question, LONGEST)} | {
        place: {"document": one_line(said.title, LONGEST), "sentence": one_line(sentence, LONGEST)}
        for place, said, sentence in zip(("first", "second"), (one, other), sentences, strict=True)
    }
    messages = [
        Message(role="system", content=render(PROMPT)),
        Message(role="user", content=json.dumps(told, ensure_ascii=False)),
    ]
    answer, usage = await model.complete(messages, SCHEMA)
    try:
        written = WrittenLook.model_validate(json_repair.loads(answer))
    except (ValidationError, RecursionError) as error:
        raise ProviderError(
            said("{model} did not answer in the form it was asked for.", model=model.name)
        ) from error
    words = (written.first_answer, written.second_answer)
    found = all(
        said and locate(said, sentence, slips=False) is not None
        for said, sentence in zip(words, sentences, strict=True)
    )
    same = letters(words[0]).lower() == letters(words[1]).lower()
    return written.different_answers and found and not same, usage

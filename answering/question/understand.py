"""Asking a model what a question means: in full, without its conversation, and of which kind it is."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import json_repair
from pydantic import BaseModel, ConfigDict, ValidationError

from answering.question.intent import Intent
from localization.stored import said
from providers.protocols import Message, ProviderError, StructuredModel, Usage
from text.normal_forms.storable import one_line
from text.prompt import render

PROMPT = Path(__file__).parent.parent / "prompts" / "understand.md"
KNOWN = {intent.value: intent for intent in Intent}
LONGEST_SAID = 2000  # characters of each message of the conversation
LONGEST_QUESTION = 1000  # characters; a model that writes more has answered


class Written(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    question: str
    intent: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """`question` stands alone; `intent` is None where the model named none that there is."""

    question: str
    intent: Intent | None
    usage: Usage = field(default_factory=Usage)


async def understand(helper: StructuredModel, history: Sequence[Message], question: str) -> Understood:
    """One request. Raises ProviderError, also when its answer cannot be used."""
    earlier = [{"role": message.role, "content": message.content[:LONGEST_SAID]} for message in history]
    asked = json.dumps({"conversation": earlier, "question": question}, ensure_ascii=False)
    messages = [Message(role="system", content=render(PROMPT)), Message(role="user", content=asked)]
    async with helper:
        answer, usage = await helper.complete(messages, Written.model_json_schema())
    try:
        written = Written.model_validate(json_repair.loads(answer))
    except (ValidationError, RecursionError) as error:
        raise ProviderError(
            said("{model} did not put the question into the form it was asked for.", model=helper.name)
        ) from error
    standalone = one_line(written.question)
    if not standalone or len(standalone) > max(LONGEST_QUESTION, 2 * len(question)):
        raise ProviderError(said("{model} gave no question that can be searched for.", model=helper.name))
    intent = written.intent.strip().lower()
    return Understood(question=standalone, intent=KNOWN.get(intent), usage=usage)

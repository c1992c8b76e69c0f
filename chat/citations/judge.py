"""A second opinion on a claim and its quote, besides the check by code: a language model as the judge."""

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import json_repair
from asgiref.sync import async_to_sync
from pydantic import BaseModel, ConfigDict, ValidationError

from chat.models import Support
from providers.language_models import structured_model
from providers.prompt import render
from providers.protocols import Message, ProviderError, StructuredModel, Usage
from providers.roles import ModelRole
from providers.spending.metering import Payer
from text.storable import storable

PROMPT = Path(__file__).parent / "prompts" / "judge_support.md"
LONGEST_REASON = 500  # characters
LONGEST_TEXT = 8000  # characters of a claim, a quote or a passage that the judge reads


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the judge thinks. `model`: its name; `usage`: what it cost to ask."""

    supported: bool
    reason: str
    model: str
    usage: Usage = field(default_factory=Usage)

    def as_json(self) -> dict[str, Any]:
        return {"supported": self.supported, "reason": self.reason, "model": self.model}


class WrittenJudgement(BaseModel):
    """The judge's answer; the reason comes first, so that the verdict follows from it."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    reason: str
    supported: bool


def judge_of(
    datasource: object | None = None, payer: Payer | None = None, *, watched: bool = False
) -> StructuredModel | None:
    """The model of the judge's role for a datasource; None where no server plays it. `watched`: the caller
    itself keeps within the month's budget.
    """
    return structured_model(datasource, ModelRole.JUDGE, payer, watched=watched)


async def ask(judge: StructuredModel, claim: str, quote: str, context: str = "") -> Judgement:
    """Ask once, within `async with judge:`. Raises ProviderError, also when the answer cannot be read."""
    asked = {"claim": claim, "quote": quote, "passage": context}
    told = json.dumps({key: text[:LONGEST_TEXT] for key, text in asked.items()}, ensure_ascii=False)
    messages = [Message(role="system", content=render(PROMPT)), Message(role="user", content=told)]
    answer, usage = await judge.complete(messages, WrittenJudgement.model_json_schema())
    try:
        written = WrittenJudgement.model_validate(json_repair.loads(answer))
    except (ValidationError, RecursionError) as error:
        raise ProviderError(f"The judge {judge.name} did not answer in the form it was asked for.") from error
    reason = " ".join(storable(written.reason).split())[:LONGEST_REASON]
    return Judgement(supported=written.supported, reason=reason, model=judge.name, usage=usage)


def judge_support(
    claim: str, quote: str, context: str = "", datasource: object | None = None
) -> Judgement | None:
    """The same for code that does not run in an event loop; None where no server plays the judge.

    Raises ProviderError.
    """
    judge = judge_of(datasource)
    if judge is None:
        return None

    async def asking() -> Judgement:
        async with judge:
            return await ask(judge, claim, quote, context)

    return async_to_sync(asking)()


def settled(support: str, reason: str, judgement: Judgement) -> tuple[str, str]:
    """The verdict from both opinions, and why the claim is not supported.

    The judge can withdraw a green verdict but never grant one: the check by code can only be tightened.
    """
    if support == Support.SUPPORTED and not judgement.supported:
        doubt = judgement.reason or f"{judgement.model} does not find the claim in the quote."
        return Support.NEEDS_EYE, doubt
    return support, reason

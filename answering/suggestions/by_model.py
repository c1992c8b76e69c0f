"""Questions and a description by the language model in the agent's role, if there is one."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import json_repair
from asgiref.sync import async_to_sync
from pydantic import BaseModel, ConfigDict, ValidationError

from answering.extractive.words import names
from answering.suggestions.proposals import Proposal
from datasources.models import Datasource, Document
from ingestion.models import Chunk
from localization.stored import said
from providers.language_models import structured_model
from providers.protocols import Message, ProviderError, StructuredModel
from providers.roles import ModelRole
from text.prompt import render
from text.words import tokens

PROMPT = Path(__file__).parent / "prompts" / "introduce.md"
CHARACTERS = 2500  # of each document that the model reads
SECONDS = 60.0  # that it may take
LONGEST_QUESTION = 140  # characters
LONGEST_DESCRIPTION = 280


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Neither has been tried, but the description names nothing that is not in the documents."""

    description: str = ""
    by_document: Mapping[int, Sequence[Proposal]] = field(default_factory=dict)


class WrittenQuestion(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    document: int
    question: str


class WrittenIntroduction(BaseModel):
    """The model's answer; documents are told by their place in the list that it was given."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    description: str
    questions: list[WrittenQuestion]


def ask(
    datasource: Datasource, documents: Sequence[Document], chunks: Mapping[int, Sequence[Chunk]]
) -> Written:
    """Nothing if no server has the role. Raises ProviderError."""
    model = structured_model(datasource, ModelRole.AGENT)
    if model is None:
        return Written()
    texts = [_excerpt(chunks[document.pk]) for document in documents]
    titles = [document.title for document in documents]
    answer = async_to_sync(_complete)(model, titles, texts)
    by_document: dict[int, list[Proposal]] = {}
    for place, document in enumerate(documents, start=1):
        asked = [_folded(one.question) for one in answer.questions if one.document == place]
        by_document[document.pk] = [
            Proposal(question=question, kind="model", document_id=document.pk, source="", worth=0.0)
            for question in asked
            if question.endswith("?") and 10 < len(question) <= LONGEST_QUESTION
        ]
    return Written(
        description=_checked(_folded(answer.description), " ".join([*titles, *texts])),
        by_document=by_document,
    )


async def _complete(
    model: StructuredModel, titles: Sequence[str], texts: Sequence[str]
) -> WrittenIntroduction:
    """Raises ProviderError, also when the answer comes late or cannot be read."""
    listed = [
        {"document": place, "title": title, "text": text}
        for place, (title, text) in enumerate(zip(titles, texts, strict=True), start=1)
    ]
    messages = [
        Message(role="system", content=render(PROMPT)),
        Message(role="user", content=json.dumps(listed, ensure_ascii=False)),
    ]
    try:
        async with asyncio.timeout(SECONDS), model:
            answer, _ = await model.complete(messages, WrittenIntroduction.model_json_schema())
        return WrittenIntroduction.model_validate(json_repair.loads(answer))
    except (ValidationError, RecursionError, TimeoutError) as error:
        raise ProviderError(
            said("The model {model} did not introduce the documents.", model=model.name)
        ) from error


def _excerpt(chunks: Sequence[Chunk]) -> str:
    """The beginning of a document, and a piece of its middle."""
    half = CHARACTERS // 2
    middle = chunks[len(chunks) // 2].text if len(chunks) > 1 else ""
    return f"{' '.join(chunk.text for chunk in chunks[:3])[:half]} ... {middle[:half]}"


def _checked(description: str, source: str) -> str:
    """The description, unless it has a name or a figure that the documents do not have there."""
    known = set(tokens(source))
    named = [token for name in names(description) for token in tokens(name)]
    return description if len(description) <= LONGEST_DESCRIPTION and known.issuperset(named) else ""


def _folded(text: str) -> str:
    return " ".join(text.replace("\0", "").split())

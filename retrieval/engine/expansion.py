"""Other wordings of a question by the language model, to be searched as well."""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import json_repair
from asgiref.sync import async_to_sync
from django.conf import settings
from django.db.models import Count, Q
from pydantic import BaseModel, ConfigDict, ValidationError

from datasources.models import Datasource
from ingestion.models import DocumentTerms
from localization.stored import said
from providers.protocols import Message, ProviderError, StructuredModel
from retrieval.engine.language_model import language_model
from retrieval.query import Query, Scope
from text.normal_forms.storable import one_line
from text.prompt import render

PROMPT = Path(__file__).resolve().parents[1] / "prompts" / "expand.md"
WORDINGS = 3
MOST_LANGUAGES = 2
LONGEST = 300  # characters of a wording, unless the question is longer
SHARE_OF_TIMEOUT = 6  # a search waits a sixth of SVQ_LLM_TIMEOUT: 10 seconds unless set


class Written(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    wordings: list[str]


def is_expanded(scope: Scope) -> bool:
    """Whether the datasource's owner wants the searches of an answer to be expanded."""
    return Datasource.objects.filter(pk=scope.datasource_id, expansion=True).exists()


def expanded(query: Query, scopes: Sequence[Scope]) -> tuple[Query, str]:
    """The query with other wordings of its question, and "".

    Where no model gives any: the query as it was, and why.
    """
    query = replace(query, expand=False)
    model = language_model(scopes)
    if isinstance(model, str):
        return query, model
    try:
        wordings = async_to_sync(_ask)(model, query.text, _languages(scopes))
    except ProviderError as error:
        return query, error.message
    return replace(query, rewrites=(*query.rewrites, *wordings)), ""


async def _ask(model: StructuredModel, question: str, languages: Sequence[str]) -> list[str]:
    """Raises ProviderError, also when the answer is late or cannot be used."""
    asked = {"question": question, "languages": languages}
    messages = [
        Message(role="system", content=render(PROMPT, wordings=WORDINGS)),
        Message(role="user", content=json.dumps(asked, ensure_ascii=False)),
    ]
    try:
        async with asyncio.timeout(settings.LLM_TIMEOUT / SHARE_OF_TIMEOUT), model:
            answer, _ = await model.complete(messages, Written.model_json_schema())
        written = Written.model_validate(json_repair.loads(answer)).wordings
    except TimeoutError as error:
        raise ProviderError(
            said("{model} took too long to give other wordings of the question.", model=model.name)
        ) from error
    except (ValidationError, RecursionError) as error:
        raise ProviderError(
            said("{model} gave no other wordings of the question.", model=model.name)
        ) from error
    longest = max(LONGEST, 2 * len(question))
    folded = [one_line(wording) for wording in written]
    new = dict.fromkeys(each for each in folded if each and each != question and len(each) <= longest)
    if not new:
        raise ProviderError(said("{model} gave no other wordings of the question.", model=model.name))
    return list(new)[:WORDINGS]


def _languages(scopes: Sequence[Scope]) -> list[str]:
    """Most spoken by the documents that are searched, as ISO 639-1."""
    inside = Q()
    for scope in scopes:
        part = Q(datasource=scope.datasource_id)
        inside |= part if scope.document_ids is None else part & Q(document__in=scope.document_ids)
    told = DocumentTerms.objects.filter(inside).exclude(language="").order_by().values("language")
    most = told.annotate(documents=Count("pk")).order_by("-documents", "language")
    return list(most.values_list("language", flat=True)[:MOST_LANGUAGES])

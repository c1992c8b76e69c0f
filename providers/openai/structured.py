"""Answers that are JSON of a given schema, from any server that speaks the OpenAI protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from django.utils.translation import gettext
from openai import AsyncOpenAI, BadRequestError, OpenAIError, UnprocessableEntityError

from providers.http.clients import async_client
from providers.openai.chat import NO_KEY
from providers.openai.errors import provider_error
from providers.openai.refusals import Extra, refusals, refused_limit, reply_limit
from providers.openai.resting import Server, asking
from providers.openai.thoughts import without_thoughts
from providers.openai.tokens import usage_of
from providers.protocols import Message, ProviderError, Usage

SCHEMA_NAME = "answer"


def _formats(schema: Mapping[str, Any]) -> dict[Extra | None, dict[str, Any]]:
    """What a server may be asked for, the strictest first; plain text is no extra."""
    strict = {"name": SCHEMA_NAME, "schema": dict(schema), "strict": True}
    return {
        Extra.JSON_SCHEMA: {"response_format": {"type": "json_schema", "json_schema": strict}},
        Extra.JSON_OBJECT: {"response_format": {"type": "json_object"}},
        None: {},
    }


class OpenAIStructured:
    """A chat model that is asked for JSON. `timeout` is in seconds and counts for a whole answer.

    Used as `async with model:`, within one event loop; the requests of the block share their connections.
    A server that refuses strict schemas is asked for any JSON object, then for plain text. `public_only`: as
    for `OpenAIChat`.
    """

    def __init__(
        self, base_url: str, api_key: str, model: str, timeout: float = 120.0, *, public_only: bool = False
    ) -> None:
        self.name, self._public_only = model, public_only
        self.address = base_url
        self._key = api_key or NO_KEY
        self._server = Server(base_url=base_url, api_key=api_key, model=model)
        self._timeout = timeout
        self._refused = refusals(base_url, model)
        self._client: AsyncOpenAI | None = None

    async def __aenter__(self) -> Self:
        self._client = AsyncOpenAI(
            base_url=self.address,
            api_key=self._key,
            timeout=self._timeout,
            max_retries=0,
            http_client=async_client(timeout=self._timeout, public_only=self._public_only),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._client:
            await self._client.close()
        self._client = None

    async def complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any], *, most: int | None = None
    ) -> tuple[str, Usage]:
        """The model's answer as it wrote it: JSON only if the server or the model sees to that.

        `schema` is a JSON schema in the strict subset: every property required, no others allowed.
        `most`: how many tokens the server is asked to write at most. Raises ProviderError.
        """
        with asking(self._server):
            return await self._complete(messages, schema, most)

    async def _complete(
        self, messages: Sequence[Message], schema: Mapping[str, Any], most: int | None
    ) -> tuple[str, Usage]:
        assert self._client, "use the model in an async with block"
        request: dict[str, Any] = {
            "model": self.name,
            "messages": [{"role": message.role, "content": message.content} for message in messages],
        }
        refused: set[Extra] = set()
        forms = [(extra, form) for extra, form in _formats(schema).items() if extra not in self._refused]
        while forms:
            extra, form = forms[0]
            limit = reply_limit(most, refused | self._refused)
            try:
                # As extra_body: given as arguments, a schema is checked for ten times as long as it takes to
                # send it.
                answer = await self._client.chat.completions.create(**request, extra_body=form | limit)
            except (BadRequestError, UnprocessableEntityError) as error:
                if name := refused_limit(error, limit):
                    refused.add(name)
                elif extra is None:
                    raise provider_error(error, self.name) from error
                else:
                    refused.add(extra)
                    forms.pop(0)
                continue
            except (OpenAIError, ValueError) as error:
                raise provider_error(error, self.name) from error
            self._refused |= refused
            break
        return _text_and_usage(answer)


def _text_and_usage(answer: Any) -> tuple[str, Usage]:
    if not getattr(answer, "choices", None):  # some servers answer with a text, or with an event stream
        raise ProviderError(
            gettext("The model server sent an empty answer. Nothing is lost. Try again."),
            transient=True,
            may_cost=True,
        )
    message = answer.choices[0].message
    return without_thoughts(message.content or message.refusal or ""), usage_of(answer.usage)

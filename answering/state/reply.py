"""A model's reply while it arrives: calls of tools, or the text of an answer."""

import asyncio
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass, replace
from typing import Literal

from django.utils.translation import gettext_noop
from pydantic import BaseModel, Field, ValidationError
from pydantic_core import from_json

from localization.stored import said
from providers.openai.written_calls import written_calls
from providers.protocols import ProviderError, Reply, TextDelta, ToolCallDelta, ToolSpec, UnreadableReply
from providers.spending.allowance import OverLimit
from text.normal_forms.storable import one_line, storable

ANSWER = "answer"
LONGEST_MISSING = 300  # characters
NOTHING_WRITTEN = gettext_noop(
    "The model had used up the length of its reply before it wrote an answer. Try again."
)
Found = Literal["all", "some", "none"]


class OverTime(OverLimit):
    """The reply took too long."""


class AnswerArguments(BaseModel):
    """Give the final answer. Ends the work."""

    # What decides whether to search again comes first: it is known before any of the answer is shown.
    found: Found = Field(
        default="all", description="Whether the passages answer the whole question, a part of it, or none."
    )
    missing: str = Field(
        default="", description="The part of the question that they do not answer, in a few words; or empty."
    )
    answer: str = Field(description="Markdown, with /citation[KEY, QUOTE] right after each claim.")


def answer_spec() -> ToolSpec:
    """The call by which a model answers."""
    schema = AnswerArguments.model_json_schema()
    schema.pop("title", None)
    return ToolSpec(name=ANSWER, description=schema.pop("description"), parameters=schema)


class ReplyStream:
    """`text` is the answer so far; `whole` the reply once it is complete."""

    def __init__(
        self, pieces: AsyncGenerator[TextDelta | ToolCallDelta | Reply], seconds: float | None = None
    ) -> None:
        """`seconds`: how long it may take from now on until it begins to answer; then, and with None, it is
        read for as long as its server is waited for.
        """
        self._ends = None if seconds is None else time.monotonic() + max(seconds, 0.0)
        self.text = ""
        self.found: Found | None = None  # as soon as it is known
        self.whole: Reply | None = None
        self._pieces = pieces
        self._arguments = ""  # of the call that answers
        self._index: int | None = None  # of that call
        self._plain = ""

    async def grow(self) -> bool:
        """Read on until there is more of the answer; False when the reply is complete.

        Raises ProviderError.
        """
        while (piece := await self._next()) is not None:
            if self._take(piece):
                return True
        if self.whole is None:
            raise ProviderError(said("The model server ended its reply too early."), transient=True)
        return False

    async def _next(self) -> TextDelta | ToolCallDelta | Reply | None:
        """None after the last."""
        has_begun = self._index is not None or bool(self._plain)
        left = None if self._ends is None or has_begun else max(0.0, self._ends - time.monotonic())
        try:
            async with asyncio.timeout(left):
                return await anext(self._pieces, None)
        except TimeoutError:
            raise OverTime(said("The time of a question is used up")) from None

    async def close(self) -> None:
        """End the request if it is still open."""
        await self._pieces.aclose()

    def _take(self, piece: TextDelta | ToolCallDelta | Reply) -> bool:
        """Whether the piece adds to the answer."""
        match piece:
            case ToolCallDelta(index=index):
                if piece.name == ANSWER:
                    self._index = index
                if index != self._index:
                    return False
                self._arguments += piece.arguments
                arrived = _arrived(self._arguments)
                self.text, self.found = arrived.answer, arrived.found
                return bool(self.text)
            case TextDelta():
                self._plain += piece.text  # an answer only if no call of a tool follows
                return False
            case Reply():
                self.whole = piece = _with_written_answer(piece)
                if piece.tool_calls or not piece.content.strip():
                    return False
                self.text = storable(piece.content)
                return True

    @property
    def says(self) -> Found | None:
        """How much of the question is answered, as far as it is known by now. Raises ProviderError."""
        return self.answer.found if self.whole else self.found

    @property
    def answers(self) -> bool:
        """Whether the complete reply calls `answer`."""
        return self.whole is not None and any(call.name == ANSWER for call in self.whole.tool_calls)

    @property
    def answer(self) -> AnswerArguments:
        """The answer in the complete reply; plain text counts as one. Raises ProviderError."""
        assert self.whole is not None
        if self.whole.cut and not self.text.strip():
            raise OverLimit(NOTHING_WRITTEN)
        for call in self.whole.tool_calls:
            if call.name == ANSWER:
                try:
                    written = AnswerArguments.model_validate_json(call.arguments)
                except ValidationError:
                    return _saved(call.arguments)
                return AnswerArguments(
                    answer=storable(written.answer),
                    found=written.found,
                    missing=one_line(written.missing, LONGEST_MISSING),
                )
        text = storable(self.whole.content)
        return AnswerArguments(answer=text, found="all" if text.strip() else "none")


def _with_written_answer(reply: Reply) -> Reply:
    """The reply with the call that answers, where the model has written that into its text without being
    offered it: its words are no answer to show.
    """
    if reply.tool_calls or not (written := written_calls(reply.content, [answer_spec()])):
        return reply
    return replace(reply, content="", tool_calls=written)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Arrived:
    """What JSON holds that is still arriving."""

    answer: str = ""
    found: Found | None = None


def _arrived(arguments: str) -> _Arrived:
    try:
        value = from_json(arguments, allow_partial="trailing-strings")
    except ValueError:
        return _Arrived()
    if not isinstance(value, dict):
        return _Arrived()
    answer, found = value.get("answer"), value.get("found")
    return _Arrived(
        answer=storable(answer) if isinstance(answer, str) else "",
        found=found if found in ("all", "some", "none") else None,
    )


def partial_answer(arguments: str) -> str:
    """The `answer` text in JSON that is still arriving; empty before it begins."""
    return _arrived(arguments).answer


def _saved(arguments: str) -> AnswerArguments:
    """What can be read of an answer in broken JSON. Raises ProviderError when nothing can."""
    if answer := partial_answer(arguments):
        return AnswerArguments(answer=answer, found="some")
    if _says_none(arguments):
        return AnswerArguments(answer="", found="none")
    raise UnreadableReply(said("The model server sent an answer that can't be read."))


def _says_none(arguments: str) -> bool:
    """Whether it is an object without an answer that says that nothing was found, in the words models use."""
    try:
        value = from_json(arguments)
    except ValueError:
        return False
    return (
        isinstance(value, dict)
        and not value.get("answer")
        and value.get("found") in ("none", "nothing", "no")
    )

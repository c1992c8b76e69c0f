"""A reply while it arrives: its text, its calls of tools, what it has cost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from openai.types.chat import ChatCompletionChunk
from openai.types.chat.chat_completion_chunk import ChoiceDelta, ChoiceDeltaToolCall

from providers.openai.errors import TOO_LARGE
from providers.openai.repetition import Watch
from providers.openai.thoughts import without_thoughts
from providers.openai.tokens import usage_of
from providers.openai.written_calls import written_calls
from providers.protocols import (
    Looping,
    ProviderError,
    Reply,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
)
from text.normal_forms.storable import storable

LONGEST_REPLY = 1_000_000  # characters of words and calls; no model writes as many tokens
MOST_CALLS = 200  # of tools in a reply


@dataclass(slots=True, kw_only=True)
class Call:
    """A tool call of which more may come."""

    key: int | None
    id: str
    given: str  # the id as the server has it, perhaps none or another call's
    name: str
    arguments: str = ""
    watch: Watch = field(default_factory=Watch)


@dataclass(slots=True, kw_only=True)
class Answer:
    """An answer of which more may come."""

    texts: list[str] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    length: int = 0
    finished: bool = False
    cut: bool = False
    watch: Watch = field(default_factory=Watch)

    def add(self, chunk: ChatCompletionChunk) -> Iterator[TextDelta | ToolCallDelta]:
        """What it adds. Raises ProviderError for an answer that has no end."""
        if chunk.usage:
            self.usage = usage_of(chunk.usage)
        for choice in (chunk.choices or [])[:1]:
            self.finished = self.finished or choice.finish_reason is not None
            self.cut = self.cut or choice.finish_reason == "length"
            delta: ChoiceDelta | None = choice.delta  # some servers end without one
            self._look(self.watch, thought_in(delta))
            if text := delta and (delta.content or delta.refusal):
                self._lengthen(text)
                self._look(self.watch, text)
                self.texts.append(text)
                yield TextDelta(text=text)
            for fragment in (delta and delta.tool_calls) or []:
                yield self._add_call(fragment)

    def says_something(self, chunk: ChatCompletionChunk) -> bool:
        """Whether it has more than the role and blanks: a word, a piece of a call, a thought."""
        for choice in (chunk.choices or [])[:1]:
            delta: ChoiceDelta | None = choice.delta
            said = delta.model_dump(exclude_none=True, warnings=False) if delta else {}
            return any(str(value or "").strip() for name, value in said.items() if name != "role")
        return False

    def _add_call(self, fragment: ChoiceDeltaToolCall) -> ToolCallDelta:
        """Calls are told apart by their index; by id where a server numbers all alike; and where the ids are
        alike, too, by a name that comes after complete arguments.
        """
        name = storable((fragment.function.name if fragment.function else None) or "")
        given: Any = fragment.function.arguments if fragment.function else None
        arguments = storable(given if isinstance(given, str) else json.dumps(given) if given else "")
        self._lengthen(arguments)
        position = next(
            (i for i in reversed(range(len(self.calls))) if self.calls[i].key == fragment.index), None
        )
        if position is None or (name and self._is_another(self.calls[position], fragment.id, arguments)):
            position = len(self.calls)
            if position >= MOST_CALLS:
                raise ProviderError(TOO_LARGE, may_cost=True)
            self.calls.append(
                Call(key=fragment.index, id=self._free_id(fragment.id), given=fragment.id or "", name=name)
            )
        call = self.calls[position]
        self._look(call.watch, arguments)
        call.arguments += arguments
        return ToolCallDelta(index=position, id=call.id, name=call.name, arguments=arguments)

    def _lengthen(self, text: str) -> None:
        self.length += len(text)
        if self.length > LONGEST_REPLY:
            raise ProviderError(TOO_LARGE, may_cost=True)

    @staticmethod
    def _look(watch: Watch, text: str) -> None:
        if text and watch.add(text):
            raise Looping

    @staticmethod
    def _is_another(call: Call, given: str | None, arguments: str) -> bool:
        """Whether a named fragment with this id begins a call besides the one whose number it has."""
        return bool(given and given != call.given) or bool(arguments and _is_complete(call.arguments))

    def _free_id(self, given: str | None) -> str:
        """The id of a new call. A result names its call by the id, so that no two may have the same."""
        position = len(self.calls)
        taken = {call.id for call in self.calls}
        return given if given and given not in taken else f"{given or 'call'}_{position}"

    def reply(self, tools: Sequence[ToolSpec]) -> Reply:
        """Once it is complete; a call of one of the tools that stands in the text is a call like any other.
        Raises ProviderError.
        """
        if not self.finished:
            raise ProviderError(
                _("The model server broke off its answer. Nothing is lost. Try again."),
                transient=True,
                cut=True,
            )
        calls = tuple(ToolCall(id=call.id, name=call.name, arguments=call.arguments) for call in self.calls)
        content = without_thoughts("".join(self.texts))
        if not calls and tools and (written := written_calls(content, tools)):
            calls, content = written, ""
        return Reply(content=content, tool_calls=calls, usage=self.usage, cut=self.cut)


def thought_in(delta: ChoiceDelta | None) -> str:
    """What a model thinks before it answers, where the server sends that by itself."""
    told = (delta and delta.model_extra) or {}
    thought = told.get("reasoning_content") or told.get("reasoning")
    return thought if isinstance(thought, str) else ""


def _is_complete(arguments: str) -> bool:
    """Whether the text is a whole JSON object."""
    if not arguments.rstrip().endswith("}"):
        return False  # spares reading a long text again with each of its pieces
    try:
        return isinstance(json.loads(arguments), dict)
    except ValueError:
        return False

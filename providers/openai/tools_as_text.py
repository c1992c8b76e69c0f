"""A conversation with tools for a model that has none: the tools are described in the instructions, a call is
JSON in the text, and what came of it stands in the next message.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from providers.protocols import Message, ToolSpec
from text.prompt import render

PROMPT = Path(__file__).parent / "prompts" / "tools_as_text.md"
SCHEMA_NAME = "call"


def as_text(messages: Sequence[Message], tools: Sequence[ToolSpec]) -> list[Message]:
    """The same conversation, without a message that only a model with tools understands."""
    written = [_written(message) for message in messages]
    described = json.dumps([_described(tool) for tool in tools], ensure_ascii=False)
    told = render(PROMPT, tools=described)
    if written and written[0].role == "system":
        written[0] = replace(written[0], content=f"{written[0].content}\n\n{told}")
        return written
    return [Message(role="system", content=told), *written]


def schema_of(tools: Sequence[ToolSpec]) -> dict[str, Any]:
    """A JSON schema of one call of any of the tools."""
    return {
        "type": "object",
        "properties": {
            "name": {"type": "string", "enum": [tool.name for tool in tools]},
            "arguments": {"anyOf": [dict(tool.parameters) for tool in tools]},
        },
        "required": ["name", "arguments"],
        "additionalProperties": False,
    }


def _described(tool: ToolSpec) -> Mapping[str, Any]:
    return {"name": tool.name, "description": tool.description, "arguments": dict(tool.parameters)}


def _written(message: Message) -> Message:
    if message.role == "tool":
        return Message(role="user", content=f"The result of your call:\n{message.content}")
    if message.tool_calls:
        calls = [f'{{"name": "{call.name}", "arguments": {call.arguments}}}' for call in message.tool_calls]
        return Message(role="assistant", content="\n".join(calls))
    return message

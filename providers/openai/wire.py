"""What is sent to a server: a conversation and its tools in the way in which its model is spoken to."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from providers.openai.refusals import Extra
from providers.openai.tools_as_text import SCHEMA_NAME, as_text, schema_of
from providers.protocols import Message, ToolSpec
from providers.protocols.dialect import Rung

# Models that think before they answer and take a word on how long, wherever they are served.
_THINKS = re.compile(r"(?:^|/)(?:o[1-9]\d*|gpt-[5-9]|gpt-oss)(?:[-.:]|$)", re.IGNORECASE)
EFFORT = "low"  # searching and quoting take little thought


def rung_of(rung: Rung, refused: Collection[Extra]) -> Rung:
    """How a model is spoken to whose server refuses these extras."""
    if rung.takes_tools and Extra.TOOLS in refused:
        return Rung.SCHEMA
    return Rung.OFFERED if rung == Rung.FORCED and Extra.FORCED_TOOLS in refused else rung


def request_of(
    model: str,
    messages: Sequence[Message],
    tools: Sequence[ToolSpec],
    *,
    tool_choice: str,
    rung: Rung,
    refused: Collection[Extra],
    stream: bool,
) -> dict[str, Any]:
    """Everything but how long the reply may be."""
    has_tools = bool(tools) and rung.takes_tools
    written = [*messages] if has_tools or not tools else as_text(messages, tools)
    request: dict[str, Any] = {"model": model, "messages": [_message(message) for message in written]}
    if has_tools:
        forced = rung == Rung.FORCED or tool_choice != "required"
        request |= {
            "tools": [_tool(tool) for tool in tools],
            "tool_choice": tool_choice if forced else "auto",
        }
    elif tools:
        request |= {"extra_body": _format(tools, refused)}
    if Extra.TEMPERATURE not in refused:
        request["temperature"] = 0
    if Extra.EFFORT not in refused and _THINKS.search(model):
        request["reasoning_effort"] = EFFORT
    if stream and Extra.STREAM not in refused:
        request["stream"] = True
        if Extra.TOKEN_COUNTS not in refused:
            request["stream_options"] = {"include_usage": True}
    return request


def refused_in(error: Exception, request: Mapping[str, Any]) -> Extra | None:
    """Which extra of the request the server does not take, as far as its words tell."""
    said = str(error).lower()
    if "temperature" in request and "temperature" in said:
        return Extra.TEMPERATURE
    if "reasoning_effort" in request and "reasoning" in said:
        return Extra.EFFORT
    if "stream_options" in request and "stream_options" in said:
        return Extra.TOKEN_COUNTS
    if request.get("tool_choice") == "required" and "tool_choice" in said:
        return Extra.FORCED_TOOLS
    if "tools" in request and re.search(r"\btools?\b|\bfunction", said) and "tool_choice" not in said:
        return Extra.TOOLS
    if "stream" in request and "stream" in said:
        return Extra.STREAM
    form = request.get("extra_body", {}).get("response_format", {}).get("type")
    if form is not None:
        return Extra.JSON_SCHEMA if form == "json_schema" else Extra.JSON_OBJECT
    return Extra.FORCED_TOOLS if request.get("tool_choice") == "required" else None


def _format(tools: Sequence[ToolSpec], refused: Collection[Extra]) -> dict[str, Any]:
    """The strictest form that the server takes."""
    if Extra.JSON_SCHEMA not in refused:
        schema = {"name": SCHEMA_NAME, "schema": schema_of(tools)}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    return {} if Extra.JSON_OBJECT in refused else {"response_format": {"type": "json_object"}}


def _message(message: Message) -> dict[str, Any]:
    wire: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.role == "tool":
        wire["tool_call_id"] = message.tool_call_id
    if message.tool_calls:
        wire["content"] = message.content or None
        wire["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    return wire


def _tool(tool: ToolSpec) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.parameters)}
    return {"type": "function", "function": function}

"""Estimates of tokens where the server's tokenizer is not known, and the server's own counts."""

import json
import math
from collections.abc import Sequence
from typing import Any

from providers.protocols import Message, ToolSpec, Usage

BYTES_PER_TOKEN = 4  # a rule of thumb
MOST_TOKENS = 50_000_000  # of one request; a larger number is a mistake


def estimated_tokens(text: str) -> int:
    return math.ceil(len(text.encode()) / BYTES_PER_TOKEN)


def estimated_request(messages: Sequence[Message], tools: Sequence[ToolSpec] = ()) -> int:
    """How many tokens a model reads of a request."""
    texts = [message.content for message in messages]
    texts += [call.arguments for message in messages for call in message.tool_calls]
    texts += [f"{tool.name} {tool.description} {json.dumps(dict(tool.parameters))}" for tool in tools]
    return sum(map(estimated_tokens, texts))


def usage_of(told: Any) -> Usage:
    """What the server counted; nothing where it tells nothing, or numbers that cannot be."""
    counts = [getattr(told, name, None) or 0 for name in ("prompt_tokens", "completion_tokens")]
    if not all(isinstance(count, int) and 0 <= count <= MOST_TOKENS for count in counts):
        return Usage()
    return Usage(prompt_tokens=counts[0], completion_tokens=counts[1])

"""Tries a language model: reads its header, loads it, has it write a few words. For a child process."""

import secrets
from dataclasses import dataclass
from pathlib import Path

from localization.sentences import worded
from providers.gguf import engine, header, memory
from providers.gguf.header import Header
from providers.protocols import ProviderError

TOKENS = 8
SILENT = worded("The model is loaded, but it answers nothing.")
ASKED = {"messages": [{"role": "user", "content": "Answer with the word “yes”."}], "max_tokens": TOKENS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """The header, and how many tokens were read at once when it was tried."""

    header: Header
    context: int


def tried(path: Path) -> Tried:
    """Takes the memory that the model needs and no more. Raises ProviderError."""
    told = header.read(path)
    context = memory.context_for(path.name, told.size, told.kv_bytes, told.context, memory.available())
    engine.limit(memory_limit(told.kv_bytes, context))
    server = engine.served(path, context, secrets.token_urlsafe(16), path.name)
    reply = server.handle_chat_completions(ASKED)
    if not isinstance(reply, dict) or not reply.get("choices"):
        raise ProviderError(SILENT)
    return Tried(header=told, context=context)


def memory_limit(kv_bytes: int, context: int) -> int:
    """Bytes of data beside the weights."""
    return memory.needed(0, kv_bytes, context) + engine.margin()

"""How many tokens a text has, where the server's tokenizer is not known, and what a server counts."""

import math
from typing import Any

from providers.protocols import Usage

BYTES_PER_TOKEN = 4  # a rule of thumb
MOST_TOKENS = 50_000_000  # of one request; a larger number is a mistake


def estimated_tokens(text: str) -> int:
    return math.ceil(len(text.encode()) / BYTES_PER_TOKEN)


def usage_of(told: Any) -> Usage:
    """What the server counted; nothing where it tells nothing, or numbers that cannot be."""
    counts = [getattr(told, name, None) or 0 for name in ("prompt_tokens", "completion_tokens")]
    if not all(isinstance(count, int) and 0 <= count <= MOST_TOKENS for count in counts):
        return Usage()
    return Usage(prompt_tokens=counts[0], completion_tokens=counts[1])

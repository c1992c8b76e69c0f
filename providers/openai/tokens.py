"""How many tokens a text has, where the server's tokenizer is not known."""

import math

BYTES_PER_TOKEN = 4  # a rule of thumb


def estimated_tokens(text: str) -> int:
    return math.ceil(len(text.encode()) / BYTES_PER_TOKEN)

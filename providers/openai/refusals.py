"""Which extras of the OpenAI protocol a model refuses. Remembered for the life of this process, so that a
refusal costs one request and not one a turn.
"""

from enum import StrEnum
from functools import cache


class Extra(StrEnum):
    """What a request may hold beyond what every server understands."""

    FORCED_TOOLS = "forced tools"
    TOKEN_COUNTS = "token counts"
    DIMENSIONS = "dimensions"
    JSON_SCHEMA = "json schema"
    JSON_OBJECT = "json object"


@cache
def refusals(base_url: str, model: str) -> set[Extra]:
    """The extras that this model has refused so far; the same set for every caller, which adds to it."""
    return set()

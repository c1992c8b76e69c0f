"""Extras of the OpenAI protocol that a model refuses. Remembered for the life of this process, so that a
refusal costs one request, not one per turn.
"""

from collections.abc import Collection, Mapping
from enum import StrEnum
from functools import cache


class Extra(StrEnum):
    """What a request may have beyond what every server understands."""

    FORCED_TOOLS = "forced tools"
    TOOLS = "tools"
    STREAM = "stream"
    TEMPERATURE = "temperature"
    EFFORT = "reasoning effort"
    TOKEN_COUNTS = "token counts"
    DIMENSIONS = "dimensions"
    JSON_SCHEMA = "json schema"
    JSON_OBJECT = "json object"
    MAX_TOKENS = "max_tokens"  # the two names of how long a reply may be
    MAX_COMPLETION_TOKENS = "max_completion_tokens"


LIMITS = (Extra.MAX_TOKENS, Extra.MAX_COMPLETION_TOKENS)


def reply_limit(most: int | None, refused: Collection[Extra]) -> dict[str, int]:
    """How a request says that its reply may have so many tokens; empty where the server takes no limit."""
    name = next((each for each in LIMITS if each not in refused), None)
    return {} if most is None or name is None else {name.value: most}


def refused_limit(error: Exception, sent: Mapping[str, object]) -> Extra | None:
    """The name of a limit that was sent and that the server does not take."""
    return next((each for each in LIMITS if each in sent and each in str(error)), None)


@cache
def refusals(base_url: str, model: str) -> set[Extra]:
    """The extras that this model has refused so far; the same set for every caller, which adds to it."""
    return set()

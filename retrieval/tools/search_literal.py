"""Search for the exact words, small misspellings allowed."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext_noop
from pydantic import BaseModel, Field

from providers.protocols import Embedder
from retrieval.evidence import Evidence
from retrieval.legs import fuzzy
from retrieval.query import LIMIT, MAX_LIMIT, Scope
from retrieval.tables import with_tables
from retrieval.tools.tool import Tool, hits, texts

_CLAUSE_BEGINS = re.compile(r"\d+(?:\.\d+)+(?= The$)")  # as a clause of that number often begins


class Arguments(BaseModel):
    """Find passages that hold these very words, forgiving small misspellings. Best for names, codes, numbers,
    clause references and defined terms."""

    words: str = Field(min_length=2, max_length=200, description="The words as they would stand on the page.")
    limit: int = Field(default=LIMIT, ge=1, le=MAX_LIMIT, description="How many passages.")


def run(scope: Scope, embedder: Embedder, arguments: Arguments) -> list[Evidence]:
    return with_tables(fuzzy.search(scope, arguments.words, arguments.limit))


def in_words(arguments: Mapping[str, Any]) -> str:
    """What is looked up, worded so that a reader of the trace knows why."""
    words = texts(arguments)
    number = _CLAUSE_BEGINS.match(words)
    return f"the beginning of clause {number[0]}" if number else words


def counted(passages: Sequence[Evidence]) -> str:
    """How many have the very words, and how many have words spelt much like them."""
    similar = [passage for passage in passages if passage.score < 1]
    same = hits([passage for passage in passages if passage.score == 1])
    return f"{same}, {len(similar)} spelt differently" if similar else same


SEARCH_LITERAL = Tool(
    name="search_literal",
    label=gettext_noop("Find words"),
    icon="scan-text",
    arguments=Arguments,
    run=run,
    in_words=in_words,
    counted=counted,
)

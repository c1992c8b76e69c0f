"""A tool of the agent: its manual for the model, how people see a call, and the search behind it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils.translation import gettext_noop
from pydantic import BaseModel

from jobs.threads import SEARCHES, Pool
from providers.protocols import Embedder, ToolSpec
from retrieval.evidence import Evidence
from retrieval.legs.mentions import Mentioned
from retrieval.query import Scope
from text.counted import counted

ASKS_OUTSIDE = gettext_noop("Ask outside")  # the label of a call that is no search of documents


def texts(arguments: Mapping[str, Any]) -> str:
    """A call's arguments for people: its words and lists of words, without the numbers."""
    words = [", ".join(map(str, value)) if isinstance(value, list) else value for value in arguments.values()]
    return "; ".join(word for word in words if isinstance(word, str))


def hits(passages: Sequence[Evidence]) -> str:
    """How many were found."""
    return counted(len(passages), "hit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What a tool says besides its passages."""

    text: str = ""  # to the model
    counted: str = ""  # to people: the total, where every passage was looked at
    documents: Sequence[Mentioned] = ()  # those counted, all of them
    without: str = ""  # to people: what the search had to do without, and why
    found: str = ""  # to people: what was found, where that is no passages
    failed: str = ""  # to people: why it gave nothing; `text` is to the model all the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """`arguments` is the model's manual: its docstring says what the tool is for, its fields what to pass.

    `label`, `icon`, `in_words` (of the arguments as the model sent them) and `counted` (of what is found) are
    what the trace of an answer shows of a call. `with_note`: the same search, and what it says
    beside its passages. `reads_whole`: what it gives is asked for by its place, not by how near it is to the
    question, so that none of it is left out for others.

    `outside`: the host that the arguments are sent to, of a tool that is not SVQ's own; then `manual` is in
    place of what `arguments` would tell. It may be slow, so it has `threads` of its own.
    """

    name: str
    label: str
    icon: str
    arguments: type[BaseModel]
    run: Callable[[Scope, Embedder, Any], list[Evidence]]
    in_words: Callable[[Mapping[str, Any]], str] = texts
    counted: Callable[[Sequence[Evidence]], str] = hits
    reads_whole: bool = False
    with_note: Callable[[Scope, Embedder, Any], tuple[list[Evidence], Note]] | None = None
    outside: str = ""
    manual: ToolSpec | None = None
    threads: Pool = SEARCHES

    def search(self, scope: Scope, embedder: Embedder, arguments: Any) -> tuple[list[Evidence], Note]:
        """The passages, and what is said beside them."""
        if self.with_note:
            return self.with_note(scope, embedder, arguments)
        return self.run(scope, embedder, arguments), Note()

    @property
    def spec(self) -> ToolSpec:
        """The tool as a model sees it."""
        if self.manual:
            return self.manual
        schema = dict(_schema(self.arguments))
        schema.pop("title", None)
        description = " ".join(str(schema.pop("description", "")).split())
        return ToolSpec(name=self.name, description=description, parameters=schema)


@cache
def _schema(arguments: type[BaseModel]) -> dict[str, Any]:
    """Made once: a question asks for the schemas of all tools several times."""
    return arguments.model_json_schema()


def distinct(passages: list[Evidence]) -> list[Evidence]:
    """Each passage once, where it came first."""
    return list({passage.chunk_id: passage for passage in reversed(passages)}.values())[::-1]

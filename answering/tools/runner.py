"""The tools of one turn: runs them in the turn's scope and gives every passage a short key to cite by."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from answering.tools.passages import KeyedPassage, write
from answering.tools.relations import Relations
from citations.parse import without_tags
from jobs.failures import Explained, is_transient
from localization.stored import said
from providers.protocols import Embedder, ToolSpec
from retrieval.evidence import Evidence
from retrieval.legs.mentions import Mentioned
from retrieval.query import Scope
from retrieval.tables import markdown
from retrieval.tools.registry import TOOLS
from retrieval.tools.tool import Note, Tool

logger = logging.getLogger(__name__)

TITLES = 3  # documents named in a summary


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """What a call gave: passages, or a refusal for the model to read. `summary` is for people."""

    evidence: Sequence[Evidence] = ()
    refusal: str = ""
    summary: str = ""
    note: str = ""  # what the tool tells the model beside the passages
    counted: str = ""  # the total in words for people, where every passage was looked at
    documents: Sequence[Mentioned] = ()  # those that were counted, all of them
    without: str = ""  # what the search had to do without, and why, for people
    repeated: bool = False  # the model made the same call before
    found: str = ""  # for people: what was found, where that is no passages
    outside: str = ""  # the host that was asked, which is not SVQ
    whole: bool = False  # what was asked for by its place: all of it is read, however near to the question


class SearchFailed(Exception):
    """Nothing was found, but not everything was searched."""

    code = "search"
    hint = ""
    transient = False

    def __init__(self, tools: Sequence[str]) -> None:
        self.message = said(
            "A search stopped at a fault in SVQ ({tools}), and the others found nothing.",
            tools=", ".join(tools),
        )
        super().__init__(self.message)


class ToolRunner:
    """`by_key` holds all passages that the model has been shown, by key ("c1", "c2", ...); `broken` the names
    of tools that stopped at a fault of their own; `relations` what the documents found have to do with each
    other.
    """

    def __init__(
        self,
        scope: Scope,
        embedder: Embedder,
        tools: Sequence[Tool] = TOOLS,
        relations: Relations | None = None,
    ) -> None:
        self.by_key: dict[str, Evidence] = {}
        self.broken: list[str] = []
        self.relations = relations or Relations()
        self._keys: dict[int, str] = {}  # by chunk
        # The model may be changed while a question is answered: its vectors are searched to the end.
        self.scope = replace(scope, embedded_by=embedder.name)
        self._embedder = embedder
        self._tools = {tool.name: tool for tool in tools}

    @property
    def specs(self) -> list[ToolSpec]:
        return [tool.spec for tool in self._tools.values()]

    @property
    def tools(self) -> Sequence[Tool]:
        return tuple(self._tools.values())

    def search_only(self, documents: Collection[int]) -> None:
        """From now on, of those that the turn may search."""
        self.scope = _within(self.scope, documents)

    def named(self, name: str) -> Tool | None:
        return self._tools.get(name)

    async def run(
        self, name: str, arguments: Mapping[str, Any] | None, *, documents: Collection[int] | None = None
    ) -> ToolResult:
        """Run one tool in a thread of its own. Mistakes of the model are answered, never raised.

        `arguments` None: what the model sent was not a JSON object. `documents`: of those that the turn may
        search, only these. Raises what a model server, the database
        or a disk raises: a search that did not take place must not look like one that found nothing.
        """
        if arguments is None:
            return ToolResult(refusal="The arguments were not a JSON object.", summary="bad arguments")
        tool = self.named(name)
        if tool is None:
            return ToolResult(refusal=f"There is no tool called {name}.", summary="unknown tool")
        try:
            checked = tool.arguments.model_validate(arguments)
        except ValidationError as error:
            problems = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
            return ToolResult(refusal=f"Wrong arguments: {problems}", summary="wrong arguments")
        try:
            scope = self.scope if documents is None else _within(self.scope, documents)
            evidence, note = await tool.threads.run(self._searched, tool, scope, checked)
        except Exception as error:
            if isinstance(error, Explained) or is_transient(error):
                raise
            logger.exception("tool %s", name)  # a fault of one tool need not end the answer
            self.broken.append(name)
            return ToolResult(refusal="The tool failed. Try another.", summary="failed")
        if note.failed:
            return ToolResult(refusal=without_tags(note.text), summary=note.failed, outside=tool.outside)
        return ToolResult(
            evidence=evidence,
            summary=_titles(evidence),
            found=note.found,
            outside=tool.outside,
            note=note.text,
            counted=note.counted,
            documents=note.documents,
            without=note.without,
            whole=tool.reads_whole,
        )

    def _searched(self, tool: Tool, scope: Scope, arguments: Any) -> tuple[list[Evidence], Note]:
        evidence, note = tool.search(scope, self._embedder, arguments)
        self.relations.learn({each.document_id for each in evidence})
        return evidence, note

    def run_here(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Run one tool in the caller's thread and transaction, with arguments of our own making.

        Raises what the search raises.
        """
        tool = self._tools[name]
        checked = tool.arguments.model_validate(arguments)
        evidence, note = self._searched(tool, self.scope, checked)
        return ToolResult(evidence=evidence, note=note.text, counted=note.counted, documents=note.documents)

    def content(
        self, result: ToolResult, *, only: Mapping[int, str] | None = None, shown: set[int] | None = None
    ) -> str:
        """The result as the model reads it; passages that it has not seen before get their keys now.

        only: the text of each chunk that may be shown, as much of it as there is room for; None: all of it.
        shown: chunks that stand in an earlier result, to which those of this one are added.
        """
        if result.refusal:
            return result.refusal
        shown = set() if shown is None else shown
        allowed = [each for each in result.evidence if only is None or each.chunk_id in only]
        new = [each for each in allowed if each.chunk_id not in shown]
        before = [self._keys[each.chunk_id] for each in allowed if each.chunk_id in shown]
        shown.update(each.chunk_id for each in new)
        return write(
            [self._keyed(each, each.text if only is None else only[each.chunk_id]) for each in new],
            without_tags(result.note),
            shown_before=before,
            left_out=len(result.evidence) - len(allowed),
        )

    def _keyed(self, passage: Evidence, text: str) -> KeyedPassage:
        key = self._keys.setdefault(passage.chunk_id, f"c{len(self._keys) + 1}")
        self.by_key[key] = passage
        first, last = passage.first_page, passage.last_page
        return KeyedPassage(
            key=key,
            document=without_tags(passage.document_title),
            amends=[without_tags(each) for each in self.relations.changes.get(passage.document_title, ())],
            pages=f"{first}-{last}" if last > first else str(first),
            score=passage.score,
            text=without_tags(text),
            section=without_tags(passage.section),
            table=without_tags(markdown(passage, text)),
            table_heads=without_tags(passage.table_heads),
            facts=[without_tags(f"{fact.entity}: {fact.said}") for fact in passage.facts],
        )


def _within(scope: Scope, documents: Collection[int]) -> Scope:
    """Only these of the documents that may be searched."""
    allowed = frozenset(documents)
    return replace(
        scope, document_ids=allowed & scope.document_ids if scope.document_ids is not None else allowed
    )


def _titles(evidence: Sequence[Evidence]) -> str:
    """The documents that the passages are from."""
    titles = list(dict.fromkeys(passage.document_title for passage in evidence))
    more = len(titles) - TITLES
    return ", ".join(titles[:TITLES]) + (f" and {more} more" if more > 0 else "")

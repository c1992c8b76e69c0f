"""The tools of one turn: runs them in the turn's scope and gives every passage a short key to cite by."""

import json
import logging
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from chat.answering.agent import Toolbox, ToolResult
from jobs.threads import SEARCHES
from providers.protocols import Embedder
from retrieval.evidence import Evidence
from retrieval.query import Scope
from retrieval.tools import TOOLS

logger = logging.getLogger(__name__)


class EvidenceBox:
    """All passages that the tools of a turn have shown to the model, by key ("c1", "c2", ...)."""

    def __init__(self, scope: Scope, embedder: Embedder) -> None:
        self.scope = scope
        self.embedder = embedder
        self.by_key: dict[str, Evidence] = {}
        self._keys: dict[int, str] = {}

    @property
    def toolbox(self) -> Toolbox:
        return Toolbox(specs=[tool.spec for tool in TOOLS], run=self.run)

    async def run(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Run one tool in a thread of its own. What the model got wrong is told to it, never raised."""
        tool = next((tool for tool in TOOLS if tool.name == name), None)
        if tool is None:
            return _refusal(f"There is no tool called {name}.", "unknown tool")
        try:
            checked = tool.arguments.model_validate(arguments)
        except ValidationError as error:
            problems = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors())
            return _refusal(f"Wrong arguments: {problems}", "wrong arguments")
        try:
            return self._result(await SEARCHES.run(tool.run, self.scope, self.embedder, checked))
        except Exception:  # one failing tool must not end the answer
            logger.exception("tool %s", name)
            return _refusal("The tool failed. Try another.", "failed")

    def _result(self, found: list[Evidence]) -> ToolResult:
        titles = list(dict.fromkeys(one.document_title for one in found))
        return ToolResult(
            content=lambda: self._passages(found),
            hits=len(found),
            summary=", ".join(titles[:3]) + (f" and {len(titles) - 3} more" if len(titles) > 3 else ""),
        )

    def _passages(self, found: list[Evidence]) -> str:
        """The passages as the model reads them; each gets its key now."""
        passages = [
            {
                "key": self._key(one),
                "document": one.document_title,
                "pages": f"{one.first_page}-{one.last_page}"
                if one.last_page > one.first_page
                else str(one.first_page),
                "score": one.score,
                "text": one.text,
            }
            for one in found
        ]
        return json.dumps({"passages": passages}, ensure_ascii=False)

    def _key(self, one: Evidence) -> str:
        key = self._keys.setdefault(one.chunk_id, f"c{len(self._keys) + 1}")
        self.by_key[key] = one
        return key


def _refusal(said: str, summary: str) -> ToolResult:
    return ToolResult(content=lambda: said, ok=False, summary=summary)

"""Tries a question before it is offered: a search and an answer without a language model, in memory."""

import json
from collections.abc import Collection, Mapping

from answering.extractive.choice import Choice
from answering.models import quotes_model
from answering.suggestions.proposals import Proposal
from answering.tools.relations import Relations, beginnings_of
from answering.tools.runner import ToolRunner
from datasources.models import Datasource
from providers.embedders import embedder
from providers.protocols import Embedder, Message, ToolCall
from retrieval.evidence import Evidence
from retrieval.query import Scope


class Trial:
    """Searches and answers as for a person."""

    def __init__(
        self,
        datasource: Datasource,
        words: Embedder | None = None,
        *,
        among: Collection[int] | None = None,
    ) -> None:
        """`among`: documents that are searched; None means all."""
        self._scope = Scope(
            user_id=datasource.owner_id,
            datasource_id=datasource.pk,
            document_ids=None if among is None else frozenset(among),
        )
        self._embedder = words or embedder(datasource)
        self._model = quotes_model()

    def documents(self, question: str) -> list[int]:
        """The documents that the quotes come from, best first. Raises ProviderError."""
        choice, passages = self.ask(question)
        return list(dict.fromkeys(passages[quote.passage.key].document_id for quote in choice.quotes))

    def proves(self, proposal: Proposal) -> bool:
        """Whether it is fully answered, and best by the sentence that it was made from.

        Raises ProviderError.
        """
        choice, passages = self.ask(proposal.question)
        if choice.found != "all":
            return False
        first = choice.quotes[0]
        if passages[first.passage.key].document_id != proposal.document_id:
            return False
        best = first.text
        return not proposal.source or best in proposal.source or proposal.source in best

    def ask(self, question: str) -> tuple[Choice, Mapping[str, Evidence]]:
        """What would be quoted, and the passages by key. Raises ProviderError."""
        tools = ToolRunner(self._scope, self._embedder, relations=Relations(beginnings_of))
        offered = {tool.name for tool in tools.specs}
        messages = [Message(role="user", content=question)]
        while not isinstance(due := self._model.proceed(messages, offered), Choice):
            calls = tuple(
                ToolCall(id=f"{len(messages)}-{index}", name=name, arguments=json.dumps(values))
                for index, (name, values) in enumerate(due)
            )
            messages.append(Message(role="assistant", tool_calls=calls))
            for call, (name, values) in zip(calls, due, strict=True):
                content = tools.content(tools.run_here(name, values))
                messages.append(Message(role="tool", content=content, tool_call_id=call.id))
        return due, tools.by_key

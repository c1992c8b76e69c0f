"""The keyless chat model: it calls a language model's tools and answers with the passages' own words."""

import json
import re
from collections.abc import AsyncGenerator, Collection, Sequence
from dataclasses import replace

import numpy as np

from answering.extractive.answer_kinds import Kind
from answering.extractive.candidates import Candidate, candidates
from answering.extractive.changes import MOST, asks_for_changes, changes_in
from answering.extractive.choice import SOME, Asked, Choice, choose, how_sure
from answering.extractive.question import Question
from answering.extractive.ranking import rank
from answering.extractive.searches import (
    Call,
    Findings,
    first_searches,
    further_searches,
    read,
    searches_in_named_documents,
)
from answering.extractive.usual_words import asked_matters, may_be_several
from answering.extractive.words import Terms, stems
from english.periods import unnamed_years
from jobs.threads import QUOTING
from providers.protocols import (
    AnswerReader,
    Embedder,
    Message,
    Reply,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
    Vectors,
)
from providers.protocols.dialect import Dialect
from providers.protocols.embedding import AlikeEmbedder
from text.normal_forms.verbatim import verbatim
from text.words import letters

ANSWER = "answer"

_OWN_SYNTAX = ("/citation[", "⟦")  # words that would be read as a part of the answer's form
_BRACKET = re.compile(r"([\\\[\]])")
_PIECE = re.compile(r".{1,200}", re.DOTALL)


class QuotesModel:
    """Chooses sentences by vectors and words. It writes nothing of its own, and obeys nothing it reads."""

    name = "quotes"
    quotes_only = plans_here = True
    dialect = Dialect()

    def __init__(self, embedder: Embedder, reader: AnswerReader | None = None) -> None:
        """Without a reader the weights alone say what is no answer."""
        self._embedder, self._reader = _Remembering(embedder), reader

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], *, tool_choice: str = "required"
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply]:
        """Search; then look up what the best sentences refer to; then answer. Raises ProviderError."""
        due = await QUOTING.run(self.proceed, messages, {tool.name for tool in tools})
        async for piece in pieces_of(due, len(messages)):
            yield piece

    def proceed(self, messages: Sequence[Message], offered: Collection[str]) -> list[Call] | Choice:
        """The searches that are due, of the tools offered; once there are none, what is quoted.

        Blocks while the sentences are embedded. Raises ProviderError.
        """
        findings = read(messages)
        if findings.rounds == 0:
            self._embedder.forget()
            if calls := _only(offered, first_searches(findings.question)):
                return calls
        choice = self.choose(findings)
        if findings.rounds == 1:
            further = further_searches(findings.question, choice.quotes)
            for asked in choice.unanswered:
                further += searches_in_named_documents(asked, findings.holders)
            return _only(offered, further) or choice
        return choice

    def choose(self, findings: Findings) -> Choice:
        """Blocks while the sentences are embedded."""
        parts, question = without_last_answer(quotable(findings), findings), findings.question
        if question.own_words:
            choice = self._choose(findings, of_own_words(parts, question))
            alone = Question(text=question.asked, asked=question.asked)
            return choice if choice.quotes else self._choose(replace(findings, question=alone), parts)
        return self._choose(findings, parts)

    def _choose(self, findings: Findings, parts: list[Candidate]) -> Choice:
        question = findings.question
        if asks_for_changes(question.text) and (changes := changes_in(question.text, parts)):
            return Choice(quotes=tuple(changes[:MOST]), found="some" if changes[MOST:] else "all")
        rankings = self.ranked(findings, parts)
        choice = choose(rankings, parts, [_asked(one) for one in (question, *question.parts)])
        asked = question.parts or [question]
        unanswered = tuple(
            one.text
            for one, ranking in zip(asked, rankings[-len(asked) :], strict=True)
            if how_sure(ranking) < SOME
        )
        texts = [f"{quote.passage.document} {quote.around} {quote.text}" for quote in choice.quotes]
        texts = texts or [f"{passage.document} {passage.text}" for passage in findings.passages]
        return replace(choice, missing=unnamed_years(question.text, texts), unanswered=unanswered)

    def ranked(self, findings: Findings, parts: Sequence[Candidate]) -> list[list[Candidate]]:
        """For the question and each of its parts, what may be quoted, the fittest first."""
        questions = [findings.question, *findings.question.parts]
        passages, holders = findings.passages, findings.holders
        return rank(questions, parts, passages, holders, self._embedder, self._reader)


async def pieces_of(
    due: list[Call] | Choice, at: int
) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply, None]:
    """What is due as a model streams it; `at`: how many messages stand before it."""
    if isinstance(due, Choice):
        due = [(ANSWER, {"answer": written(due), "found": due.found, "missing": due.missing})]
    made = tuple(
        ToolCall(id=f"quotes-{at}-{index}", name=name, arguments=json.dumps(values, ensure_ascii=False))
        for index, (name, values) in enumerate(due)
    )
    for index, call in enumerate(made):
        for piece in _PIECE.findall(call.arguments):
            yield ToolCallDelta(index=index, id=call.id, name=call.name, arguments=piece)
    yield Reply(content="", tool_calls=made, usage=Usage())


class _Remembering(AlikeEmbedder):
    """An embedder that keeps what it made: the rounds of one answer look at mostly the same sentences."""

    def __init__(self, embedder: Embedder) -> None:
        self.name, self.dimensions = embedder.name, embedder.dimensions
        self.count_tokens = embedder.count_tokens
        self._embedder = embedder
        self.forget()

    def forget(self) -> None:
        self._known: dict[str, Vectors] = {}

    def embed(self, texts: Sequence[str]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        if new:
            self._known.update(zip(new, self._embedder.embed(new), strict=True))
        return np.stack([self._known[text] for text in texts])


def _asked(question: Question) -> Asked:
    return Asked(
        text=question.text,
        compares=question.compares,
        broad=question.is_broad,
        several=may_be_several(question.text),
        plainly=all(matter.plain for matter in asked_matters(question.text)),
    )


def quotable(findings: Findings) -> list[Candidate]:
    """The parts of the passages, but for those that would be read as a part of the answer's form."""
    return [
        part for part in candidates(findings.passages) if not any(mark in part.text for mark in _OWN_SYNTAX)
    ]


def without_last_answer(parts: list[Candidate], findings: Findings) -> list[Candidate]:
    """The parts, less those that were the last answer where the question asks for another: "and the other
    one?", "what else?".
    """
    if not findings.question.wants_another or not findings.last_answer:
        return parts
    said = letters(findings.last_answer)
    return [part for part in parts if letters(part.text) not in said]


def of_own_words(parts: list[Candidate], question: Question) -> list[Candidate]:
    """The parts that have a word of what a follow-up asks itself, be it by a synonym, or the kind of answer
    that it wants: “Who signs it?” asks for no notice, whatever was asked before. All, where none has.
    """
    said = [set(stems(f"{part.around} {part.text}")) for part in parts]
    kind, words = Kind(question.asked), Terms(" ".join(question.own_words), said)
    matters = asked_matters(question.asked)
    own = [
        part
        for part, has in zip(parts, said, strict=True)
        if words.meant(has)
        or any(kind.places(part.text))
        or any(matter.is_said(part.text) for matter in matters)
    ]
    return own or parts


def written(choice: Choice) -> str:
    """One Markdown quotation a quote, each followed by its citation."""
    return "\n\n".join(map(quotation, choice.quotes))


def quotation(quote: Candidate) -> str:
    """The quote as a Markdown quotation with its citation; a row as a table, if its columns are known."""
    columns = quote.columns if quote.kind == "row" else ()
    if not columns:
        return f"> {_shown(quote)} {tag_of(quote)}"
    over = f"> *{verbatim(quote.group)}*\n>\n" if quote.group and columns[0] != quote.group else ""
    row = [*quote.row_cells, *[""] * (len(columns) - len(quote.row_cells))]
    *cells, last = map(verbatim, row)
    lines = (map(verbatim, columns), ["---"] * len(columns), [*cells, f"{last} {tag_of(quote)}".lstrip()])
    return over + "\n".join(f"> | {' | '.join(line)} |" for line in lines)


def tag_of(quote: Candidate) -> str:
    """The citation of a quote, as a model writes it."""
    cited = _BRACKET.sub(r"\\\1", quote.quote)
    return f"/citation[{quote.passage.key}, {cited}]"


def _shown(quote: Candidate) -> str:
    """The quote for people: a row of a table below what names it, an ellipsis where it is cut."""
    if quote.kind == "row":
        row = verbatim(quote.row)
        heads = " | ".join(filter(None, (quote.group, quote.first_head, quote.heads)))
        return f"*{verbatim(heads)}*\\\n> {row}" if heads else row
    before, after = "… " if quote.cut_before else "", " …" if quote.cut_after else ""
    return f"{before}{verbatim(quote.text)}{after}"


def _only(offered: Collection[str], calls: list[Call]) -> list[Call]:
    return [call for call in calls if call[0] in offered]

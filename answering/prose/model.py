"""A model that cannot search: code searches for it, it writes from what is found, code finds the quotes."""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace
from itertools import starmap
from pathlib import Path

from answering.extractive.candidates import Candidate
from answering.extractive.choice import Choice
from answering.extractive.model import ANSWER, QuotesModel, pieces_of, quotable, tag_of, written
from answering.extractive.searches import Findings, read
from answering.prose.attach import Quotable, sentences_of, with_quote
from citations.choices import Support
from citations.parse import TAG, without_tags
from citations.support import check_support
from jobs.threads import QUOTING
from localization.stored import said
from providers.openai.tokens import estimated_tokens
from providers.protocols import (
    ChatModel,
    Message,
    ProviderError,
    Reply,
    TextDelta,
    ToolCall,
    ToolCallDelta,
    ToolSpec,
    Usage,
)
from providers.protocols.dialect import Dialect
from text.languages import language_of_question, name_of_language
from text.prompt import render

PROMPTS = Path(__file__).parent.parent / "prompts"
PROMPT, ASKED = PROMPTS / "prose.md", PROMPTS / "prose_question.md"
PASSAGES = 6  # that are shown to the model
TOKENS = 1_500  # of them all
BEFORE, AFTER = 300, 500  # characters around a sentence that are shown with it
READING = 40.0  # seconds that a slow model may read for
LEAST = 300  # tokens of passages, however slow it is


class Declined(ProviderError):
    """The model says that what code has found is no answer, or what it says has no proof."""


class ProseModel:
    """Plays a model with tools. `searcher` chooses what is looked up and which sentences answer; where none
    does, the model is not asked. Those that what the model wrote does not quote, or contradicts, are shown
    below it, so that the answer is never worse than it would be without a model.
    """

    quotes_only, plans_here = False, True

    def __init__(self, writer: ChatModel, searcher: QuotesModel) -> None:
        self.name, self.dialect = writer.name, writer.dialect
        self._writer, self._searcher = writer, searcher

    async def stream(
        self, messages: Sequence[Message], tools: Sequence[ToolSpec], *, tool_choice: str = "required"
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply, None]:
        """Search, then write. Raises ProviderError."""
        due = await QUOTING.run(self._searcher.proceed, messages, {tool.name for tool in tools})
        if isinstance(due, Choice) and due.quotes:
            findings = read(messages)
            shown = await QUOTING.run(self._shown, findings, due)
            pieces = self._answer(findings, due, shown, len(messages))
        else:
            pieces = pieces_of(due, len(messages))
        async with aclosing(pieces):
            async for piece in pieces:
                yield piece

    def _shown(self, findings: Findings, choice: Choice) -> list[str]:
        """What the model reads: the sentences that answer best, with what stands around them."""
        ranked = self._searcher.ranked(findings, quotable(findings))[0]
        excerpts: dict[str, str] = {}
        left = passage_tokens(self._writer.dialect)
        for part in [*choice.quotes, *ranked[: 2 * PASSAGES]]:
            if part.passage.key in excerpts:
                continue
            text = f"{part.passage.document}: {_around(part)}"
            left -= estimated_tokens(text)
            if excerpts and (left < 0 or len(excerpts) == PASSAGES):
                break
            excerpts[part.passage.key] = text
        return list(excerpts.values())

    async def _answer(
        self, findings: Findings, choice: Choice, shown: Sequence[str], at: int
    ) -> AsyncGenerator[TextDelta | ToolCallDelta | Reply, None]:
        """The prose sentence by sentence, each with its quote. Raises ProviderError."""
        prose = _Prose(await QUOTING.run(Quotable, findings.passages), choice.quotes)
        head = json.dumps({"found": choice.found, "missing": choice.missing})[:-1] + ', "answer": "'
        call = ToolCallDelta(index=0, id=f"prose-{at}", name=ANSWER, arguments=head)
        yield call
        usage, cut, held = Usage(), False, ""
        failure: ProviderError | None = None
        try:
            async with aclosing(self._writer.stream(_asked(findings, shown), [])) as pieces:
                async for piece in pieces:
                    if isinstance(piece, Reply):
                        usage, cut = piece.usage, piece.cut
                    held += await QUOTING.run(prose.add, piece)
                    if held and prose.is_proven:
                        yield replace(call, arguments=_escaped(held))
                        held = ""
        except ProviderError as error:
            if not prose.is_proven:
                raise
            failure = error
        if not prose.is_proven:
            raise _not_shown(prose.written.strip())
        rest = f"\n\n{written(replace(choice, quotes=tuple(prose.left)))}" if prose.left else ""
        yield replace(call, arguments=_escaped(rest) + '"}')
        if failure is not None:
            raise failure
        arguments = head + _escaped(prose.written + rest) + '"}'
        whole = ToolCall(id=call.id, name=ANSWER, arguments=arguments)
        yield Reply(content="", tool_calls=(whole,), usage=usage, cut=cut)


class _Prose:
    """A text that grows by whole sentences, each with its quote; one that comes again is left out.

    `is_proven`: a sentence has a quote. `left`: of the sentences that answer, those that it does not quote,
    or only to contradict them.
    """

    def __init__(self, parts: Quotable, answers: Sequence[Candidate]) -> None:
        self.written, self.is_proven, self.left = "", False, [*answers]
        self._parts = parts
        self._raw = ""
        self._done = 0
        self._said: set[str] = set()

    def add(self, piece: TextDelta | ToolCallDelta | Reply) -> str:
        """What can be shown now."""
        match piece:
            case TextDelta(text=text):
                self._raw += text
                if not self._done and self._raw.lstrip().startswith("<"):
                    return ""  # it may be a thought, which the whole reply does not have
            case Reply(content=content) if not self._done:
                self._raw = content.strip()
        sentences = list(sentences_of(self._raw[self._done :]))
        new = "".join(starmap(self._taken, sentences if isinstance(piece, Reply) else sentences[:-1]))
        self.written += new
        return new

    def _taken(self, sentence: str, gap: str) -> str:
        self._done += len(sentence) + len(gap)
        if sentence and sentence in self._said:
            return ""
        self._said.add(sentence)
        quoted = with_quote(sentence, self._parts)
        self.is_proven |= len(TAG.findall(quoted)) > len(TAG.findall(sentence))
        self.left = [part for part in self.left if not _is_told(part, sentence, quoted)]
        return quoted + gap


def _not_shown(text: str) -> ProviderError:
    """Why a text in which nothing has a quote is not shown."""
    if not text:
        return ProviderError(said("The model wrote nothing."))
    return Declined(said("The language model found no answer that it could prove."))


def _is_told(part: Candidate, sentence: str, quoted: str) -> bool:
    return tag_of(part) in quoted and check_support(sentence, part.text).support != Support.CONTRADICTED


def passage_tokens(dialect: Dialect) -> int:
    """How many tokens of passages the model is given: a slow one what it reads while somebody waits."""
    return max(LEAST, min(TOKENS, round(dialect.reads * READING))) if dialect.is_slow else TOKENS


def _asked(findings: Findings, shown: Sequence[str]) -> list[Message]:
    question = findings.question.text
    passages = "\n\n".join(f"[{number}] {text}" for number, text in enumerate(shown, start=1))
    language = name_of_language(language_of_question(question)) or "the language of the question"
    told = render(ASKED, passages=passages, question=question, language=language)
    return [Message(role="system", content=render(PROMPT)), Message(role="user", content=told)]


def _around(part: Candidate) -> str:
    """The sentence with what stands before and behind it, from the beginning of a word to the end of one."""
    text = part.passage.text
    start, end = max(0, part.start - BEFORE), min(len(text), part.end + AFTER)
    if start:
        start = text.find(" ", start, part.start) + 1 or part.start
    if end < len(text):
        end = max(text.rfind(" ", part.end, end), part.end)
    return " ".join(without_tags(text[start:end]).split())


def _escaped(text: str) -> str:
    """As it stands within a string of JSON."""
    return json.dumps(text, ensure_ascii=False)[1:-1]

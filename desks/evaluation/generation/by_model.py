"""Questions written by a model from gold passages, then checked by code: each quote is really there."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import json_repair
from pydantic import BaseModel, ConfigDict, ValidationError

from citations.match import locate
from desks.evaluation.generation.corpus import Corpus, Source, content
from desks.evaluation.generation.paid_writing import PaidWriter
from desks.evaluation.generation.single import proof_of
from desks.evaluation.models import Kind
from desks.evaluation.questions.draft import Draft
from ingestion.models import Chunk
from providers.protocols import Message
from providers.spending.allowance import OverLimit
from text.normal_forms.storable import one_line
from text.prompt import render

PROMPT = Path(__file__).parent.parent / "prompts" / "write_questions.md"
FAILURES = 5  # questions in a row that cannot be used: then the model is not asked again


class WrittenQuote(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    passage: int
    words: str


class WrittenQuestion(BaseModel):
    """The model's answer; passages are told by their place in the list that it was given, from 1."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    question: str
    answer: str
    quotes: list[WrittenQuote]


class ModelWriter:
    """Asks for a question about the passages of each draft that the rules have made."""

    def __init__(self, model: PaidWriter, corpus: Corpus) -> None:
        self._model = model
        self.is_over_budget = False
        self._corpus = corpus
        self._source_of = {source.document.pk: source for source in corpus.sources}

    def write(self, kind: Kind, drafts: Sequence[Draft], count: int) -> Iterator[Draft]:
        """At most so many, of as many drafts, as far as the budget goes. Raises ProviderError."""
        failed = given = 0
        for draft in drafts:
            if given >= count or failed >= FAILURES or self.is_over_budget:
                return
            passages = self._passages(draft)
            if not passages:
                continue
            written = self._written(kind, [chunk.text for _, chunk in passages])
            question = written and self._checked(kind, written, passages)
            if question:
                given, failed = given + 1, 0
                yield question
            else:
                failed += 1

    def _passages(self, draft: Draft) -> list[tuple[Source, Chunk]]:
        """One for each piece; for a question without a source, any of the datasource to be like."""
        found: dict[int, tuple[Source, Chunk]] = {}
        for proof in draft.proofs:
            source = self._source_of.get(proof.document_id or 0)
            if source is None or proof.piece in found or proof.start is None:
                continue
            inside = [chunk for chunk in source.chunks if chunk.start <= proof.start < chunk.end]
            if inside:
                found[proof.piece] = (source, inside[0])
        if not found and draft.kind == Kind.NONE and self._corpus.sources:
            source = self._corpus.sources[len(draft.text) % len(self._corpus.sources)]
            if source.chunks:
                found[0] = (source, source.chunks[len(draft.reference) % len(source.chunks)])
        return list(found.values())

    def _written(self, kind: Kind, texts: Sequence[str]) -> WrittenQuestion | None:
        told = {"kind": kind.value, "passages": {str(n): text for n, text in enumerate(texts, start=1)}}
        messages = [
            Message(role="system", content=render(PROMPT)),
            Message(role="user", content=json.dumps(told, ensure_ascii=False)),
        ]
        try:
            answer = self._model.complete(messages, WrittenQuestion.model_json_schema())
            return WrittenQuestion.model_validate(json_repair.loads(answer))
        except OverLimit:
            self.is_over_budget = True
        except (ValidationError, RecursionError):
            pass
        return None

    def _checked(
        self, kind: Kind, written: WrittenQuestion, passages: Sequence[tuple[Source, Chunk]]
    ) -> Draft | None:
        """None unless every passage that is needed is quoted with words that stand there."""
        text = one_line(written.question)
        answer = one_line(written.answer)
        if not text.endswith("?") or not answer or len(text) > 400:
            return None
        if kind == Kind.NONE:
            about = tuple(source.document.pk for source, _ in passages)
            return self._absent(text, answer, about) if not written.quotes else None
        proofs = []
        for quote in written.quotes:
            if not 1 <= quote.passage <= len(passages):
                return None
            source, chunk = passages[quote.passage - 1]
            located = locate(quote.words, chunk.text)
            if located is None or located.method == "corrected":
                return None
            end = located.start + len(located.quote)
            proofs.append(proof_of(source, chunk, located.start, end, piece=quote.passage - 1))
        if {proof.piece for proof in proofs} != set(range(len(passages))):
            return None
        return Draft(kind=kind, text=text, reference=answer, proofs=tuple(proofs), template="model")

    def _absent(self, text: str, answer: str, about: tuple[int, ...]) -> Draft | None:
        """A complete search: no chunk may have all that the question asks about."""
        if self._corpus.holding(content(text)):
            return None
        chunks = len(self._corpus.chunks)
        return Draft(
            kind=Kind.NONE,
            text=text,
            reference=f"Not in these documents: {answer} None of {chunks:,} passages has its words together.",
            template="model",
            about=about,
        )

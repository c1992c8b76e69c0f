"""The four scores by a judge model, as RAGBench's annotators gave them: sentence by sentence, with reasons.

They are kept and shown beside those by code, and change none of them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import json_repair
from pydantic import BaseModel, ConfigDict, ValidationError

from citations.marks import without_marks
from desks.evaluation.models import Kind, Question
from desks.evaluation.runs.answering import Answered
from providers.protocols import Message, StructuredModel
from text.normal_forms.storable import one_line
from text.prompt import render
from text.sentences import sentence_ends

PROMPT = Path(__file__).parent.parent / "prompts" / "judge_trace.md"
PASSAGES = 20  # that the judge reads
LONGEST = 2000  # characters of a passage
LONGEST_REASON = 300


class WrittenStatement(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    key: str
    reason: str
    supported: bool


class WrittenJudgement(BaseModel):
    """The judge's answer, in the keys that it was given."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    relevant: list[str]
    used: list[str]
    statements: list[WrittenStatement]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Of the answer, with the judge's verdict."""

    text: str
    supported: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    model: str
    scores: Mapping[str, float]
    statements: Sequence[Statement]

    def as_json(self) -> dict[str, Any]:
        return {
            "model": self.model,
            "scores": dict(self.scores),
            "statements": [asdict(each) for each in self.statements],
        }


async def judged(judge: StructuredModel, question: Question, answered: Answered) -> Judged | None:
    """Within `async with judge:`. None where its judgement cannot be read. Raises ProviderError."""
    context = {
        f"p{number}s{place}": sentence
        for number, passage in enumerate(answered.passages[:PASSAGES], start=1)
        for place, sentence in enumerate(sentences(passage.text[:LONGEST]), start=1)
    }
    said = {f"a{n}": text for n, text in enumerate(sentences(without_marks(answered.answer)), start=1)}
    asked = {"question": question.text, "passages": context, "statements": said}
    messages = [
        Message(role="system", content=render(PROMPT)),
        Message(role="user", content=json.dumps(asked, ensure_ascii=False)),
    ]
    answer, _ = await judge.complete(messages, WrittenJudgement.model_json_schema())
    try:
        written = WrittenJudgement.model_validate(json_repair.loads(answer))
    except (ValidationError, RecursionError):
        return None
    return read(written, context, said, judge.name, Kind(question.kind))


def read(
    written: WrittenJudgement,
    context: Mapping[str, str],
    said: Mapping[str, str],
    model: str,
    kind: Kind,
) -> Judged:
    """The scores that follow from the keys: shares of characters, as in the paper."""
    relevant = {key for key in written.relevant if key in context}
    used = {key for key in written.used if key in context}
    verdicts = {each.key: each for each in written.statements if each.key in said}
    whole = _length(context, context)
    scores: dict[str, float] = {}
    if whole and kind != Kind.NONE:
        scores["relevance"] = _length(context, relevant) / whole
        scores["utilisation"] = _length(context, used) / whole
    if relevant and kind != Kind.NONE:
        scores["completeness"] = _length(context, relevant & used) / _length(context, relevant)
    supported = [verdicts[key].supported for key in said if key in verdicts]
    if len(supported) == len(said):
        scores["adherence"] = sum(supported) / len(supported) if supported else 1.0
    return Judged(
        model=model,
        scores=scores,
        statements=[
            Statement(
                text=text,
                supported=verdicts[key].supported,
                reason=one_line(verdicts[key].reason, LONGEST_REASON),
            )
            for key, text in said.items()
            if key in verdicts
        ],
    )


def sentences(text: str) -> list[str]:
    """The sentences of a text, white space folded. What has no letter is none, as the full stop behind a
    citation that was taken out.
    """
    ends = [*sentence_ends(text), len(text)]
    parts = [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    return [" ".join(part.split()) for part in parts if any(map(str.isalnum, part))]


def _length(context: Mapping[str, str], keys: Any) -> int:
    return sum(len(context[key]) for key in keys)

"""Asks a model once about a whole answer: which quotes carry their claims, and whether it is to the point."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import json_repair
from pydantic import BaseModel, ConfigDict, ValidationError

from citations.match import locate
from citations.opinion import Answers, Opinion, Reading, Says
from citations.statements import ADDRESSES_READER, Statement, in_calls
from localization.stored import said
from providers.protocols import Message, ProviderError, StructuredModel, Usage
from text.normal_forms.storable import one_line
from text.prompt import render

PROMPT = Path(__file__).parent / "prompts" / "read_answer.md"
LONGEST_CALL = 24_000  # characters of statements in one call, where the model's window is not known
CHARACTERS = 3  # of a token, at least
SHARE = 0.6  # of the window that statements may fill: the rest is for the prompt and the reply
FEWEST_LETTERS = 4  # of deciding words: “the” decides nothing
LONGEST_QUESTION = 2_000  # characters
LONGEST_LINE = 300  # characters of a reason
UNSOURCED = 20  # sentences without a source that are sent along


class WrittenOpinion(BaseModel):
    """The words come first, so that the verdict follows from them."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    id: int
    quoted: str
    verdict: Literal["supports", "contradicts", "neither"]
    why: str


class WrittenReading(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    statements: list[WrittenOpinion]
    answers: Literal["wholly", "partly", "not"]
    missing: str


SCHEMA = WrittenReading.model_json_schema()


async def read(
    model: StructuredModel,
    question: str,
    statements: Sequence[Statement],
    also_said: Sequence[str] = (),
    *,
    window: int | None = None,
    writer: bool = False,
) -> Reading:
    """Within `async with model:`. One call, or several where the statements do not fit into `window` tokens.

    A statement that talks to its reader is not sent, so that it can say nothing about others; it has no
    opinion, and neither has one whose deciding words are not in its quote. Raises ProviderError, also when
    nothing of the reply can be read.
    """
    asked = [statement for statement in statements if not statement.addresses_reader]
    others = [line for line in also_said if not ADDRESSES_READER.search(line)][:UNSOURCED]
    most = int(window * SHARE) * CHARACTERS if window else LONGEST_CALL
    opinions: dict[int, Opinion] = {}
    usage, found, missing, calls = Usage(), set[Answers](), "", 0
    for call in in_calls(asked, most):
        written, used = await _complete(model, question, call, others)
        calls += 1
        usage += used
        opinions |= _opinions(written, call, model.name, writer=writer)
        found.add(_answers(written))
        missing = missing or one_line(str(written.get("missing") or ""), LONGEST_LINE)
    answers = next((each for each in Answers if each in found), Answers.UNKNOWN)
    missing = missing if answers in (Answers.PARTLY, Answers.NOT) else ""
    return Reading(opinions=opinions, answers=answers, missing=missing, calls=calls, usage=usage)


async def _complete(
    model: StructuredModel, question: str, call: Sequence[Statement], also_said: Sequence[str]
) -> tuple[Mapping[str, Any], Usage]:
    told = {
        "question": one_line(question, LONGEST_QUESTION),
        "statements": [each.as_asked(number) for number, each in enumerate(call, start=1)],
    } | ({"also_said": [one_line(line, LONGEST_LINE) for line in also_said]} if also_said else {})
    messages = [
        Message(role="system", content=render(PROMPT)),
        Message(role="user", content=json.dumps(told, ensure_ascii=False)),
    ]
    answer, usage = await model.complete(messages, SCHEMA)
    try:
        written = json_repair.loads(answer)
    except RecursionError:
        written = None
    if not isinstance(written, dict) or not isinstance(written.get("statements"), list):
        raise ProviderError(said("{model} did not answer in the form it was asked for.", model=model.name))
    return written, usage


def _opinions(
    written: Mapping[str, Any], call: Sequence[Statement], name: str, *, writer: bool
) -> dict[int, Opinion]:
    """By the number of the citation. What names no statement of the call, or one twice, does not count."""
    given: dict[int, list[WrittenOpinion]] = {}
    for one in written["statements"]:
        try:
            opinion = WrittenOpinion.model_validate(one, strict=True)
        except ValidationError:
            continue
        given.setdefault(opinion.id, []).append(opinion)
    return {
        statement.n: Opinion(
            says=Says(given[number][0].verdict),
            words=one_line(given[number][0].quoted, LONGEST_LINE),
            reason=one_line(given[number][0].why, LONGEST_LINE),
            model=name,
            writer=writer,
        )
        for number, statement in enumerate(call, start=1)
        if len(given.get(number, ())) == 1 and _counts(given[number][0], statement)
    }


def _counts(opinion: WrittenOpinion, statement: Statement) -> bool:
    """Whether the deciding words are in the quote and say something. Where the quote decides nothing, there
    may be none.
    """
    if opinion.verdict == Says.NEITHER and not opinion.quoted.strip():
        return True
    letters = [letter for letter in opinion.quoted if letter.isalnum()]
    says_something = len(letters) >= FEWEST_LETTERS or any(
        not one.isascii() or one.isdigit() for one in letters
    )
    return says_something and locate(opinion.quoted, statement.quote, slips=False) is not None


def _answers(written: Mapping[str, Any]) -> Answers:
    told = written.get("answers")
    return Answers(told) if told in set(Answers) else Answers.UNKNOWN

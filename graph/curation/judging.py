"""Asking a model about the pairs of names that score alone leaves open, and keeping what it says."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import json_repair
from django.conf import settings
from django.db import transaction
from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError

from datasources.models import Datasource
from graph.aggregate import update
from graph.extraction.llm.budget import payer_of_graph
from graph.extraction.llm.extractor import Asker, Outcome
from graph.extraction.llm.schema import Unreadable, problems
from graph.extraction.model_reading import announce_spending
from graph.models import EntityMention, PairVerdict, Verdict
from graph.resolution.questions import Question, prompt, questions
from graph.sql import query
from providers.language_models import structured_model
from providers.roles import ModelRole

AT_ONCE = 8  # pairs in one request
ANSWER = 20  # tokens that a verdict is expected to have
PORTION = 400  # pairs whose quotes are read in one go


def _word(value: Any) -> Any:
    word = str(value).strip().lower()
    return word if word in Verdict.values else Verdict.UNSURE


class WrittenVerdict(BaseModel):
    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    pair: int
    verdict: Annotated[Verdict, BeforeValidator(_word)]


class Verdicts(BaseModel):
    """A model's answer about several pairs, which are numbered from 1."""

    model_config = ConfigDict(json_schema_extra={"additionalProperties": False})
    answers: list[WrittenVerdict]


@dataclass(slots=True, kw_only=True)
class Judge(Asker[Verdicts]):
    """A chat model that is asked whether names mean one thing."""

    def __post_init__(self) -> None:
        self.prepare(prompt(), Verdicts.model_json_schema())

    def parse(self, answer: str) -> Verdicts:
        value = json_repair.loads(answer)
        try:
            return Verdicts.model_validate(value)
        except ValidationError as error:
            raise Unreadable(problems(error)) from error


def judge(datasource: Datasource, go_on: Callable[[], None]) -> bool:
    """Ask about each open pair that this model has not seen as it is, as far as the budget goes.

    Each answer is kept before the next one is looked at; what `go_on` raises ends the asking. Gives whether
    the graph has changed.
    """
    payer = payer_of_graph(datasource, ModelRole.JUDGE, AT_ONCE * ANSWER)
    model = structured_model(datasource, ModelRole.JUDGE, payer, watched=True)
    if model is None:  # it was disconnected since the job was queued
        return False
    asker = Judge(model=model, concurrency=settings.GRAPH_CONCURRENCY)
    changed = False

    def keep(outcomes: Sequence[Outcome[Verdicts]]) -> None:
        nonlocal changed
        for outcome in outcomes:
            changed |= _keep(datasource, model.name, outcome, batches.pop(outcome.text))
        go_on()

    pairs = _open_pairs(datasource.pk)
    for start in range(0, len(pairs), PORTION):
        go_on()
        unknown = _unknown(datasource.pk, model.name, questions(pairs[start : start + PORTION]))
        batches = {_text(batch): batch for batch in _batches(unknown)}
        asker.read_all(list(batches), keep)
        if asker.gave_up or asker.is_held:
            break
    announce_spending(datasource)
    return changed


def _open_pairs(datasource_id: int) -> list[tuple[int, int]]:
    """The pairs of names that wait for a decision, the likeliest first."""
    return [(a, b) for a, b in query("pairs_to_judge", datasource=datasource_id)]


def _unknown(datasource_id: int, model: str, asked: Sequence[Question]) -> list[Question]:
    """Those of the questions that this model has not answered."""
    known = PairVerdict.objects.filter(
        datasource_id=datasource_id, model=model, content__in=[one.content for one in asked]
    )
    answered = set(known.values_list("content", flat=True))
    return [one for one in asked if one.content not in answered]


def _batches(asked: Sequence[Question]) -> list[Sequence[Question]]:
    return [asked[start : start + AT_ONCE] for start in range(0, len(asked), AT_ONCE)]


def _text(batch: Sequence[Question]) -> str:
    return "\n\n".join(f"# Pair {number}\n{one.text}" for number, one in enumerate(batch, start=1))


def _keep(datasource: Datasource, model: str, outcome: Outcome[Verdicts], batch: Sequence[Question]) -> bool:
    """Store the verdicts and fold the names again; whether that may have changed anything.

    A pair that the answer leaves out is unsure. One that quotes a document which is gone by now gets no
    verdict.
    """
    if outcome.reading is None:
        return False
    said = {answer.pair: answer.verdict for answer in outcome.reading.answers}
    verdicts = [(one, said.get(number, Verdict.UNSURE)) for number, one in enumerate(batch, start=1)]
    with transaction.atomic():
        update.lock(datasource.pk)
        there = _still_there(frozenset().union(*(one.documents for one in batch)))
        kept = [(one, verdict) for one, verdict in verdicts if one.documents <= there]
        PairVerdict.objects.bulk_create(
            [
                PairVerdict(
                    datasource=datasource,
                    key=one.a[0],
                    sense=one.a[1],
                    other_key=one.b[0],
                    other_sense=one.b[1],
                    content=one.content,
                    documents=sorted(one.documents),
                    model=model[:200],
                    verdict=verdict,
                )
                for one, verdict in kept
            ],
            ignore_conflicts=True,
        )
        settled = [one for one, verdict in kept if verdict != Verdict.UNSURE]
        if settled:
            update.reconsider(datasource.pk, {key for one in settled for key, _ in (one.a, one.b)})
    return bool(settled)


def _still_there(documents: frozenset[int]) -> set[int]:
    found = EntityMention.objects.filter(document__in=documents)
    return set(found.values_list("document_id", flat=True).distinct())

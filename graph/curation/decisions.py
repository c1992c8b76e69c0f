"""Decisions as people read them: a sentence each, with who and when."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse

from datasources.models import Datasource
from graph.models import OF_RELATIONS, Decision, DecisionKind, Entity, EntityName
from graph.resolution.resolve import Ref
from graph.values.type_styles import type_style


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionText:
    """A decision in words; `entity` is what its name means now, if the graph knows it."""

    decision: Decision
    text: str
    entity: int | None

    @property
    def who(self) -> str:
        """Whoever decided, as others know them. An import has nobody, nor has an account that was deleted."""
        person = self.decision.decided_by
        return (person.get_full_name() or person.email) if person else "Imported, or by a deleted account"


def in_words(decisions: Iterable[Decision]) -> list[DecisionText]:
    """The decisions of one datasource in words, in their order."""
    given = list(decisions)
    if not given:
        return []
    keys = {key for d in given for key in (d.key, d.other_key) if key}
    names = {
        (name.key, name.sense): name
        for name in EntityName.objects.filter(datasource_id=given[0].datasource_id, key__in=keys)
    }
    return [_in_words(decision, names) for decision in given]


def _in_words(decision: Decision, names: dict[Ref, EntityName]) -> DecisionText:
    held = names.get((decision.key, decision.sense))
    return DecisionText(
        decision=decision, text=_sentence(decision, names), entity=held.entity_id if held else None
    )


def _sentence(decision: Decision, names: dict[Ref, EntityName]) -> str:
    def spelt(key: str, sense: str) -> str:
        return f"“{names[key, sense].name if (key, sense) in names else key}”"

    one = spelt(decision.key, decision.sense)
    if decision.kind == DecisionKind.MERGE and decision.name:
        return f"{one} is also called “{decision.name}”."
    if decision.kind == DecisionKind.SPLIT:
        where = decision.document.title if decision.document else "a document that is gone"
        return f"{one} in “{where}” means something else than elsewhere."
    if decision.kind in OF_RELATIONS:
        pair = f"{one} and {spelt(decision.other_key, decision.other_sense)}"
        is_left_out = decision.kind == DecisionKind.DISMISS
        return f"What is said of {pair} " + ("is left out." if is_left_out else f"is “{decision.name}”.")
    types = ", ".join(type_style(kind).label for kind in decision.types)
    return {
        DecisionKind.MERGE: f"{one} and {spelt(decision.other_key, decision.other_sense)} are one thing.",
        DecisionKind.APART: f"{one} and {spelt(decision.other_key, decision.other_sense)} are two different"
        " things.",
        DecisionKind.RENAME: f"{one} is shown as “{decision.name}”.",
        DecisionKind.RETYPE: f"{one} is of type {types}.",
        DecisionKind.HIDE: f"{one} is left out.",
    }[DecisionKind(decision.kind)]


def holder(datasource: Datasource, key: str, sense: str = "") -> Entity | None:
    """The entity that a name means now: merging and splitting may give it another id."""
    found = EntityName.objects.filter(datasource=datasource, key=key, sense=sense).select_related("entity")
    name = found.first()
    return name.entity if name else None


def address(datasource: Datasource, key: str, sense: str = "") -> str:
    """Where the graph's page shows what a name means; the whole graph when it means nothing any more."""
    entity = holder(datasource, key, sense)
    return reverse("graph", args=[datasource.pk], query={"entity": entity.pk} if entity else None)

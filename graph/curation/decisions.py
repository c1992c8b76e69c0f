"""Decisions as people read them: a sentence each, with who and when."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from datasources.models import Datasource
from graph.models import Decision, DecisionKind, Entity, EntityName
from graph.resolution.resolve import Ref
from graph.values.type_styles import type_style
from localization.lists import joined

SENTENCES = {
    DecisionKind.MERGE: gettext_lazy("{one} and {other} are one thing."),
    DecisionKind.APART: gettext_lazy("{one} and {other} are two different things."),
    DecisionKind.RENAME: gettext_lazy("{one} is shown as “{name}”."),
    DecisionKind.RETYPE: gettext_lazy("{one} is of type {types}."),
    DecisionKind.HIDE: gettext_lazy("{one} is left out."),
    DecisionKind.DISMISS: gettext_lazy("What is said of {one} and {other} is left out."),
    DecisionKind.RELATE: gettext_lazy("What is said of {one} and {other} is “{name}”."),
}


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
        return (person.get_full_name() or person.email) if person else _("Imported, or by a deleted account")


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

    told = {"one": spelt(decision.key, decision.sense), "name": decision.name}
    if decision.kind == DecisionKind.MERGE and decision.name:
        return _("{one} is also called “{name}”.").format(**told)
    if decision.kind == DecisionKind.SPLIT:
        where = decision.document.title if decision.document else _("a document that is gone")
        return _("{one} in “{document}” means something else than elsewhere.").format(document=where, **told)
    if decision.other_key:
        told["other"] = spelt(decision.other_key, decision.other_sense)
    if decision.kind == DecisionKind.RETYPE:
        told["types"] = joined([str(type_style(kind).label) for kind in decision.types])
    return str(SENTENCES[DecisionKind(decision.kind)]).format(**told)


def holder(datasource: Datasource, key: str, sense: str = "") -> Entity | None:
    """The entity that a name means now: merging and splitting may give it another id."""
    found = EntityName.objects.filter(datasource=datasource, key=key, sense=sense).select_related("entity")
    name = found.first()
    return name.entity if name else None


def address(datasource: Datasource, key: str, sense: str = "") -> str:
    """Where the graph's page shows what a name means; the whole graph when it means nothing any more."""
    entity = holder(datasource, key, sense)
    return reverse("graph", args=[datasource.pk], query={"entity": entity.pk} if entity else None)

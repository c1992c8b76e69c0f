"""Which types of things and relations a datasource's graph has: presets, or lists of the datasource's own."""

from dataclasses import dataclass

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

OTHER = "OTHER"


class Ontology(TextChoices):
    """The presets of types."""

    GENERAL = "general", _("General")
    RESEARCH = "research", _("Research")
    CONTRACTS = "contracts", _("Contracts")
    COMPLIANCE = "compliance", _("Compliance")


@dataclass(frozen=True, slots=True, kw_only=True)
class Types:
    """Types with a line each that says what they mean; without relation types relations are free.

    PERSON, ORGANIZATION, DATE, AMOUNT and REFERENCE mean the same everywhere: see
    graph.resolution.resolve.
    """

    entities: dict[str, str]
    relations: dict[str, str]

    @property
    def entity_names(self) -> list[str]:
        return [*self.entities, OTHER]

    @property
    def relation_names(self) -> list[str]:
        return [*self.relations, OTHER] if self.relations else []


_PERSON = "a human being, by name"
_ORGANIZATION = "a company, authority, institution, team or other body"
_DATE = "a day, month, year or period"
_AMOUNT = "a sum of money, a percentage or a measured quantity with its unit"
_REFERENCE = "a numbered place in a document, such as “Section 4.2” or “Schedule B”"

PRESETS = {
    Ontology.GENERAL: Types(
        entities={
            "PERSON": _PERSON,
            "ORGANIZATION": _ORGANIZATION,
            "LOCATION": "a country, city, region, address, building or natural place",
            "EVENT": "something that happened or will happen, by name",
            "WORK": "a book, film, song, law, report or other titled work",
            "PRODUCT": "a product, service, brand, vehicle or technical system",
            "CONCEPT": "a named idea, field, method or condition that the passage explains or relies on",
            "DATE": _DATE,
            "AMOUNT": _AMOUNT,
        },
        relations={},
    ),
    Ontology.RESEARCH: Types(
        entities={
            "CONCEPT": "an idea, theory, task, problem or phenomenon",
            "METHOD": "a way of doing something: a model, an architecture, a procedure, a study design",
            "ALGORITHM": "a method that is given as exact steps, by name",
            "DATASET": "a collection of data, a corpus or a benchmark",
            "METRIC": "a measure by which results are judged",
        },
        relations={
            "USES": "source works with target",
            "IMPROVES": "source does better than target, or makes target better",
            "COMPARES_TO": "source is compared with target",
            "BASED_ON": "source is derived from target or extends it",
            "APPLIES_TO": "source is used for target, or evaluated on it",
        },
    ),
    Ontology.CONTRACTS: Types(
        entities={
            "PERSON": _PERSON,
            "ORGANIZATION": _ORGANIZATION,
            "AGREEMENT": "a contract, amendment, order, schedule or policy, by name",
            "TERM": "a word that the document defines, or a role such as “the Supplier”",
            "OBLIGATION": "something that a party must do or must not do, in a few of the passage's words",
            "RIGHT": "something that a party may do, in a few of the passage's words",
            "REFERENCE": _REFERENCE,
            "LOCATION": "a place, or the law of a place",
            "AMOUNT": _AMOUNT,
            "DATE": _DATE,
        },
        relations={
            "PARTY_TO": "source is a party to target",
            "DEFINES": "source says what target means",
            "OBLIGED_TO": "source must do target",
            "ENTITLED_TO": "source may do target",
            "OWES": "source owes or pays target, or owes something to target",
            "AMENDS": "source changes target",
            "REPLACES": "source takes the place of target",
            "TERMINATES": "source ends target",
            "LIMITS": "source caps or excludes target",
            "REFERS_TO": "source points to target",
            "EFFECTIVE_ON": "source begins, ends or falls due at target",
        },
    ),
    Ontology.COMPLIANCE: Types(
        entities={
            "ORGANIZATION": _ORGANIZATION,
            "PERSON": _PERSON,
            "ROLE": "a function that somebody fills, such as “data protection officer”",
            "REGULATION": "a law, standard or policy, by name",
            "REQUIREMENT": "what has to be so, in a few of the passage's words",
            "CONTROL": "a measure, process or check that is in place",
            "RISK": "what may go wrong",
            "DATA": "a kind of data or record",
            "SYSTEM": "software, equipment or a service",
            "REFERENCE": _REFERENCE,
            "DATE": _DATE,
            "AMOUNT": _AMOUNT,
        },
        relations={
            "REQUIRES": "source demands target",
            "APPLIES_TO": "source is binding for target",
            "IMPLEMENTS": "source fulfils target",
            "MITIGATES": "source makes target less likely or less harmful",
            "RESPONSIBLE_FOR": "source answers for target",
            "PROCESSES": "source collects, keeps or uses target",
            "VIOLATES": "source goes against target",
            "REPORTS_TO": "source has to tell target",
            "REFERS_TO": "source points to target",
        },
    ),
}


def types_in_force(ontology: Ontology, entity_types: list[str], relation_types: list[str]) -> Types:
    """The datasource's own lists, else those of its preset."""
    preset = PRESETS[ontology]
    return Types(
        entities=_own(entity_types, preset.entities) or preset.entities,
        relations=_own(relation_types, preset.relations) or preset.relations,
    )


def _own(names: list[str], known: dict[str, str]) -> dict[str, str]:
    return {name: known.get(name, "") for name in map(type_name, names) if name and name != OTHER}


def type_name(text: str) -> str:
    """“compares to” as COMPARES_TO; empty for a text without letters and digits."""
    words = "".join(c if c.isalnum() else " " for c in text).split()
    return "_".join(words).upper()[:40]

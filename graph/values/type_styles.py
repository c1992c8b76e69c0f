"""How types of things and relations are called and coloured on pages."""

from dataclasses import dataclass
from zlib import crc32

from django.utils.translation import pgettext_lazy

TONES = (  # of tokens.css
    "org",
    "agreement",
    "clause",
    "obligation",
    "person",
    "amount",
    "date",
    "place",
    "event",
    "product",
    "control",
    "role",
)
# No two types of one ontology share a tone, but for OTHER, which is grey as dates are.
_TONE = {
    "ORGANIZATION": "org",
    "COMPANY": "org",
    "NAME": "agreement",
    "AGREEMENT": "agreement",
    "WORK": "agreement",
    "REGULATION": "agreement",
    "METHOD": "agreement",
    "REFERENCE": "clause",
    "CLAUSE": "clause",
    "ALGORITHM": "clause",
    "OBLIGATION": "obligation",
    "REQUIREMENT": "obligation",
    "TOPIC": "obligation",
    "METRIC": "obligation",
    "PERSON": "person",
    "AMOUNT": "amount",
    "DATASET": "amount",
    "DATE": "date",
    "OTHER": "date",
    "LOCATION": "place",
    "PLACE": "place",
    "DATA": "place",
    "EVENT": "event",
    "RISK": "event",
    "PRODUCT": "product",
    "SYSTEM": "product",
    "TERM": "product",
    "CONTROL": "control",
    "CONCEPT": "control",
    "RIGHT": "control",
    "ROLE": "role",
    "CODE": "role",
}
# Of the presets and the rules; other types are people's own words.
_LABEL = {
    "ORGANIZATION": pgettext_lazy("type of entity", "Organisation"),
    "COMPANY": pgettext_lazy("type of entity", "Company"),
    "NAME": pgettext_lazy("type of entity", "Name"),
    "AGREEMENT": pgettext_lazy("type of entity", "Agreement"),
    "WORK": pgettext_lazy("type of entity", "Work"),
    "REGULATION": pgettext_lazy("type of entity", "Regulation"),
    "METHOD": pgettext_lazy("type of entity", "Method"),
    "REFERENCE": pgettext_lazy("type of entity", "Reference"),
    "CLAUSE": pgettext_lazy("type of entity", "Clause"),
    "ALGORITHM": pgettext_lazy("type of entity", "Algorithm"),
    "OBLIGATION": pgettext_lazy("type of entity", "Obligation"),
    "REQUIREMENT": pgettext_lazy("type of entity", "Requirement"),
    "TOPIC": pgettext_lazy("type of entity", "Topic"),
    "METRIC": pgettext_lazy("type of entity", "Metric"),
    "PERSON": pgettext_lazy("type of entity", "Person"),
    "AMOUNT": pgettext_lazy("type of entity", "Amount"),
    "DATASET": pgettext_lazy("type of entity", "Dataset"),
    "DATE": pgettext_lazy("type of entity", "Date"),
    "OTHER": pgettext_lazy("type of entity", "Other"),
    "LOCATION": pgettext_lazy("type of entity", "Place"),
    "PLACE": pgettext_lazy("type of entity", "Place"),
    "DATA": pgettext_lazy("type of entity", "Data"),
    "EVENT": pgettext_lazy("type of entity", "Event"),
    "RISK": pgettext_lazy("type of entity", "Risk"),
    "PRODUCT": pgettext_lazy("type of entity", "Product"),
    "SYSTEM": pgettext_lazy("type of entity", "System"),
    "TERM": pgettext_lazy("type of entity", "Defined term"),
    "CONTROL": pgettext_lazy("type of entity", "Control"),
    "CONCEPT": pgettext_lazy("type of entity", "Concept"),
    "RIGHT": pgettext_lazy("type of entity", "Right"),
    "ROLE": pgettext_lazy("type of entity", "Role"),
    "CODE": pgettext_lazy("type of entity", "Code"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeStyle:
    """A type on a page; `key` is how it is stored, `tone` the end of its colour's name."""

    key: str
    label: str
    tone: str


def first_style(types: list[str]) -> TypeStyle:
    """That of the first, which is the most frequent."""
    return type_style(types[0] if types else "OTHER")


def type_style(key: str) -> TypeStyle:
    """A type that nobody has given a colour always gets the same one."""
    tone = _TONE.get(key) or TONES[crc32(key.encode()) % len(TONES)]
    label = _LABEL.get(key) or key.replace("_", " ").capitalize()
    return TypeStyle(key=key, label=str(label), tone=tone)

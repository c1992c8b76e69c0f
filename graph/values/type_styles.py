"""How types of things and relations are called and coloured on pages."""

from dataclasses import dataclass
from zlib import crc32

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
_LABEL = {"ORGANIZATION": "Organisation", "LOCATION": "Place", "TERM": "Defined term"}


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
    return TypeStyle(key=key, label=label, tone=tone)

"""How types of things and relations are called and coloured on pages."""

from dataclasses import dataclass
from zlib import crc32

TONES = ("org", "agreement", "clause", "obligation", "person", "amount", "date", "place")  # of tokens.css
_TONE = {
    "ORGANIZATION": "org", "COMPANY": "org", "PRODUCT": "org", "SYSTEM": "org",
    "NAME": "agreement", "AGREEMENT": "agreement", "WORK": "agreement", "REGULATION": "agreement",
    "METHOD": "agreement", "CONTROL": "agreement",
    "REFERENCE": "clause", "CLAUSE": "clause", "CONCEPT": "clause", "ALGORITHM": "clause", "DATA": "clause",
    "OBLIGATION": "obligation", "RIGHT": "obligation", "REQUIREMENT": "obligation", "TERM": "obligation",
    "TOPIC": "obligation", "METRIC": "obligation", "CODE": "obligation",
    "PERSON": "person", "ROLE": "person",
    "AMOUNT": "amount", "DATASET": "amount",
    "DATE": "date", "OTHER": "date",
    "LOCATION": "place", "PLACE": "place", "EVENT": "place", "RISK": "place",
}  # fmt: skip
_LABEL = {"ORGANIZATION": "Organisation", "LOCATION": "Place", "TERM": "Defined term"}
TOGETHER = "named together"  # all that is known of two things in one sentence


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
    """A type that nobody has given a colour always gets the same one of the eight."""
    tone = _TONE.get(key) or TONES[crc32(key.encode()) % len(TONES)]
    label = _LABEL.get(key) or key.replace("_", " ").capitalize()
    return TypeStyle(key=key, label=label, tone=tone)


def relation_label(keywords: list[str]) -> str:
    """The relation's type in words, or the verb that a sentence has between the two things."""
    return keywords[0].replace("_", " ").lower() if keywords else TOGETHER

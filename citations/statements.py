"""The statements of an answer as a second reader gets them: numbered by code, of limited length."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from text.normal_forms.storable import one_line

LONGEST = {"claim": 1_000, "quote": 2_000, "sentence": 2_500, "heading": 200}  # characters
# Whoever writes this talks to the reader, not to people: forged answers and roles, and orders.
ADDRESSES_READER = re.compile(
    r"""["'“]?\b(?:verdict|answers)\b["'”]?\s*[:=]\s*["'“]?(?:supports|contradicts|neither|wholly|partly|not\b)
    | ["']id["']\s*:\s*\d
    | <\|[^|>]{1,40}\|> | <</?sys>> | \[/?inst\] | </?(?:statements?|documents?|system)>
    | ^\s*(?:system|assistant)\s*:
    | \b(?:ignore|disregard|forget)\b.{0,30}\b(?:previous|above|prior|earlier|your|these|other)\b.{0,30}
      \b(?:instructions?|rules|prompts?|statements?|guidelines)\b
    | \b(?:mark|judge|rate|call|report)\b.{0,30}\b(?:all|every|each|other)\b.{0,30}\b(?:claims?|statements?)\b
    | \b(?:all|every|each|other)\s+(?:claims?|statements?)\b.{0,30}\b(?:supports?|supported|true|verified)\b
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A claim with its quote. sentence: the whole of what the quote is taken from; heading: over it."""

    n: int
    claim: str
    quote: str
    sentence: str = ""
    heading: str = ""

    @property
    def addresses_reader(self) -> bool:
        """Whether it talks to the model that is to read it."""
        texts = (self.claim, self.quote, self.sentence, self.heading)
        return any(ADDRESSES_READER.search(text) for text in texts)

    def as_asked(self, number: int) -> dict[str, object]:
        """As one object of the question to the model; what is too long is cut, what is empty left out."""
        whole = {"quote": self.quote, "sentence": self.sentence, "heading": self.heading, "claim": self.claim}
        texts = {name: one_line(text, LONGEST[name]) for name, text in whole.items() if text}
        if texts.get("sentence") == texts.get("quote"):
            texts.pop("sentence", None)
        return {"id": number, **texts}


def in_calls(statements: Sequence[Statement], most: int) -> Iterator[list[Statement]]:
    """All in one call, unless that is longer than `most` characters. A statement is never divided."""
    call: list[Statement] = []
    length = 0
    for statement in statements:
        size = sum(len(str(value)) for value in statement.as_asked(0).values())
        if call and length + size > most:
            yield call
            call, length = [], 0
        call.append(statement)
        length += size
    if call:
        yield call

"""What a second reader says of a claim and its quote, and of a whole answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from providers.protocols import Usage


class Says(StrEnum):
    """Of a claim and its quote."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    NEITHER = "neither"


class Answers(StrEnum):
    """How much of the question an answer answers. UNKNOWN: nobody has read it, or nothing usable was said."""

    WHOLLY = "wholly"
    PARTLY = "partly"
    NOT = "not"
    UNKNOWN = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """words: of the quote, on which it turns. writer: whether the reader also wrote the answer."""

    says: Says
    model: str
    words: str = ""
    reason: str = ""
    writer: bool = False

    @property
    def doubt(self) -> str:
        """Why the claim is not confirmed, in a sentence; empty if it is."""
        match self.says:
            case Says.SUPPORTS:
                return ""
            case Says.CONTRADICTS:
                found = f"{self.model} reads the opposite" + (f" in “{self.words}”" if self.words else "")
            case _:
                found = f"{self.model} does not find the claim in the quote"
        return f"{found}: {self.reason}" if self.reason else f"{found}."

    def as_json(self) -> dict[str, Any]:
        return {
            "supported": self.says == Says.SUPPORTS,
            "verdict": self.says.value,
            "words": self.words,
            "reason": self.reason,
            "model": self.model,
            "writer": self.writer,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Of an answer. opinions: by the number of the statement, those that count. missing: what a partial
    answer lacks. calls: how many it took.
    """

    opinions: Mapping[int, Opinion]
    answers: Answers = Answers.UNKNOWN
    missing: str = ""
    calls: int = 1
    usage: Usage = field(default_factory=Usage)

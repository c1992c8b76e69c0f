"""A plain statement in its parts, subject, verb and the rest, and a question for a fact that is in it."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from chat.suggestions.sentence_questions import plain_subject
from text.lexicon import base_of_past, verb_reading
from text.quantities import NUMBER_WORDS
from text.word_lists import FUNCTION_WORDS, words

BE = words("is are was were")
AUXILIARIES = BE | words("has have had will would shall must may might can could should did does do")
PREPOSITIONS = words("by to for from with in on at as under of into about against between over through")
LONGEST_SUBJECT = 9  # words
ABOUT = (
    r"(?:(?:about|around|some|over|nearly|almost|exactly|only|at least|more than|fewer than|up to"
    r"|a total of) )?"
)
NUMBER = (
    r"(?:\d{1,3}(?:,\d{3})+|(?!(?:1[5-9]|20)\d\d\b)\d{1,6}"
    rf"|(?:{NUMBER_WORDS})(?:[- ](?:{NUMBER_WORDS}|one|hundred|thousand))*)"
    r"(?: (?:hundred|thousand|million|billion))?"
)

_NUMBERED = re.compile(rf"{ABOUT}{NUMBER} ", re.IGNORECASE)
_HAVE = words("has have had")
_BEFORE_NOUN = FUNCTION_WORDS | words("first second third next newly")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A question that the sentence answers, of what kind it is, what it is about, and the words asked for."""

    question: str
    kind: str  # "who", "who is", "when", "how many", "where", "why"
    subject: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A statement in its parts. `verb` is an auxiliary with the rest after it, or the base of another verb,
    before which `does` is put to ask.
    """

    subject: str
    does: str
    verb: str
    rest: str

    def asked(self, rest: str | None = None) -> str:
        """As it stands after "when" or "why"."""
        tail = self.rest if rest is None else rest
        parts = [self.does, self.subject, self.verb] if self.does else [self.verb, self.subject]
        return " ".join(filter(None, [*parts, tail]))


def statement_of(main: str, written: Collection[str], *, counts: bool = False) -> Statement | None:
    """None where the order is not plain. written: the document's words as it writes them within a sentence.
    counts: a number is asked for, so a verb in the present may stand before it, and "has" is no auxiliary.
    """
    own = main.split()
    for place in range(1, min(len(own) - 1, LONGEST_SUBJECT) + 1):
        word, following = own[place], own[place + 1 :]
        subject, rest = " ".join(own[:place]), " ".join(following)
        if word in AUXILIARIES and not (counts and word in _HAVE):
            return _made(subject, "", word, rest, written)
        past = base_of_past(word)
        present = _present(word) if counts and not past and _NUMBERED.match(rest) else ""
        if (past or present) and own[place - 1].lower() not in _BEFORE_NOUN:
            if past and not _is_finite(own[place - 1], word, following):
                return None
            does = "did" if past else "does" if word.endswith("s") else "do"
            return _made(subject, does, past or present, rest, written)
    return None


def _made(subject: str, does: str, verb: str, rest: str, written: Collection[str]) -> Statement | None:
    plain = plain_subject(subject, written)
    return Statement(subject=plain, does=does, verb=verb, rest=rest) if plain else None


def _is_finite(before: str, word: str, following: Sequence[str]) -> bool:
    """Whether a past form is the one verb of its clause: not so in "shares issued by Acme fell"."""
    first = following[0].lower() if following else ""
    if before.lower().endswith("ly") or (word == "used" and first == "to"):
        return False
    return not (first in PREPOSITIONS and has_verb(following[1:])) and not _has_another(following)


def _present(word: str) -> str:
    """The base of a verb in the present, where it mostly is a verb."""
    if word in {"has", "have"}:
        return "have"
    if not word.islower() or verb_reading(word) != "mostly":
        return ""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    for ending in ("es", "s"):
        base = word.removesuffix(ending)
        if word.endswith(ending) and not (ending == "es" and verb_reading(f"{base}e")) and verb_reading(base):
            return base
    return ""


def _has_another(following: Sequence[str]) -> bool:
    """Whether another verb of the same subject follows: "opened a shop and sold tea"."""
    pairs = zip_longest(following, following[1:], fillvalue="")
    return any(one in {"and", "or", "but", "then"} and (not two or has_verb([two])) for one, two in pairs)


def has_verb(following: Sequence[str]) -> bool:
    return any(word in AUXILIARIES or base_of_past(word) for word in following)

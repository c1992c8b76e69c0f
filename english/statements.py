"""Plain statements: their subject, verb and the rest, and whether a subject or a question stands alone."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from english.closed_classes import AUXILIARIES, BE, HAVE, MODALS, PREPOSITIONS
from english.lexicon import base_of_past, verb_reading
from english.quantities import NUMBER_WORDS
from text.word_lists import FUNCTION_WORDS, words

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
_BEFORE_NOUN = FUNCTION_WORDS | words("first second third next newly")

_NUMBER = re.compile(r"^(?:\W*\d{1,3}(?:\.\d{1,3})*\.?|[-•▪●]|\([a-z\d]{1,3}\))\s+")
BREAKS = re.compile(r"[,;:()“”\"]| – | - ")
# What a subject that is a plain noun phrase does not have: another verb, a clause, a reference back.
_NO_SUBJECT = words(
    """it he she they we i you this that these those there which who whom whose what when where why how if
    because although though while as such each either neither none nothing everything all some any many most
    several others another both let see has have had do does did says said be been being not no nor or but so
    then thus however therefore also our your my his her their its us them following above below same former
    latter one ones mr mrs page note figure table section item exhibit"""
)
_FINITE = BE | MODALS  # "May" and "Will" are names
_GENERIC = words("company group parties party amount number result results example reason section part")
_REFERENCE = re.compile(
    r"\b(?:this|these|those|such|it|its|they|their|them|he|his|she|her|we|our|us|i|my|above|below"
    r"|following|aforementioned|thereof|hereof|herein|hereunder|respectively|former|latter"
    r"|also|therefore|thus|hence|moreover|furthermore|nevertheless|accordingly|otherwise|instead)\b",
    re.IGNORECASE,
)
_VERBAL = re.compile(r"\w+(?:ed|ing)$")


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
        if word in AUXILIARIES and not (counts and word in HAVE):
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


# --- what stands alone ---------------------------------------------------------------------------------
def without_number(sentence: str) -> str:
    """Without the number or the bullet of its paragraph."""
    return _NUMBER.sub("", sentence)


def _is_one_common_noun(own: Sequence[str]) -> bool:
    """ "The gap", which only its own text can tell; "the Supplier" is somebody."""
    return len(own) == 2 and own[0].lower() == "the" and own[1].islower()


def plain_subject(text: str, written: Collection[str]) -> str:
    """The subject as it stands within a sentence; empty when it may be no plain noun phrase."""
    own = text.split()
    lowered = [word.lower() for word in own]
    if BREAKS.search(text) or not _NO_SUBJECT.isdisjoint(lowered) or not _FINITE.isdisjoint(own):
        return ""
    if lowered[0] in FUNCTION_WORDS - {"a", "an", "the"} or _VERBAL.match(lowered[0]):
        return ""
    if lowered[-1] in FUNCTION_WORDS:  # "measures to contain ..."
        return ""
    if "other" in lowered[1:]:  # than what was said before: "the other party", "a notice in other words"
        return ""
    if any(_VERBAL.match(word) and word.endswith("ed") for word in lowered[2:]):
        return ""
    if any(word.isdigit() or not word[0].isalnum() for word in own):
        return ""
    content = [word for word in lowered if word not in FUNCTION_WORDS]
    if _is_one_common_noun(own):
        return ""
    if not content or (content[-1] in _GENERIC and len(content) == 1):
        return ""
    first = _first_word(own, written)
    return " ".join([first, *own[1:]]) if first else ""


def _first_word(own: Sequence[str], written: Collection[str]) -> str:
    """The first word as it is written within a sentence; empty when nothing tells."""
    first = own[0]
    if first.lower() in FUNCTION_WORDS or first.lower().split("-")[0] in written:
        return first.lower()
    if first in written or any(map(str.isupper, first[1:])) or (len(own) > 1 and own[1][0].isupper()):
        return first
    return ""


def is_referring(text: str) -> bool:
    """Whether it cannot be understood without what stood before it."""
    return bool(_REFERENCE.search(text))

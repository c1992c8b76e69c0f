"""Questions for a number with its noun: as subject, as object, or after "there are"."""

import re
from collections.abc import Collection, Iterator

from english.closed_classes import AUXILIARIES, PREPOSITIONS
from english.lexicon import base_of_past
from english.statements import ABOUT, NUMBER, Fact, has_verb, statement_of
from text.word_lists import FUNCTION_WORDS, words

_OF_ONE = words("is was has does")
_PEOPLE = words("people men women children persons staff")
_NO_COUNT = words("per percent times series news")
_LONGEST = 4  # words of a noun
_COUNTED = re.compile(rf"{ABOUT}{NUMBER} (?P<what>[a-z].*)", re.IGNORECASE)
_THERE = re.compile(r"There (?P<be>are|were) (?P<rest>.+)")


def how_many(main: str, when: str, written: Collection[str]) -> Iterator[Fact]:
    """ "How many depots did Acme open in Leeds?"; `when` is put after it."""
    if there := _THERE.fullmatch(main):
        if counted := _counted(there["rest"]):
            noun, rest, number = counted
            yield _asked(noun, f"{there['be']} there {rest}", when, number)
    elif counted := _counted(main):
        noun, rest, number = counted
        verb, *others = rest.split() or [""]
        if verb in AUXILIARIES - _OF_ONE or (base_of_past(verb) and not has_verb(others)):
            yield _asked(noun, rest, when, number)
    elif (split := statement_of(main, written, counts=True)) and (counted := _counted(split.rest)):
        noun, rest, number = counted
        if split.does and (not rest or rest.partition(" ")[0] in PREPOSITIONS):
            yield _asked(noun, split.asked(rest), when, number)


def _asked(noun: str, rest: str, when: str, number: str) -> Fact:
    text = f"How many {noun} {rest.rstrip()}{when}?"
    return Fact(question=text, kind="how many", subject=noun, answer=number)


def _counted(text: str) -> tuple[str, str, str] | None:
    """The noun that a number at its beginning counts, with "of" and what follows; the rest; the number."""
    found = _COUNTED.fullmatch(text)
    if found is None:
        return None
    own = found["what"].split()
    end = next(
        (n for n, word in enumerate(own) if word.lower() in FUNCTION_WORDS or base_of_past(word)), len(own)
    )
    noun = own[:end]
    if not noun or len(noun) > _LONGEST or not _NO_COUNT.isdisjoint(noun):
        return None
    last = noun[-1]
    if not ((last.endswith("s") and not last.endswith("ss")) or last in _PEOPLE):
        return None
    number = text[: found.start("what")].strip()
    return " ".join(noun), " ".join(own[end:]), number

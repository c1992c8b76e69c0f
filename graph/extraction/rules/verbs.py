"""What a sentence says that one thing does to another: the words between their names, if those are a verb."""

import re

from english.closed_classes import AUXILIARIES, DETERMINERS, FORMS_OF_BE, PREPOSITIONS
from english.lexicon import bases_of_irregular
from text.stems import stem
from text.word_lists import words

MOST_WORDS = 7  # between two names; more are a clause of their own
LONGEST = 60  # characters of what is said

_VERBS = frozenset(
    stem(verb)
    for verb in words(
        """
accept acquire acquired administer adopt advise affect amend announce appoint approve assess assign audit
authorise authorize award back base become begin bind border build buy carry cause certify chair charge
claim close collect combine commission compete comply compose conduct connect contain contract contribute
control cover create cross declare define deliver depend derive describe design develop direct discover
dissolve distribute divide drive edit elect employ enable enforce engage establish exceed exclude expand
extend file finance flow follow form found fund gain give govern grant guarantee head hire hold host
identify implement improve include incorporate indemnify influence inform inspect inspire insure invent
invest issue join keep launch lead lease license limit list live locate lose maintain make manage
manufacture marry mean measure merge monitor move name notify obtain occupy offer open operate order
organise organize oversee own partner pay perform play precede prepare present preside process produce
prohibit promote propose protect provide publish purchase receive recommend record reduce refer regulate
reject release rename rent repair replace report represent require resemble restrict retain review run
secure sell serve set settle share sign sponsor start store study succeed sue supervise supply support
take teach terminate test train transfer translate trigger use verify visit win work write"""
    )
)
_AUXILIARIES = AUXILIARIES | FORMS_OF_BE
_ADVERBS = words(
    "also then later now still first currently formerly jointly originally subsequently together"
)
_WORD = re.compile(r"[A-Za-z]+|\S")


# “Since 2019, the ”: nothing there can be the subject instead of the first name.
_OPENING = re.compile(r"(?:(?:In|On|Since|During|From|Until) [^,.;A-Z]{1,30}, )?(?:(?:[Tt]he|An?) )?")
_CLOSING = re.compile(
    r"\s*(?:$|[.,;:)]|(?:and|or|by|in|on|at|for|from|to|with|under|as|since|until|during|after|before)\b)"
)


def said(before: str, between: str, after: str) -> str:
    """The verb by which a sentence ties two names, from the three parts that they divide it into.

    Empty unless the first name is all of the subject and the second all of the object: “The owner of A sold
    B's shares” says nothing about A and B.
    """
    if not _OPENING.fullmatch(before) or not _CLOSING.match(after):
        return ""
    return _verb(between)


def is_verb(words: str) -> bool:
    """Whether these words are a verb as `said` gives them, and not the heading of a column or a noun."""
    return bool(words) and _verb(words) == words


def _verb(between: str) -> str:
    """The verb with its auxiliaries and preposition, as the sentence has it; empty for anything else.

    “ was later acquired by the ” gives “was acquired by”; a list, a negation or a clause gives nothing.
    """
    found = [word.lower() for word in _WORD.findall(between)]
    if not 1 <= len(found) <= MOST_WORDS:
        return ""
    kept = [word for word in found if word not in _ADVERBS and word not in DETERMINERS]
    position = 0
    while position < len(kept) and kept[position] in _AUXILIARIES:
        position += 1
    verb, rest = kept[position : position + 1], kept[position + 1 :]
    if not verb or not _is_known(verb[0]):
        return ""
    if len(rest) > 2 or any(word not in PREPOSITIONS for word in rest):
        return ""
    if found[-1] in _ADVERBS:
        return ""
    return " ".join(kept)[:LONGEST]


def _is_known(verb: str) -> bool:
    return any(stem(form) in _VERBS for form in (verb, *bases_of_irregular(verb)))

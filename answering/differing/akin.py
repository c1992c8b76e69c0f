"""Whether two documents are of one matter, as far as the names in them tell. Pure."""

import re
from collections.abc import Callable, Set
from functools import lru_cache

from english.companies import FORM
from english.dates import CALENDAR
from english.lexicon import is_common
from text.word_lists import FUNCTION_WORDS, words

Akin = Callable[[str, str, Set[str]], bool]  # two titles, and names that don't count
# What documents of all sorts have: places, forms of companies, how people are addressed.
_ANYWHERE = words(
    """england wales scotland ireland britain british kingdom united states america american london europe
    european germany german france french spain spanish italy italian india china chinese japan japanese
    canada canadian australia washington california delaware york limited ltd llp llc plc inc corp gmbh mrs
    miss professor gdpr pdf http https www com"""
)
_NONE: Set[str] = frozenset()
_WORD = re.compile(r"[^\W\d_][\w’'&-]{2,}")
_POSSESSIVE = re.compile(r"[’']s?$")
_COMPANY = re.compile(rf"\b(?P<name>[A-Z][\w’'&-]+),?\s+(?:[A-Z][\w’'&-]+,?\s+){{0,3}}?{FORM}\b")


def share_a_name(one: str, other: str, but: Set[str] = _NONE) -> bool:
    """Whether both name somebody or something: a company, a person, a product, a house. True where one of
    them names nothing, as nobody can tell then.

    but: names in small letters that don't count, as they are what differs.
    """
    mine, theirs = _names(one) - but, _names(other) - but
    return not mine or not theirs or not mine.isdisjoint(theirs)


@lru_cache(256)
def _names(text: str) -> frozenset[str]:
    found = [_POSSESSIVE.sub("", word) for word in _WORD.findall(text)]
    small = {word for word in found if word[0].islower()}
    named = {word.lower() for word in found if word[0].isupper() and _is_name(word)}
    companies = {each["name"].lower() for each in _COMPANY.finditer(text)}
    return frozenset((named | companies) - small - _ANYWHERE)


def _is_name(word: str) -> bool:
    low = word.lower()
    return len(word) > 2 and low not in FUNCTION_WORDS and not CALENDAR.fullmatch(word) and not is_common(low)

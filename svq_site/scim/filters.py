"""Filters, as far as directories send them: comparisons with “eq”, joined by “and”."""

import json
import re
from collections.abc import Callable, Mapping

from django.db.models import Q

from accounts.scim.refusals import Invalid, Refused
from datasources.numbers import number_in
from text.normal_forms.storable import storable

LONGEST = 2_000  # characters
TERM = re.compile(
    r"""\s* ([A-Za-z$][\w$.:-]* (?:\[[^\[\]]*\])? (?:\.[\w$]+)?)  # an attribute
    \s+ eq \s+ ("(?:[^"\\]|\\.)*"|true|false) \s*""",
    re.IGNORECASE | re.VERBOSE,
)
SELECTOR = re.compile(r"\[[^\[\]]*\]")  # of emails[type eq "work"].value: an account has one address
URN = re.compile(r"^urn:[\w:.-]+:(?=\w)")


class InvalidFilter(Refused):
    kind = "invalidFilter"


def condition(given: str, terms: Mapping[str, Callable[[str], Q]]) -> Q:
    """terms: what each attribute, in small letters, is compared by. Raises InvalidFilter."""
    if len(given) > LONGEST:
        raise InvalidFilter(f"A filter has up to {LONGEST:,} characters.")
    found, rest = Q(), given
    while True:
        term = TERM.match(rest)
        if term is None:
            raise InvalidFilter(
                f"Filters compare with “eq”, joined by “and”. This one can’t be read: {given[:100]}"
            )
        found &= _compared(term[1], term[2], terms)
        rest = rest[term.end() :]
        if not rest:
            return found
        if not re.match(r"and\s", rest, re.IGNORECASE):
            raise InvalidFilter(f"Only “and” joins comparisons here. What follows is not: {rest[:100]}")
        rest = rest[3:]


def plain(attribute: str) -> str:
    """In small letters, without its schema and without a selector."""
    return SELECTOR.sub("", without_schema(attribute)).lower()


def without_schema(attribute: str) -> str:
    return URN.sub("", attribute.strip())


def _compared(attribute: str, value: str, terms: Mapping[str, Callable[[str], Q]]) -> Q:
    name = plain(attribute)
    if name not in terms:
        raise InvalidFilter(f"“{attribute}” can’t be filtered by. These can: {', '.join(terms)}.")
    try:
        text = json.loads(value) if value.startswith('"') else value.lower()
        if storable(text) != text:
            raise ValueError("a character that no name has")
        return terms[name](text)
    except (ValueError, Invalid) as error:
        raise InvalidFilter(f"This value can’t be read: {value[:100]}") from error


def number(given: str) -> int:
    """Of an id; 0, which nothing has, for what is none."""
    return number_in(given) or 0

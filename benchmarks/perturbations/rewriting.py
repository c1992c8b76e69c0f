"""Replacing words in a sentence: what the perturbations share."""

import re

from text.word_lists import words

NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|none|nothing|nobody|without|cannot|hardly|barely|unless|except|only)\b|n['’]t\b",
    re.IGNORECASE,
)
AUXILIARY = r"(?:is|are|was|were|has|have|had|will|shall|may|might|must|can|could|should|would|do|does|did)"
FINITE = re.compile(rf"\b{AUXILIARY}\b|\b\w+(?:ed|es)\b")


def put(text: str, start: int, end: int, word: str) -> str:
    """`word` in the place of text[start:end], with a capital where one was."""
    old = text[start:end]
    if old.isupper() and len(old) > 1:
        word = word.upper()
    elif old[:1].isupper():
        word = capital(word)
    before = re.sub(
        r"\b([Aa])n?(?= $)", lambda a: a[1] + ("n" if word[0] in "aeiouAEIO" else ""), text[:start]
    )
    return before + word + text[end:]


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def small(text: str) -> str:
    """The first letter in small, unless the first word seems to be a name or an abbreviation."""
    first = text.split(" ", 1)[0]
    return text[:1].lower() + text[1:] if first.lower() in OPENERS else text


def stopped(text: str) -> str:
    """With a capital and a full stop."""
    return capital(text.strip().rstrip(" ,;:.")) + "."


# Words with which a sentence opens and that are no names.
OPENERS = words(
    """the a an this that these those it we our they their he she his her its such each every all some any
both there in on at by from to for with during after before if when while although as no most many under until
between within throughout following since upon unless where once you neither either several"""
)

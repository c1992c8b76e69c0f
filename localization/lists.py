"""Several words in one sentence, as each language joins and quotes them."""

from collections.abc import Sequence
from functools import reduce

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from localization.numbers import numeral


def listed(words: Sequence[str]) -> str:
    """All of them: rent, fee and tax."""
    if len(words) < 2:
        return "".join(words)
    if len(words) == 2:
        # Translators: a list of two
        return pgettext("list", "{first} and {last}").format(first=words[0], last=words[1])
    # Translators: the end of a list of three and more
    return pgettext("list", "{words} and {word}").format(words=joined(words[:-1]), word=words[-1])


def either(words: Sequence[str]) -> str:
    """One of them: rent, fee or tax."""
    if len(words) < 2:
        return "".join(words)
    return _("{words} or {last}").format(words=joined(words[:-1]), last=words[-1])


def in_quotes(words: str) -> str:
    # Translators: the quotation marks of the language
    return pgettext("quotation", "“{words}”").format(words=words)


def quoted(words: Sequence[str], most: int | None = None) -> str:
    """The first of them, or all, in quotation marks: “rent”, “fee” and 3 more."""
    shown = [in_quotes(word) for word in words[:most]]
    if most is None or len(words) <= most:
        return joined(shown)
    return _("{words} and {n} more").format(words=joined(shown), n=numeral(len(words) - most))


def remarks(one: str, other: str) -> str:
    """Two that are no sentence: “71 KB, added by you”."""
    return pgettext("remarks", "{one}, {other}").format(one=one, other=other)


def joined(words: Sequence[str]) -> str:
    """Without an “and” before the last one: rent, fee, tax."""
    # Translators: joins what comes before the end of a list
    both = pgettext("list", "{words}, {word}")
    return reduce(lambda before, word: both.format(words=before, word=word), words) if words else ""

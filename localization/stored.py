"""Sentences that are kept in the database, and beside them what they are made of, so that each reader gets
them in their own language.

A row has the sentence in a column of its own, which programs read: in English, as workers speak it. Its
`Words` are in another one. Rows from before have the sentence alone: it is translated where the catalogue has
it as it is.
"""

import logging
import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, override

from localization.lists import listed
from localization.numbers import numeral
from localization.sentences import VALUE, Sentence, Words

logger = logging.getLogger(__name__)

Value = str | int | datetime | Sequence[str]  # or one that was said, and so has words of its own
WRITTEN = "j F Y, H:i"  # moments
LONGEST = 500  # characters of a sentence that a row of a job keeps
MOST_TOLD = 100_000  # characters that all parts of a sentence may have together, each within another anew


class Said(Sentence):
    """A sentence that knows what it is made of, so that it can be said in other languages later. It is itself
    in the language of whoever it is made for: in a worker English.
    """

    def __new__(cls, words: Words) -> "Said":
        made = super().__new__(cls, _Telling().sentence(words) or "")
        made.words = words
        return made

    def __reduce__(self) -> tuple[type["Said"], tuple[Words]]:
        """Copied, and sent to another process, with its words."""
        return Said, (self.words,)


def said(message: str, /, **values: Value) -> Said:
    """In place of `_("{name} is {size} MB large.").format(...)`; it marks the message for translation, too. A
    value may be a list of words.
    """
    return Said({"message": message, "values": _as_json(values)})


def said_of(message: str, plural: str, /, n: int, **values: Value) -> Said:
    """The same in place of `ngettext`; {n} is among the values."""
    return Said({"message": message, "plural": plural, "values": _as_json({"n": n, **values})})


def sentences(*texts: str) -> Said:
    """One after the other; each is whole. Those that are plain texts are translated as they are."""
    return Said({"sentences": [words_of(text) or {"message": text} for text in texts if text]})


def words_of(text: str) -> Words | None:
    """What is kept beside the text; None where that says nothing more than the text."""
    return text.words if isinstance(text, Sentence) else None


def retold(text: str) -> str:
    """In the reader's language, what an English-speaking process has said just now."""
    return told(text, words_of(text))


def told(text: str, words: Mapping[str, Any] | None = None) -> str:
    """In the reader's language. text: the English sentence of the row; words that make another one are those
    of an earlier text, which a worker of a version before this column has left there.

    What is kept may come from a file that somebody has imported: only names in braces are replaced, by texts,
    and what cannot be told, or grows too long, leaves the text.
    """
    if not text:
        return ""
    try:
        with override("en"):
            english = _Telling(MOST_TOLD).sentence(words)
        if english is not None and text in (english, english[:LONGEST]):
            return _Telling(MOST_TOLD).sentence(words) or ""
    except Exception:  # whatever it is, the page has more to show than this sentence
        logger.warning("words of a sentence that cannot be told", exc_info=True)
    return _(text)


class _TooLong(Exception):
    pass


class _Telling:
    """Puts a sentence together in the language of now. Raises _TooLong."""

    def __init__(self, most: float = math.inf) -> None:
        self._left = most  # characters that its parts may still have

    def sentence(self, words: object) -> str | None:
        """None for what makes no sentence."""
        if not isinstance(words, Mapping):
            return None
        if isinstance(several := words.get("sentences"), list):
            return " ".join(self._counted(self.sentence(one) or "") for one in several)
        message, values = words.get("message"), words.get("values") or {}
        if not (isinstance(message, str) and message and isinstance(values, Mapping)):
            return None
        plural: object = words.get("plural")
        n: object = values.get("n")
        if isinstance(plural, str) and isinstance(n, int):
            message = ngettext(message, plural, n)
        else:
            message = _(message)
        return VALUE.sub(
            lambda name: self._counted(self._shown(values[name[1]])) if name[1] in values else name[0],
            self._counted(message),
        )

    def _shown(self, value: Any) -> str:
        match value:
            case bool() | str():
                return str(value)
            case int():
                return numeral(value)
            case list() | tuple():
                return listed([self._counted(self._shown(each)) for each in value])
            case {"time": str(time)}:
                at = parse_datetime(time)
                return date_format(localtime(at), WRITTEN) if at else time
            case dict():
                return self.sentence(value) or ""
        return str(value)

    def _counted(self, part: str) -> str:
        self._left -= len(part) + 1
        if self._left < 0:
            raise _TooLong
        return part


def _as_json(values: Mapping[str, Value]) -> dict[str, Any]:
    return {name: _value_as_json(value) for name, value in values.items()}


def _value_as_json(value: Any) -> Any:
    if isinstance(value, Sentence):
        return value.words
    if isinstance(value, datetime):
        return {"time": value.isoformat()}
    return value if isinstance(value, str | int) else [_value_as_json(each) for each in value]

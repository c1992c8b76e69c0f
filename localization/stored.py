"""Sentences that are kept in the database, and beside them what they are made of, so that each reader gets
them in their own language.

A row has the sentence in a column of its own, which programs read: in English, as workers speak it. Its
`Words` are in another one. Rows from before have the sentence alone: it is translated where the catalogue has
it as it is.
"""

import re
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
from localization.sentences import Sentence, Words

Value = str | int | datetime | Sequence[str]  # or one that was said, and so has words of its own
WRITTEN = "j F Y, H:i"  # moments
LONGEST = 500  # characters of a sentence that a row of a job keeps
MOST = 100_000  # characters of any sentence
_VALUE = re.compile(r"\{(\w+)\}")


class Said(Sentence):
    """A sentence that knows what it is made of, so that it can be said in other languages later. It is itself
    in the language of whoever it is made for: in a worker English.
    """

    def __new__(cls, words: Words) -> "Said":
        made = super().__new__(cls, _put_together(words) or "")
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

    What is kept may come from a file that somebody has imported, or from a process that was taken over: only
    names in braces are replaced, by texts, and words that make no sentence, or an endless one, count as none.
    """
    if not text:
        return ""
    try:
        with override("en"):
            english = _put_together(words)
        if english is not None and text in (english, english[:LONGEST]):
            return _put_together(words) or ""
    except (ValueError, OverflowError, RecursionError):
        pass
    return _(text)


def _put_together(words: object) -> str | None:
    """In the language of now; None for what makes no sentence. Raises ValueError where it doesn't end."""
    if not isinstance(words, Mapping):
        return None
    if isinstance(several := words.get("sentences"), list):
        return _of_bearable_length(" ".join(_put_together(one) or "" for one in several))
    message, values = words.get("message"), words.get("values") or {}
    if not (isinstance(message, str) and message and isinstance(values, Mapping)):
        return None
    plural: object = words.get("plural")
    n: object = values.get("n")
    if isinstance(plural, str) and isinstance(n, int):
        message = ngettext(message, plural, n)
    else:
        message = _(message)
    shown = {name: _shown(values[name]) for name in set(_VALUE.findall(message)) if name in values}
    return _of_bearable_length(_VALUE.sub(lambda name: shown.get(name[1], name[0]), message))


def _of_bearable_length(text: str) -> str:
    if len(text) > MOST:
        raise ValueError("a sentence that has no end")
    return text


def _as_json(values: Mapping[str, Value]) -> dict[str, Any]:
    return {name: _value_as_json(value) for name, value in values.items()}


def _value_as_json(value: Any) -> Any:
    if isinstance(value, Sentence):
        return value.words
    if isinstance(value, datetime):
        return {"time": value.isoformat()}
    return value if isinstance(value, str | int) else [_value_as_json(each) for each in value]


def _shown(value: Any) -> str:
    match value:
        case bool() | str():
            return str(value)
        case int():
            return numeral(value)
        case list() | tuple():
            return listed([_shown(each) for each in value])
        case {"time": str(time)}:
            at = parse_datetime(time)
            return date_format(localtime(at), WRITTEN) if at else time
        case dict():
            return _put_together(value) or ""
    return str(value)

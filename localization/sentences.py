"""English sentences that know what they are made of, for processes that load no Django, as those that read
files.

`localization.stored` has the rest: others are told such a sentence in their language there.
"""

import json
import re
from collections.abc import Mapping
from typing import Any, cast

Words = dict[str, Any]  # as JSON: {message, plural, values}, or {sentences: several of these}
VALUE = re.compile(r"\{(\w+)\}")  # its place in a message
LARGEST = 10**18  # number that another process may name


class Sentence(str):
    words: Words

    @classmethod
    def of(cls, text: str, words: Mapping[str, Any]) -> "Sentence":
        made = cls(text)
        made.words = dict(words)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        """Copied, and sent to another process, with its words."""
        return Sentence.of, (str(self), self.words)


def worded(message: str, /, **values: str | int) -> Sentence:
    """In place of an f-string; it marks the message for translation, too. A value may be worded itself."""
    text = message.format(**{name: _shown(value) for name, value in values.items()})
    kept = {name: value.words if isinstance(value, Sentence) else value for name, value in values.items()}
    return Sentence.of(text, {"message": message, "values": kept})


def received(text: str, words: object, longest: int) -> str:
    """From another process, which may have been taken over. It has its words only where they are as `worded`
    makes them; whether they make this very text, those who tell it find out. longest: characters of the words
    as JSON.
    """
    if not _is_plain(words, 1) or len(json.dumps(words)) > longest:
        return text
    return Sentence.of(text, cast(Words, words))


def _is_plain(words: object, levels: int) -> bool:
    """Whether it is a message with short values, each of which stands in it once at most, so that it grows no
    longer than its words are. levels: of sentences within it.
    """
    match words:
        case {"message": str(message), "values": dict(values), **others} if not others:
            names = VALUE.findall(message)
            return len(names) == len(set(names)) and all(_is_value(each, levels) for each in values.values())
    return False


def _is_value(value: object, levels: int) -> bool:
    match value:
        case str():
            return True
        case int():
            return abs(value) < LARGEST
    return levels > 0 and _is_plain(value, levels - 1)


def _shown(value: str | int) -> str:
    return value if isinstance(value, str) else f"{value:,}"

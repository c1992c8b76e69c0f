"""English sentences that know what they are made of, for processes that load no Django, as those that read
files.

`localization.stored` has the rest: others are told such a sentence in their language there.
"""

import json
from collections.abc import Mapping
from typing import Any

DEEPEST, LARGEST = 8, 10**18  # levels of words, and numbers in them
Words = dict[str, Any]  # as JSON: {message, plural, values}, or {sentences: several of these}


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
    """From another process, which may have been taken over. What the sentence is made of may be anything that
    can be read again: only those who tell it compare the two. longest: characters of the words as JSON.
    """
    if not (isinstance(words, dict) and _is_bounded(words, DEEPEST) and len(json.dumps(words)) <= longest):
        return text
    return Sentence.of(text, words)


def _is_bounded(value: object, levels: int) -> bool:
    if isinstance(value, dict | list):
        parts = value.values() if isinstance(value, dict) else value
        return levels > 0 and all(_is_bounded(part, levels - 1) for part in parts)
    return not isinstance(value, int) or abs(value) < LARGEST


def _shown(value: str | int) -> str:
    return value if isinstance(value, str) else f"{value:,}"

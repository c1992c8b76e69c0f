"""What people type between things: commas and colons of their own keyboard, beside those of English."""

import re

_COMMAS = ",;،؛，；、"  # those of Arabic and Chinese behind those of Latin script
_BETWEEN_NAMES = re.compile(f"[\n{_COMMAS}]")
_BETWEEN_WORDS = re.compile(rf"[\s{_COMMAS}]")
_COLON = re.compile("[:：]")


def names_apart(typed: str) -> list[str]:
    """What stands between commas, semicolons or ends of lines."""
    return [name for name in map(str.strip, _BETWEEN_NAMES.split(typed)) if name]


def words_apart(typed: str) -> list[str]:
    """What stands between commas, semicolons or spaces."""
    return [word for word in _BETWEEN_WORDS.split(typed) if word]


def around_colon(typed: str) -> tuple[str, str]:
    """What stands before the first colon, and behind it; all is before where there is none."""
    before, behind = (*_COLON.split(typed, maxsplit=1), "")[:2]
    return before.strip(), behind.strip()

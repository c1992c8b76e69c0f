"""Documents' words as Markdown that shows them letter for letter and in which nothing is active. Pure."""

import re

# What Markdown reads as more than itself, wherever it stands, at the beginning of a line or at its end.
_SIGN = re.compile(r"[\\`*_<\[\]~|]|&(?=#?\w+;)|^[-+#>=]|(?<=\s)#(?=#*$)")
_NUMBER = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")  # would begin a list, which counts anew
_ENTITY = re.compile(r"(?<!\\)((?:\\\\)*)&(?=#?\w+;)")
_TAG = re.compile(r"(?<!\\)((?:\\\\)*)\\?<(?=[A-Za-z/!?])")
_BRACKET = re.compile(r"(?<!\\)((?:\\\\)*)([\[\]])")


def verbatim(text: str) -> str:
    """Markdown of one line that is shown as exactly this text, also where it begins the line."""
    return _NUMBER.sub(r"\1\\\2", _SIGN.sub(r"\\\g<0>", " ".join(text.split())))


def inert(markdown: str) -> str:
    """The Markdown without HTML, links and images: their signs are shown as they are."""
    return with_entities(_ENTITY.sub(r"\1&amp;", markdown))


def with_entities(markdown: str) -> str:
    """The same of Markdown whose entities stand for signs already, as in what `inert` has made."""
    return _BRACKET.sub(r"\1\\\2", _TAG.sub(r"\1&lt;", markdown))

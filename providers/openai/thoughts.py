"""What a model thinks before it answers, where its server leaves that in the answer's text."""

import re

_NAMES = r"(?:think|thinking|thought|reasoning)"
_BEGIN = re.compile(rf"\s*<{_NAMES}>", re.IGNORECASE)
_END = re.compile(rf"</{_NAMES}>\s*", re.IGNORECASE)


def without_thoughts(text: str) -> str:
    """The text behind them. Some templates begin a thought in the prompt: then only its end is there."""
    end = _END.search(text)
    if end:
        return text[end.end() :]
    return "" if _BEGIN.match(text) else text

"""Removes a model's thoughts from its answer, where the server leaves them in the text."""

import re

_NAMES = r"(?:think|thinking|thought|reasoning)"
_BEGIN = re.compile(rf"<{_NAMES}>", re.IGNORECASE)
_END = re.compile(rf"</{_NAMES}>\s*", re.IGNORECASE)


def without_thoughts(text: str) -> str:
    """The text behind them. Some templates begin a thought in the prompt: then only its end is there.

    An answer that speaks of such tags ("between <think> and </think>") is left as it is.
    """
    end = _END.search(text)
    begin = _BEGIN.search(text, 0, end.start() if end else len(text))
    if begin and text[: begin.start()].strip():
        return text
    if end:
        return text[end.end() :]
    return "" if begin else text

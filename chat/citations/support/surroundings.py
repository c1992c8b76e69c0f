"""The rest of the sentence that a quote was cut out of, and whether it changes what the quote says."""

import re
from bisect import bisect_right
from itertools import accumulate

from chat.citations.support.outcome import Difference
from chat.citations.support.statement import Token, read
from text.sentences import sentences

SHOWN = 12  # words of the rest that a reason repeats
CONTEXT_SEARCHED = 400_000  # characters
MARGIN = 4_000  # characters on either side in which the quote's sentence begins and ends
_ELLIPSIS = re.compile(r"^\s*(?:…|\.{3})\s*|\s*(?:…|\.{3})\s*$")
_PIECE = re.compile(r"\S+")
_OPENING = 8  # words before the quote in which "may" or "expects to" still governs it


def rest_of_sentence(quote: str, context: str) -> tuple[str, str]:
    """What stands before and after the quote in its sentence, white space folded; empty where the quote
    is not in the context, or is whole. A quote of several sentences has the beginning of its first and
    the end of its last.
    """
    words = _ELLIPSIS.sub("", quote).split()
    if not words or len(words) > MARGIN:
        return "", ""
    span = _found(words, context[:CONTEXT_SEARCHED])
    if span is None:
        return "", ""
    base = max(0, span[0] - MARGIN)
    near = context[base : span[1] + MARGIN]
    start, end = span[0] - base, span[1] - base
    spans = [(first, last) for first, last in sentences(near) if first < end and last > start]
    if not spans:
        return "", ""
    after = near[end : max(end, spans[-1][1])]
    return " ".join(near[spans[0][0] : start].split()), " ".join(after.split()).strip(" .!?")


def _found(words: list[str], context: str) -> tuple[int, int] | None:
    """Where the words stand in the context, whatever white space is between them; in linear time."""
    pieces = [match.span() for match in _PIECE.finditer(context)]
    folded = " ".join(context[slice(*piece)] for piece in pieces)
    sought = " ".join(words)
    at = folded.find(sought)
    if at < 0:
        return None
    offsets = list(accumulate((last - first + 1 for first, last in pieces), initial=0))

    def original(place: int) -> int:
        number = bisect_right(offsets, place) - 1
        return pieces[number][0] + place - offsets[number]

    return original(at), original(at + len(sought) - 1) + 1


def rest_differs(before: str, after: str) -> Difference | None:
    """A condition, exception or negation in the part of the sentence that the quote leaves out."""
    for token in read(after).tokens if after else ():
        if token.surface == ";":
            break
        if token.family == "condition" or (token.family == "quantifier" and "only" in token.says):
            return Difference(text=f"The sentence goes on with “{_short(after, token)}”.")
        if token.key == "but" and token.kind == "function":
            return Difference(text=f"The sentence goes on with “{_short(after, token)}”.")
    tokens = read(before).tokens if before else []
    for number, token in enumerate(tokens):
        governs = len(tokens) - number <= _OPENING and token.family in ("modality", "attitude")
        if token.family in ("negation", "condition") or governs:
            return Difference(text=f"The sentence begins with “{_short(before, token)}”, before the quote.")
    return None


def _short(text: str, token: Token) -> str:
    """The rest from the word that matters."""
    start = max(0, text.lower().find(token.surface.lower()))
    words = text[start:].split()
    return " ".join(words[:SHOWN]) + (" …" if len(words) > SHOWN else "")

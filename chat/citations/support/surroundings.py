"""The rest of the sentence that a quote was cut out of, and whether it changes what the quote says."""

import re
from bisect import bisect_right
from itertools import accumulate, takewhile

from chat.citations.support.clauses import FACTIVE
from chat.citations.support.outcome import Difference
from chat.citations.support.phrases import structure
from chat.citations.support.statement import Statement, Token, read
from text.lexicon import root
from text.sentences import sentences
from text.word_lists import words

SHOWN = 12  # words of the rest that a reason repeats
CONTEXT_SEARCHED = 400_000  # characters
MARGIN = 4_000  # characters on either side in which the quote's sentence begins and ends
_ELLIPSIS = re.compile(r"^\s*(?:…|\.{3})\s*|\s*(?:…|\.{3})\s*$")
_PIECE = re.compile(r"\S+")
_UNTRUE = frozenset(
    root(word)
    for word in words(
        """myth legend fable fiction tale rumour rumor lie lies hoax fallacy misconception falsehood nonsense
        false untrue wrong incorrect mistaken erroneous contrary suppose imagine"""
    )
)
_SAYING = frozenset(
    root(word)
    for word in words(
        """say claim allege argue insist assert tell believe think suggest according dream hope wish fear
        guess swear pretend fancy maintain contend complain joke said told wrote thought"""
    )
)
_GOING_ON = words("and which who whose whom while whereas with")
_OPENING = 8  # words before the quote in which "may" or "expects to" still governs it


def rest_of_sentence(quote: str, context: str, at: int = 0) -> tuple[str, str]:
    """What stands before and after the quote in its sentence, white space folded; empty where the quote
    is not in the context, or is whole. A quote of several sentences has the beginning of its first and
    the end of its last. at: from where on in the context it is looked for: the same words may stand before.
    """
    words = _ELLIPSIS.sub("", quote).split()
    if not words or len(words) > MARGIN:
        return "", ""
    span = _found(words, context[:CONTEXT_SEARCHED], at)
    if span is None:
        return "", ""
    base = max(0, span[0] - MARGIN)
    near = context[base : span[1] + MARGIN]
    start, end = span[0] - base, span[1] - base
    spans = [(first, last) for first, last in sentences(near) if first < end and last > start]
    if not spans:
        return "", ""
    after = near[end : max(end, spans[-1][1])]
    return " ".join(near[spans[0][0] : start].split()), " ".join(after.split()).strip(" .!")


def _found(words: list[str], context: str, begin: int) -> tuple[int, int] | None:
    """Where the words stand in the context, whatever white space is between them; in linear time."""
    pieces = [match.span() for match in _PIECE.finditer(context)]
    folded = " ".join(context[slice(*piece)] for piece in pieces)
    sought = " ".join(words)
    offsets = list(accumulate((last - first + 1 for first, last in pieces), initial=0))
    number = bisect_right(pieces, begin, key=lambda piece: piece[1])  # of the piece with that character
    inside = max(0, begin - pieces[number][0]) if number < len(pieces) else 0
    at = folded.find(sought, offsets[number] + inside)
    if at < 0:
        at = folded.find(sought)
    if at < 0:
        return None

    def original(place: int) -> int:
        number = bisect_right(offsets, place) - 1
        return pieces[number][0] + place - offsets[number]

    return original(at), original(at + len(sought) - 1) + 1


def rest_differs(before: str, after: str) -> Difference | None:
    """A condition, a negation, or words that tell the quote as somebody's or as untrue, in the part of the
    sentence that it leaves out.
    """
    if after.endswith("?"):
        return Difference(text="The quote is a part of a question.")
    if (token := _takes_back(read(after).tokens)) is not None:
        return Difference(text=f"The sentence goes on with “{_short(after, token)}”.")
    if (token := _turns_round(read(before)) or _embeds(read(before))) is not None:
        return Difference(text=f"The sentence begins with “{_short(before, token)}”, before the quote.")
    return None


def _takes_back(tokens: list[Token]) -> Token | None:
    """The word behind the quote that limits it, says that it is untrue, or who says it."""
    for token in tokens:
        if token.surface == ";":
            break
        limits = token.family == "condition" or (token.family == "quantifier" and "only" in token.says)
        if limits or token.key in _UNTRUE or (token.key == "but" and token.kind == "function"):
            return token
    if tokens and tokens[0].surface == ",":
        aside = list(takewhile(lambda token: token.kind != "punctuation", tokens[1:]))
        if aside and aside[0].key not in _GOING_ON:
            return next((token for token in aside if _says(token)), None)
    return None


def _says(token: Token) -> bool:
    return any(root(word) in _SAYING for word in token.surface.lower().split())


def _turns_round(before: Statement) -> Token | None:
    """The word before the quote under which it is no fact: "not", "if", "may", "contrary to"."""
    tokens = before.tokens
    for number, token in enumerate(tokens):
        governs = len(tokens) - number <= _OPENING and token.family in ("modality", "attitude")
        if token.family in ("negation", "condition") or governs or token.key in _UNTRUE:
            return token
    return None


def _embeds(before: Statement) -> Token | None:
    """The word that tells the quote without saying that it is so: "the story goes that", "he dreamed"."""
    tokens = before.tokens
    that = next((place for place in reversed(range(len(tokens))) if tokens[place].key == "that"), None)
    told = structure(before)
    if that is not None and not any(place > that for place in told.finite):
        before_that = [place for place in before.content if place < that and not tokens[place].quantity]
        reporter = tokens[before_that[-1]] if before_that else tokens[that]
        return None if reporter.key in FACTIVE else reporter
    last = tokens[-1] if tokens else None
    if last is None or not last.is_content or last.capital or last.key in FACTIVE:
        return None
    return last if len(tokens) - 1 in told.verbs and _says(last) else None


def _short(text: str, token: Token) -> str:
    """The rest from the word that matters."""
    start = max(0, text.lower().find(token.surface.lower()))
    words = text[start:].split()
    return " ".join(words[:SHOWN]) + (" …" if len(words) > SHOWN else "")

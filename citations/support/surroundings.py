"""The rest of the sentence that a quote was cut out of, and whether it changes what the quote says."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import accumulate, takewhile

from django.utils.translation import gettext_noop

from citations.support.outcome import Difference
from english.lexicon import root
from english.reading import Reading, Token, read
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
_FACTIVE = frozenset(
    root(word)
    for word in words(
        """find show confirm demonstrate prove establish know discover reveal announce note ensure mean so
        such
        learn realize see observe fact recognize"""
    )
)
_LIMITING = words("only untrue")
_LOOSENING = ("may and must", "facts and expectations")
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


def rest_differs(claim: Reading, before: str, after: str) -> Iterator[Difference]:
    """A condition, a negation, or words that tell the quote as somebody's or as untrue, in the part of the
    sentence that it leaves out; unless the claim has them too.
    """
    if after.endswith("?"):
        yield Difference(text=gettext_noop("The quote is a part of a question."), quoted=after)
    behind, ahead = read(after).tokens, read(before).tokens
    if (token := _takes_back(behind)) and not _is_told(claim, behind, token):
        rest = _short(after, token)
        yield Difference(text=f"The sentence goes on with “{rest}”.", quoted=rest)
    if (token := _turns_round(ahead)) and not _is_told(claim, ahead, token):
        rest = _short(before, token)
        yield Difference(text=f"The sentence begins with “{rest}”, before the quote.", quoted=rest)


def _is_told(claim: Reading, tokens: list[Token], limit: Token) -> bool:
    """Whether the claim has the word that limits, and most of the words that stand behind it."""
    if not any(token.family == limit.family and token.says & limit.says for token in claim.tokens):
        return False
    said = {token.key for token in claim.tokens if token.is_content}
    begin = next(at for at, token in enumerate(tokens) if token is limit)
    under = [token.key for token in tokens[begin:] if token.is_content]
    return 2 * sum(key in said for key in under) >= len(under)


def _takes_back(tokens: list[Token]) -> Token | None:
    """The word behind the quote that limits it, says that it is untrue, or who says it."""
    for token in tokens:
        if token.surface == ";":
            break
        limits = token.family == "conditions" or bool(token.says & _LIMITING)
        if limits or token.key in _UNTRUE or (token.key == "but" and token.kind == "function"):
            return token
    if tokens and tokens[0].surface == ",":
        aside = list(takewhile(lambda token: token.kind != "punctuation", tokens[1:]))
        if aside and aside[0].key not in _GOING_ON:
            return next((token for token in aside if _says(token)), None)
    return None


def _says(token: Token) -> bool:
    return any(root(word) in _SAYING for word in token.surface.lower().split())


def _turns_round(tokens: list[Token]) -> Token | None:
    """The word before the quote under which it is no fact: "not", "if", "may", "he dreamed"."""
    for number, token in enumerate(tokens):
        governs = len(tokens) - number <= _OPENING and token.family in _LOOSENING
        if token.family in ("negation", "conditions") or governs or token.key in _UNTRUE:
            return token
    end = next((at for at in reversed(range(len(tokens))) if tokens[at].key == "that"), len(tokens))
    if len(tokens) - end > _OPENING:
        return None
    reporter = next(
        (token for token in reversed(tokens[:end]) if token.is_content and not token.quantity), None
    )
    if reporter is None or reporter.key in _FACTIVE or (end == len(tokens) and not _says(reporter)):
        return None
    return reporter


def _short(text: str, token: Token) -> str:
    """The rest from the word that matters."""
    start = max(0, text.lower().find(token.surface.lower()))
    words = text[start:].split()
    return " ".join(words[:SHOWN]) + (" …" if len(words) > SHOWN else "")

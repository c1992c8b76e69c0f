"""Citation tags in an answer, found while it streams. Pure."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

WORD_JOINER = "\u2060"
LONGEST_MARK = 12  # characters of what a tag begins with
MAX_TAG = 3000  # characters; a longer tag was never closed


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose:
    """answer[start:end] == text, without any tag."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """answer[start:end] is the whole tag; quote is unescaped and without the quote marks around it."""

    start: int
    end: int
    key: str
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Quotation:
    """A quote as the model wrote it, the key of the passage that it named, and the claim it stands for."""

    n: int  # from 1, in the order of the answer
    claim: str  # empty for words that are only copied
    key: str
    quote: str


TAG = re.compile(r"[/\\]citation\s?\[", re.IGNORECASE)
_PARTIAL_TAG = re.compile(r"[/\\](?:c|ci|cit|cita|citat|citati|citatio|citation\s?)?$", re.IGNORECASE)
_KEY = re.compile(r"\s*[\"'`]?([^\s,\[\]\"'`]+)[\"'`]?(?:\s*[,;:|]\s*|\s+|(?=\]))")
_QUOTE_MARKS = '"“”„«»'
_WRAPPERS = {'"': '"', "“": "”", "„": "“", "«": "»", "'": "'", "‘": "’", "`": "`"}
_ESCAPED = re.compile(r"\\([\"'“”\[\]\\,])")


def parse(answer: str, position: int = 0) -> list[Prose | Tag]:
    """The answer's text and tags in order, from a position on that is within no tag. A tag that was never
    closed ends at a bracket or its line's end.
    """
    segments: list[Prose | Tag] = []
    for start, end in _tag_spans(answer, position):
        if end is None:
            end = _fallback_end(answer, start, len(answer))
        if start > position:
            segments.append(Prose(start=position, end=start, text=answer[position:start]))
        segments.append(_tag(answer, start, end))
        position = end
    if position < len(answer):
        segments.append(Prose(start=position, end=len(answer), text=answer[position:]))
    return segments


def without_tags(text: str) -> str:
    """A document's words for a model to read: what would be a tag, if it were repeated, is none. Ignoring
    what has no width, the words are the same.
    """
    return TAG.sub(lambda tag: f"{tag[0][0]}{WORD_JOINER}{tag[0][1:]}", text)


def stable_prefix(text: str, position: int = 0) -> int:
    """How many characters of a growing answer will parse the same no matter what follows; those before a
    position within no tag do.
    """
    for start, end in _tag_spans(text, position):
        if end is None:
            return start
    partial = _PARTIAL_TAG.search(text, max(position, len(text) - LONGEST_MARK))
    return partial.start() if partial else len(text)


def _tag_spans(text: str, position: int) -> Iterator[tuple[int, int | None]]:
    """(start, end) of every tag behind the position; end is None for a last tag that is still open."""
    while match := TAG.search(text, position):
        start, body = match.start(), match.end()
        following = TAG.search(text, body)
        limit = min(following.start() if following else len(text), start + MAX_TAG)
        end = _balanced_end(text, body, limit)
        if end is None and limit < len(text):
            end = _fallback_end(text, start, limit)
        yield start, end
        if end is None:
            return
        position = end


def _balanced_end(text: str, body: int, limit: int) -> int | None:
    """Behind the bracket that closes the tag: not one of the quote's own, not one inside its quote marks."""
    key = _KEY.match(text, body, limit)
    position = key.end() if key else body
    wrapped = position < limit and text[position] in _QUOTE_MARKS
    depth = marks = 0
    while position < limit:
        letter = text[position]
        if letter == "\\":
            position += 1
        elif letter in _QUOTE_MARKS:
            marks += 1
        elif letter == "[":
            depth += 1
        elif letter == "]":
            inside_marks = wrapped and marks % 2 == 1
            closes_marks = wrapped and not inside_marks and text[body:position].rstrip()[-1] in _QUOTE_MARKS
            if closes_marks or (depth == 0 and not inside_marks):
                return position + 1
            depth -= not inside_marks and depth > 0
        position += 1
    return None


def _fallback_end(text: str, start: int, limit: int) -> int:
    bracket = text.find("]", start, limit)
    if bracket >= 0:
        return bracket + 1
    line_end = text.find("\n", start, limit)
    return line_end if line_end >= 0 else limit


def _tag(answer: str, start: int, end: int) -> Tag:
    opened = TAG.match(answer, start)
    assert opened
    key = _KEY.match(answer, opened.end(), end)
    body = answer[key.end() if key else opened.end() : end].strip().removesuffix("]").strip()
    if len(body) > 1 and _WRAPPERS.get(body[0]) in (body[-1], None) and body[0] in _WRAPPERS:
        body = body[1:-1]
    return Tag(start=start, end=end, key=key[1] if key else "", quote=_ESCAPED.sub(r"\1", body).strip())

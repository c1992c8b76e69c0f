"""The parts of a requirement, cut by its own punctuation: what each search looks for. Pure."""

import re
from itertools import pairwise

from text.sentences import sentence_ends

MOST_PARTS = 8
SHORTEST = 16  # characters; a shorter piece belongs to the one before it

_LABEL = re.compile(r"(?:^|(?<=[\s;:,]))\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\)\s+|^\s*[-•–]\s+", re.MULTILINE)
_SEMICOLON = re.compile(r";\s+(?:and\s+|or\s+)?")
_ADDED = re.compile(
    r",\s+(?=(?:including|as well as|and the|and to|and that|and on|and its)\b)", re.IGNORECASE
)


def parts_of(text: str) -> list[str]:
    """At least one, in order. Short pieces stay with what they follow; the last one holds the rest."""
    text = " ".join(text.split()) if not _LABEL.search(text) else text.strip()
    pieces = [text]
    for cut in (_labels, _semicolons, _sentences, _additions):
        pieces = [inner for piece in pieces for inner in cut(piece)]
    joined: list[str] = []
    for piece in (" ".join(each.split()).strip(" ,;") for each in pieces):
        if joined and (len(piece) < SHORTEST or len(joined[-1]) < SHORTEST):
            joined[-1] = f"{joined[-1]} {piece}".strip()
        elif piece:
            joined.append(piece)
    return (
        [*joined[: MOST_PARTS - 1], " ".join(joined[MOST_PARTS - 1 :])]
        if len(joined) > MOST_PARTS
        else joined
    )


def _labels(text: str) -> list[str]:
    """At “(a)”, “(ii)” or a bullet, where there are at least two; words before the first begin the list."""
    marks = list(_LABEL.finditer(text))
    if len(marks) < 2:
        return [text]
    edges = [0, *(mark.start() for mark in marks), len(text)]
    pieces = [text[start:end] for start, end in pairwise(edges)]
    head = pieces[0].strip()
    items = [_LABEL.sub("", piece, count=1) for piece in pieces[1:]]
    return items if not head or head.endswith(":") else [head, *items]


def _semicolons(text: str) -> list[str]:
    return _SEMICOLON.split(text)


def _sentences(text: str) -> list[str]:
    edges = [0, *sentence_ends(text), len(text)]
    return [text[start:end] for start, end in pairwise(edges)]


def _additions(text: str) -> list[str]:
    return _ADDED.split(text)

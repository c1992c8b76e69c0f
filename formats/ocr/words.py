"""Words that another engine has read on a picture, as the characters of a page. Pure."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

import numpy as np

from formats.ocr.assembly import SPACE, WHITE, Line, assembled
from formats.ocr.layout import Placed
from text.direction import runs_to_the_left
from text.normal_forms.spaceless import is_spaceless
from text.pictures import PicturedWord

LEAST_HEIGHT = 1e-6  # parts of a page


def page_of(words: Sequence[PicturedWord], width: float, height: float) -> Line:
    """The words in the order in which the page is read. width, height: of the upright page."""
    drawn = [word for word in words if word.text.strip() and _has_area(word)]
    lines = groupby(sorted(drawn, key=lambda word: word.line), key=lambda word: word.line)
    return assembled([_placed(list(line), width, height) for _, line in lines])


def _has_area(word: PicturedWord) -> bool:
    left, top, right, bottom = word.box
    return right - left > LEAST_HEIGHT and bottom - top > LEAST_HEIGHT


def _placed(words: Sequence[PicturedWord], width: float, height: float) -> Placed[Line]:
    first, last = (end(words, key=lambda word: word.box[0] + word.box[2]) for end in (min, max))
    lines = [_line(words[0])]
    for before, word in pairwise(words):
        if not (is_spaceless(before.text[-1]) and is_spaceless(word.text[0])):
            lines.append(Line(codes=np.array([SPACE], dtype=np.uint32), places=np.array([WHITE])))
        lines.append(_line(word))
    return Placed(
        start=(first.box[0] * width, (first.box[1] + first.box[3]) / 2 * height),
        end=(last.box[2] * width, (last.box[1] + last.box[3]) / 2 * height),
        height=float(np.median([word.box[3] - word.box[1] for word in words])) * height,
        content=Line(
            codes=np.concatenate([line.codes for line in lines]),
            places=np.concatenate([line.places for line in lines]),
        ),
    )


def _line(word: PicturedWord) -> Line:
    """Its letters share its box in equal parts, in the direction in which they are written."""
    codes = np.frombuffer(word.text.encode("utf-32-le", "replace"), dtype="<u4").astype(np.uint32)
    places = np.array(list(_shares(word, len(codes))))
    return Line(codes=codes, places=places[::-1] if runs_to_the_left(word.text) else places)


def _shares(word: PicturedWord, letters: int) -> Iterator[tuple[float, float, float, float, float]]:
    left, top, right, bottom = word.box
    edges = np.linspace(left, right, letters + 1)
    for start, end in pairwise(edges.tolist()):
        yield start, top, end, bottom, word.sure

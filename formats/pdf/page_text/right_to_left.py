"""The order in which lines with Hebrew or Arabic letters are read, from where their letters stand. Pure.

PDFium takes such lines as the file draws them and turns some of their parts round: often not those that need
it, and the letters of a glyph that stands for two (lam and alef) with them. What is certain is where each
word is printed. So each line is ordered by that, with the rules of Unicode's bidirectional algorithm
(UAX 9) taken backwards: from right to left, except words of other scripts and numbers.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.uint32]
Boxes = NDArray[np.float64]
Glyph = list[int]  # the places of the characters that it stands for, as they are read
Part = list[Glyph]  # a word, a number or a mark, as it stands on the page

LAM, ALEFS = "\u0644", frozenset("\u0622\u0623\u0625\u0627\u0671")
BRACKETS = frozenset("()[]{}")
PAIRS = (("(", ")"), ("[", "]"), ("{", "}"), ("«", "»"))
SAME = 1e-4  # of the page: letters whose boxes differ by less are one glyph
# Heights of the tallest letter. A printed space takes a quarter and more; what speaks for it counts as room:
# two words, a space there in the file that PDFium has made, or one that is drawn. A mark speaks against it.
LEAST, WORDS_APART, AT_MARK, IN_FILE, DRAWN = 0.14, 0.05, 0.05, 0.03, 9.0
OVERLAP = 0.3  # of their widths: letters that join overlap by less
ONE_ROW = 0.8  # heights of the tallest letter: the middles of a line's letters differ by less
LONGEST = 2000  # characters of a row; one with more is no print for people and stays as it is
# A letter for each of Unicode's classes: R Hebrew, A Arabic, L left to right, N digits, C what parts digits
# ("," ":" "/"), S signs ("-"), T what is printed beside a number ("%"), B brackets, _ all else.
CLASSES = {"R": "R", "AL": "A", "L": "L", "EN": "N", "AN": "N", "CS": "C", "ES": "S", "ET": "T"}
OF_WORDS = frozenset("RALN")
# What is printed from left to right among letters that are not. After Arabic letters, signs divide numbers.
# No letter is tried again and again, however hostile a file is: "%%%%" only where it begins.
NUMBER = {False: r"(?:(?<!T)T++)?N++(?:[CS]N++)*+T*+", True: r"N++(?:CN++)*+"}
# Words go on over brackets in pairs.
WORDS = r"L(?:[^RAB]*[LN]T*)?(?:[^RAB]*B[^RAB]*B[^RAB]*[LN]T*)*(?:[^RAB]*B[^RABL]*L[^RAB]*B)?"
LEFT_TO_RIGHT = {is_arabic: f"(?:{number})?{WORDS}|{number}" for is_arabic, number in NUMBER.items()}
RIGHT_TO_LEFT = r"[RA](?:[^L]*[RA])?"


def in_reading_order(codes: Codes, boxes: Boxes, own: int) -> tuple[Codes, NDArray[np.intp]]:
    """The code points in the order in which they are read, and where each of them was.

    codes: (n,), in lines. boxes: (n, 4 or more), where they are on the page as it is shown: x0, y0, x1, y1.
    own: so many at the beginning are the page's own; the others begin a line. Characters stay in their line,
    and lines without such letters stay as they are. Brackets open before they close; a space for which there
    is no room becomes 0, or the end of a line within what PDFium took for one.
    """
    order, codes = np.arange(len(codes)), codes.copy()
    is_rtl = is_right_to_left(codes)
    for first, last in _lines(codes, own):
        if is_rtl[first:last].any():
            line = [chr(code) for code in codes[first:last]]
            places, signs = _read_line(line, boxes[first:last])
            order[first:last] = first + np.array(places)
            codes[first:last] = [ord(sign) for sign in signs]
    return codes, order


def is_right_to_left(codes: Codes) -> NDArray[np.bool_]:
    """Letters of Hebrew, Arabic and their relatives, also in the forms that old files have."""
    return ((codes >= 0x590) & (codes < 0x900)) | ((codes >= 0xFB1D) & (codes < 0xFEFF))


def _lines(codes: Codes, own: int) -> Iterator[tuple[int, int]]:
    """Where the print of each line begins, and the place behind it."""
    ends = np.flatnonzero((codes == 0x0A) | (codes == 0x0D))
    borders = np.unique([0, *ends, *(ends + 1), own, len(codes)]).tolist()
    for start, end in pairwise(borders):
        printed = start + np.flatnonzero(codes[start:end] > 0x20)
        if len(printed):
            yield int(printed[0]), int(printed[-1]) + 1


def _read_line(line: Sequence[str], boxes: Boxes) -> tuple[list[int], list[str]]:
    """The places of a line's characters in the order in which they are read, and what is read there.

    PDFium takes two lines for one where the second begins right of the first one's end. A space for which
    there is no room ends the line there, or becomes 0.
    """
    places: list[int] = []
    signs: list[str] = []
    left_out: list[int] = []
    for row in _rows(line, boxes):
        if left_out and places:
            places.append(left_out.pop())
            signs.append("\n")
        inside = _order([line[place] for place in row], boxes[row])
        read = _facing([line[row[place]] for place in inside])
        _put_spaces_outside(read, inside)
        places += [int(row[place]) for place in inside]
        signs += read
        left_out += row[sorted(set(range(len(row))) - set(inside))].tolist()
    return places + left_out, signs + ["\0"] * len(left_out)


def _rows(line: Sequence[str], boxes: Boxes) -> list[NDArray[np.intp]]:
    """The places of the characters of each row, from the top; what is no letter is in the nearest."""
    heights, middles = boxes[:, 3] - boxes[:, 1], (boxes[:, 1] + boxes[:, 3]) / 2
    letters = np.array([_class(sign) in OF_WORDS for sign in line]) & (heights > 0)
    if not letters.any():
        return [np.arange(len(line))]
    levels = np.sort(middles[letters])
    borders = 1 + np.flatnonzero(np.diff(levels) > ONE_ROW * heights[letters].max())
    starts, ends = levels[[0, *borders]], levels[[*(borders - 1), -1]]
    rows = np.searchsorted(starts, middles, side="right") - 1
    above, below = np.maximum(rows, 0), np.minimum(rows + 1, len(starts) - 1)
    is_below = ~letters & (starts[below] - middles < middles - ends[above])
    rows = np.where(is_below, below, above)
    order = np.argsort(rows, kind="stable")
    return np.split(order, np.searchsorted(rows[order], range(1, len(starts))))


def _order(line: Sequence[str], boxes: Boxes) -> list[int]:
    """The places of a row's characters in the order in which they are read."""
    if not 1 < len(line) <= LONGEST:
        return list(range(len(line)))
    glyphs = _glyphs(line, boxes)
    seen = sorted(glyphs, key=lambda glyph: float(boxes[glyph[0], 0] + boxes[glyph[0], 2]))
    if not _is_row(boxes[[glyph[0] for glyph in seen]]):
        return list(range(len(line)))
    printed = _with_spaces(_parts(line, boxes, glyphs), line, boxes)
    classes = "".join(_class(line[glyph[0]]) for glyph in printed)
    return [place for glyph in _read(classes) for place in printed[glyph]]


def _class(sign: str) -> str:
    return "B" if sign in BRACKETS else CLASSES.get(unicodedata.bidirectional(sign), "_")


def _is_row(boxes: Boxes) -> bool:
    """Whether letters stand beside each other: no slanted line, and not one line printed over another."""
    heights = boxes[:, 3] - boxes[:, 1]
    inked = boxes[heights > 0]
    if not len(inked):
        return False
    overlap = np.maximum(inked[:-1, 2] - inked[1:, 0], 0).sum()
    return bool(
        np.ptp(inked[:, 1] + inked[:, 3]) / 2 <= ONE_ROW * heights.max()
        and overlap <= OVERLAP * (inked[:, 2] - inked[:, 0]).sum()
    )


def _glyphs(line: Sequence[str], boxes: Boxes) -> list[Glyph]:
    """All but the spaces, in the file's order; marks are with the letter that they are on."""
    glyphs: list[Glyph] = []
    marks: list[int] = []
    for place, sign in enumerate(line):
        if unicodedata.combining(sign):
            marks.append(place)
        elif glyphs and _is_one_glyph(boxes[glyphs[-1][-1]], boxes[place]):
            glyphs[-1].append(place)
        elif sign != " ":
            glyphs.append([place])
    for n, glyph in enumerate(glyphs):
        before, after = glyphs[max(n - 1, 0)][0], glyphs[min(n + 1, len(glyphs) - 1)][0]
        leftwards = boxes[before, 0] > boxes[after, 0]
        if len(glyph) > 1 and _is_turned([line[place] for place in glyph], leftwards):
            glyph.reverse()
    if not glyphs:
        return [[mark] for mark in marks]
    corners = boxes[[glyph[0] for glyph in glyphs]]
    bases = [int(np.argmax(_nearness(corners, boxes[mark]))) for mark in marks]
    for mark, base in zip(marks, bases, strict=True):
        glyphs[base].append(mark)
    return glyphs


def _is_one_glyph(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    return bool(one[2] > one[0] and np.abs(one[:4] - other[:4]).max() < SAME)


def _is_turned(letters: Sequence[str], leftwards: bool) -> bool:
    """Whether PDFium has turned a glyph's letters round: with all else where the line goes leftwards."""
    if set(letters[:2]) & ALEFS and LAM in letters[:2]:
        return letters[0] != LAM
    return leftwards


def _nearness(letters: Boxes, mark: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far a mark is on each letter. Some files divide the box of a letter with its mark between them."""
    overlaps = np.minimum(letters[:, 2], mark[2]) - np.maximum(letters[:, 0], mark[0])
    if overlaps.max() > (mark[2] - mark[0]) / 2:
        return overlaps
    divided = (np.abs(letters[:, [1, 3]] - mark[[1, 3]]).max(axis=1) < SAME) & (np.abs(overlaps) < SAME)
    return np.where(divided, 1.0, overlaps)


def _parts(line: Sequence[str], boxes: Boxes, glyphs: Sequence[Glyph]) -> list[Part]:
    """The parts of a line as they stand from left to right, and so the glyphs of each.

    Letters of a word keep their order in the file, from whichever side it comes: in calligraphic print they
    stand over each other.
    """
    middles = (boxes[:, 0] + boxes[:, 2]) / 2
    parts: list[Part] = []
    end = 0  # in the file, of the letters before
    for glyph in glyphs:
        letters = [place for place in glyph if not unicodedata.combining(line[place])]
        kind = _class(line[glyph[0]])
        follows = min(letters, default=-1) == end and kind == _class(line[max(end - 1, 0)])
        if parts and follows and kind in OF_WORDS:
            parts[-1].append(glyph)
        else:
            parts.append([glyph])
        end = max(letters, default=-1) + 1
    for part in parts:
        if middles[part[0][0]] > middles[part[-1][0]]:
            part.reverse()
    return sorted(parts, key=lambda part: float(np.mean([middles[glyph[0]] for glyph in part])))


def _with_spaces(parts: Sequence[Part], line: Sequence[str], boxes: Boxes) -> list[Glyph]:
    """The glyphs from left to right with the line's spaces where they are most likely."""
    tallest = float((boxes[:, 3] - boxes[:, 1]).max())
    spaces = [place for place, sign in enumerate(line) if sign == " "]
    chances = {}
    for n in range(1, len(parts)):
        kinds = {_class(line[part[0][0]]) for part in parts[n - 1 : n + 1]}
        if "N" in kinds and kinds & {"C", "S"}:
            continue
        are_words = kinds <= OF_WORDS
        chances[n] = _room(parts[n - 1], parts[n], boxes) / tallest + (WORDS_APART if are_words else -AT_MARK)
        between = _between(parts[n - 1], parts[n])
        if between and all(line[place] == " " for place in between):
            chances[n] += IN_FILE if boxes[between[0], 2] <= boxes[between[0], 0] else DRAWN
    likely = sorted((n for n in chances if chances[n] > LEAST), key=lambda n: -chances[n])
    put = dict(zip(likely, spaces, strict=False))
    printed: list[Glyph] = []
    for n, part in enumerate(parts):
        printed += [[put[n]], *part] if n in put else part
    return printed


def _between(left: Part, right: Part) -> range:
    """The places between two parts that follow one another in the file."""
    first, last = sorted((min(map(min, part)), max(map(max, part))) for part in (left, right))
    return range(first[1] + 1, last[0])


def _room(left: Part, right: Part, boxes: Boxes) -> float:
    return float(min(boxes[glyph[0], 0] for glyph in right) - max(boxes[glyph[0], 2] for glyph in left))


def _read(classes: str) -> Iterator[int]:
    """The numbers of a line's glyphs in the order in which they are read.

    classes: theirs, from left to right.
    """
    is_arabic = "A" in classes
    if classes.count("L") <= len(re.findall("[RA]", classes)):
        yield from _leftwards(0, len(classes), classes, LEFT_TO_RIGHT[is_arabic])
        return
    place = 0
    for part in re.finditer(RIGHT_TO_LEFT, classes):
        yield from range(place, part.start())
        yield from _leftwards(part.start(), part.end(), classes, NUMBER[is_arabic])
        place = part.end()
    yield from range(place, len(classes))


def _leftwards(start: int, end: int, classes: str, rightwards: str) -> Iterator[int]:
    """Places from the last to the first, but for parts that go from left to right."""
    place = end
    for part in reversed(list(re.compile(rightwards).finditer(classes, start, end))):
        yield from range(place - 1, part.end() - 1, -1)
        yield from range(part.start(), part.end())
        place = part.start()
    yield from range(place - 1, start - 1, -1)


def _facing(signs: list[str]) -> list[str]:
    """Brackets as people type them: PDFium gives some as they look, and others as they are read."""
    for opening, closing in PAIRS:
        places = [place for place, sign in enumerate(signs) if sign in (opening, closing)]
        if len(places) % 2 or _is_balanced([signs[place] for place in places], opening):
            continue
        turned = [closing if signs[place] == opening else opening for place in places]
        if not _is_balanced(turned, opening):
            turned = [opening, closing] * (len(places) // 2)
        for place, sign in zip(places, turned, strict=True):
            signs[place] = sign
    return signs


def _is_balanced(signs: Sequence[str], opening: str) -> bool:
    depths = np.cumsum([1 if sign == opening else -1 for sign in signs])
    return not len(depths) or bool(depths.min() >= 0 and depths[-1] == 0)


def _put_spaces_outside(signs: list[str], places: list[int]) -> None:
    """Of brackets: within them there often is as much room as a space takes."""
    text = [" ", *signs, " "]
    for place in range(1, len(text) - 2):
        before, one, other, after = text[place - 1 : place + 3]
        opens = before != " " and other == " " and any(one == opening for opening, _ in PAIRS)
        closes = after != " " and one == " " and any(other == closing for _, closing in PAIRS)
        if opens or closes:
            text[place : place + 2] = other, one
            places[place - 1 : place + 1] = places[place], places[place - 1]
    signs[:] = text[1:-1]

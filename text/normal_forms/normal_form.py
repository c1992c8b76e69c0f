"""One spelling for all the ways in which a text can be written or typeset."""

import re
import unicodedata
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from text.normal_forms.clean_form import UNSEEN_CLASS, cleaned
from text.normal_forms.letter_forms import LIGATURES
from text.normal_forms.marks import OPTIONAL
from text.normal_forms.spaceless import is_spaceless

Codes = NDArray[np.uint32]

_EXPANSIONS = LIGATURES | {0x2026: "..."}
_APOSTROPHES = "\"'`´‘’‚‛“”„‟‹›«»′″"
_HYPHENS = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u02d7\ufe58\ufe63\uff0d"
_ZERO_WIDTH = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_LETTER, _DIGIT, _SPACED = 1, 2, 4
_SECOND_PLANE = 0x20000  # from here on all letters are Chinese
_FULL_WIDTH_FIGURES = range(0xFF10, 0xFF1A)
_LEFT_OUT = re.compile(
    f"[{OPTIONAL}{UNSEEN_CLASS}\u0640\u200c\u200d]"
)  # also what draws letters apart or joins them
# Letters and figures that keyboards of Arabic, Persian and Urdu have in several forms.
_ONE_FORM = str.maketrans(
    "\u0671\u0649\u06cc\u06d2\u06a9\u06aa\u0629\u06c0\u06c1\u06d5"
    "\u0660\u0661\u0662\u0663\u0664\u0665\u0666\u0667\u0668\u0669"
    "\u06f0\u06f1\u06f2\u06f3\u06f4\u06f5\u06f6\u06f7\u06f8\u06f9",
    "\u0627\u064a\u064a\u064a\u0643\u0643\u0647\u0647\u0647\u0647" + "0123456789" * 2,
)


def fold(text: str) -> str:
    """Lower case without accents and what cannot be seen: “Müller” and “MULLER” become one.

    Hebrew and Arabic are without their points, and each letter of Arabic and Persian has one form.
    """
    if text.isascii():
        return text.lower()
    return _LEFT_OUT.sub("", unicodedata.normalize("NFKD", text.casefold())).translate(_ONE_FORM)


def lower_in_place(text: str) -> str:
    """Lower case, spaces for line ends and tabs; every character keeps its offset."""
    text = text.replace("\n", " ").replace("\t", " ")
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(low if len(low := letter.lower()) == 1 else letter for letter in text)


@cache
def _tables() -> tuple[Codes, NDArray[np.uint8]]:
    """For each code point of the basic plane: what it becomes (0: nothing), and its class: letter, digit or
    neither, and whether spaces part it from others.
    """
    becomes = np.arange(0x10000, dtype=np.uint32)
    for code in range(0x10000):
        letter = chr(code)
        if unicodedata.combining(letter) or letter in _ZERO_WIDTH:
            becomes[code] = 0
        elif letter.isspace():
            becomes[code] = ord(" ")
        elif letter in _APOSTROPHES:
            becomes[code] = ord("'")
        elif letter in _HYPHENS:
            becomes[code] = ord("-")
        elif code in _FULL_WIDTH_FIGURES:
            becomes[code] = code - 0xFF10 + ord("0")
        elif not letter.isnumeric():
            base = unicodedata.normalize("NFKD", letter).lower()
            plain = [part for part in base if not unicodedata.combining(part)]
            becomes[code] = ord(plain[0]) if len(plain) == 1 else code
    classes = np.array([_class(chr(code)) for code in range(0x10000)], dtype=np.uint8)
    return becomes, classes


def _class(letter: str) -> int:
    kind = _DIGIT if letter.isnumeric() else _LETTER if letter.isalpha() else 0
    return kind | _SPACED if kind and not is_spaceless(letter) else kind


@lru_cache(maxsize=8)
def normal_form(text: str) -> tuple[str, NDArray[np.intp]]:
    """The text in normal form, and for each of its characters the index it has in `text`.

    Lower case without accents; ligatures spelled out; one kind of quote mark and of dash; a space only
    between letters or figures, and none beside Chinese, Japanese or Thai, whose words have no spaces between
    them; no hyphen between letters, so that a word divided at a line end is whole.
    """
    becomes, classes = _tables()
    form = cleaned(text)
    codes = np.frombuffer(form.text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    places = np.arange(len(codes)) if form.spans is None else np.array([start for start, _ in form.spans])
    codes, places = _expand(codes, places)
    codes = np.where(codes < 0x10000, becomes[np.minimum(codes, 0xFFFF)], codes)
    codes, places = codes[codes != 0], places[codes != 0]
    first_space = np.append(True, codes[:-1] != ord(" "))
    kept = (codes != ord(" ")) | first_space[: len(codes)]
    codes, places = codes[kept], places[kept]
    kept = (codes != ord(" ")) | _between(codes, classes, _SPACED)
    codes, places = codes[kept], places[kept]
    kept = (codes != ord("-")) | ~_between(codes, classes, _LETTER)
    codes, places = codes[kept], places[kept]
    return codes.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass"), places


def _expand(codes: Codes, places: NDArray[np.intp]) -> tuple[Codes, NDArray[np.intp]]:
    """Each ligature as its letters, all at the ligature's place."""
    lengths = np.ones(len(codes), dtype=np.intp)
    for code, letters in _EXPANSIONS.items():
        lengths[codes == code] = len(letters)
    first = np.cumsum(lengths) - lengths
    expanded = np.repeat(codes, lengths)
    for code, letters in _EXPANSIONS.items():
        for offset, letter in enumerate(letters):
            expanded[first[codes == code] + offset] = ord(letter)
    return expanded, np.repeat(places, lengths)


def _between(codes: Codes, classes: NDArray[np.uint8], wanted: int) -> NDArray[np.bool_]:
    """For each character, whether both its neighbours are of the wanted class."""
    beyond = np.where(codes < _SECOND_PLANE, _LETTER | _SPACED, _LETTER)
    kinds = np.where(codes < 0x10000, classes[np.minimum(codes, 0xFFFF)], beyond) & wanted > 0
    edge = np.array([False])
    return np.concatenate([edge, kinds[:-1]])[: len(codes)] & np.concatenate([kinds[1:], edge])[: len(codes)]

"""Which words texts have, whatever their accents, endings, capitals, separators or divisions."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from itertools import islice, takewhile

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

from english.lexicon import root
from text.normal_forms.divisions import without_divisions
from text.normal_forms.normal_form import fold
from text.search.fuzzy_match import FIRST_CJK, ONE_SLIP, TWO_SLIPS
from text.stems import stem
from text.word_lists import FUNCTION_WORDS
from text.words import COMPOUND

BEGUN = 4  # letters, at least, by which a longer name may be meant

_OWNER = re.compile(r"['’]s$", re.IGNORECASE)
_LIGATURES = {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th"}
_LETTERS = str.maketrans(_LIGATURES)
NAMES_OF_SIGNS = {
    "$": "dollar",
    "€": "euro",
    "£": "pound",
    "¥": "yen",
    "%": "percent",
    "&": "and",
    "§": "section",
}
_UMLAUT = re.compile(r"([aou])e")  # ü is written ue where keyboards have none
_FIGURE = re.compile(r"(?:fy)?['’]?(\d[\d.,'’]*)", re.IGNORECASE)
_YEAR = re.compile(r"(?:fy)?['’]?(?:1[6-9]|20)(\d\d)", re.IGNORECASE)


def bare(word: str) -> str:
    """Without the ending of an owner: "Boeing's"."""
    return _OWNER.sub("", word)


def one_spelling(word: str) -> str:
    """The same for “Müller”, “Mueller” and “MULLER”."""
    return _UMLAUT.sub(r"\1", fold(word).translate(_LETTERS))


def initials(words: Iterable[str]) -> set[str]:
    """The letters with which any regular form of these words begins, however it is spelt."""
    begun = {
        spelling[0] for word in words if (own := one_spelling(bare(word))) for spelling in (own, root(own))
    }
    return begun | {letter for letter, spelt in _LIGATURES.items() if spelt[0] in begun}


class Vocabulary:
    """The words of texts. Made once, asked often: a question's words take milliseconds."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._words = {word for text in texts for word in _words_of(text)}

    def has(self, word: str) -> bool:
        """Whether a text has the word in any form, or, of a figure, one with the same digits.

        “1,500,000” may be written “$1.5 million”, or stand in a table in thousands.
        """
        if (figure := _FIGURE.fullmatch(word)) and (digits := _significant(figure[1])):
            year = _YEAR.fullmatch(word)
            return digits in self._figures or bool(year and year[1] in self._figures)
        spelling = one_spelling(bare(word))
        return stem(spelling) in self._stems or root(spelling) in self._roots

    def absent(self, words: Iterable[str]) -> list[str]:
        """Those of the words that no text has. Words of scripts without spaces cannot be told."""
        return [word for word in words if max(word) < FIRST_CJK and not self.has(word)]

    def resembling(self, words: Sequence[str]) -> dict[str, set[str]]:
        """For each word the spellings in the texts that it may be a slip of, or the beginning of."""
        sought = [one_spelling(bare(word)) for word in words]
        slips = np.array([(len(word) >= ONE_SLIP) + (len(word) >= TWO_SLIPS) for word in sought])
        known = self._ordered
        resembling: dict[str, set[str]] = {word: set() for word in words}
        if not known or not words:
            return resembling
        distances = process.cdist(sought, known, scorer=OSA.distance, score_cutoff=2, dtype=np.uint8)
        for at, word in enumerate(words):
            near = {known[index] for index in np.flatnonzero(distances[at] <= slips[at])}
            if len(sought[at]) >= BEGUN:
                first = bisect_left(known, sought[at])
                near.update(takewhile(partial(_begins, sought[at]), islice(known, first, None)))
            resembling[word] = {spelling for other in near for spelling in self._spellings[other]}
        return resembling

    def is_common(self, spelling: str) -> bool:
        """Whether it is a word of the language rather than a name: also written without a capital."""
        return spelling.lower() in self._words or spelling.lower() in FUNCTION_WORDS

    @cached_property
    def _spellings(self) -> dict[str, set[str]]:
        spellings = defaultdict(set)
        for word in self._words:
            spellings[one_spelling(bare(word))].add(word)
        return dict(spellings)

    @cached_property
    def _ordered(self) -> list[str]:
        return sorted(self._spellings)

    @cached_property
    def _stems(self) -> set[str]:
        return {stem(word) for word in self._spellings}

    @cached_property
    def _roots(self) -> set[str]:
        """Of irregular words too, "built": these take longer."""
        return {root(word) for word in self._spellings}

    @cached_property
    def _figures(self) -> set[str]:
        return {_significant(digits) for word in self._words for digits in re.findall(r"\d[\d.,'’]*", word)}


def _words_of(text: str) -> Iterable[str]:
    """Also the parts of compounds, words put together again that end a line with a hyphen, names of signs."""
    compounds = set(COMPOUND.findall(text)) | {name for sign, name in NAMES_OF_SIGNS.items() if sign in text}
    if "\n" in text and (whole := without_divisions(text)) != text:
        compounds.update(COMPOUND.findall(whole))
    for compound in compounds:
        yield compound
        if not compound.isalnum():
            yield compound.replace("-", "")
            yield from filter(None, re.split(r"[.,’'&-]", compound))


def _begins(beginning: str, word: str) -> bool:
    return word.startswith(beginning)


def _significant(figure: str) -> str:
    """Digits alone, without zeros at the ends: the same for 1,500,000 and 1.5."""
    return re.sub(r"\D", "", figure).strip("0") or "0"

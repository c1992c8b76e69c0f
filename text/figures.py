"""Figures of a text in any of six languages: numbers with what they count, dates, sums. Pure.

They tell that two texts differ in a figure. What a figure is worth in English, `quantities` knows better.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import dropwhile

from text.number_words import AMBIGUOUS_MONTHS, CURRENCIES, GERMAN_MONTHS, MONTHS, NUMBERS, RANKS, SPANS

# "12.500,00", "12 500", "31.12.2025", "10:30", "١٢٬٥٠٠".
_NUMBER = r"\d+(?:[.,'’:/٫٬-]\d+|[ \u00a0\u202f]\d{3}(?!\d))*"
_CHINESE = r"[〇零一二两三四五六七八九十百千万亿]+"
_CHINESE_WORDS = "|".join(
    sorted((word for word in (*SPANS, *CURRENCIES) if "\u4e00" <= word[0] <= "\u9fff"), key=len, reverse=True)
)
_ORDINAL = r"(?:(?:er|ère|re|st|nd|rd|th)\b|[ºª])?"
_ATOM = re.compile(rf"{_NUMBER}{_ORDINAL}|{_CHINESE}|{_CHINESE_WORDS}|[€$£¥￥%]|[^\W\d_\u4e00-\u9fff]+")
_BETWEEN = re.compile(r"[.\s\u00a0\u202f]{0,3}(?:de\s|del\s|von\s|of\s)?|-")
_THOUSANDS = re.compile(r"[.,'’٬\s\u00a0\u202f](?=\d{3}(?!\d))")
# "dreimonatige", "14-tägig", "sechsundzwanzig": German joins what belongs to a number.
_UNITS = "ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun"
_GERMAN = re.compile(
    rf"(?P<number>(?:{_UNITS})und(?:zwan|drei|vier|fünf|sech|sieb|acht|neun)(?:zig|ßig|ssig)"
    rf"|(?:{_UNITS}|zehn|zwölf|vierzehn)(?=(?:stünd|täg|wöch|monat|jähr|fach|hundert|tausend))"
    r"|(?:(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|zwölf)?(?:hundert|tausend))+)"
    r"(?P<unit>stünd|täg|wöch|monat|jähr)?\w*"
)
_GERMAN_UNITS = {"stünd": "hour", "täg": "day", "wöch": "week", "monat": "month", "jähr": "year"}
# The number of a clause at the head of its words changes with its place.
_HEAD = re.compile(
    r"\W*(?:(?:§+|Art(?:ikel|icle|ículo|\.)?|Ziffer|Clause|Cláusula|Section|المادة)\s*\d{1,3}(?:\.\d{1,2})*[a-z.)]?"
    r"|\d{1,2}(?:\.\d{1,2})+[.)]?|\d{1,3}\)|\d{1,2}\.|\([a-z]\))"
    rf"(?=\s+(?!(?:{'|'.join(GERMAN_MONTHS)})\b)[^\W\d_])|\W*第{_CHINESE}[条章节款]"
)
# Words that are a currency beside a figure only: "book", "free", "head" of a sheet.
_NOT_ALONE = frozenset(
    {
        "livre",
        "livres",
        "libra",
        "libras",
        "pound",
        "pounds",
        "franc",
        "francs",
        "franco",
        "francos",
        "元",
        "%",
    }
)
_ARABIC_PREFIXES = ("وال", "بال", "لل", "ال", "و", "ب", "ل")


class FigureKind(StrEnum):
    """The first that fits is the kind of what stands beside each other."""

    DATE = "date"
    SUM = "sum"
    SPAN = "span"
    NUMBER = "number"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """text[start:end]. key: the same for a figure in other words, such as “12.500 €” and “12500 Euro”."""

    kind: FigureKind
    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class _Atom:
    """A word of a figure. is_figure: whether it is one alone, as a unit or “may” is not."""

    kind: FigureKind
    key: str
    start: int
    end: int
    is_figure: bool


def figures(text: str) -> list[Figure]:
    """In the order of the text, without the number of a clause at its beginning."""
    head = _HEAD.match(text)
    groups = _groups(text, head.end() if head else 0)
    bare = (list(dropwhile(_is_unit, group)) for group in groups)
    return [_figure(group) for group in bare if any(atom.is_figure for atom in group)]


def _is_unit(atom: _Atom) -> bool:
    """A unit stands behind its number: “Jahr 500 Euro” is no span of time."""
    return atom.kind == FigureKind.SPAN and not atom.is_figure


def _figure(group: Sequence[_Atom]) -> Figure:
    kinds = {atom.kind for atom in group}
    kind = next(kind for kind in FigureKind if kind in kinds)
    keys = [atom.key for atom in group]
    if "year" in keys and "month" in keys and kind == FigureKind.SPAN:  # 2025年1月
        kind = FigureKind.DATE
    key = " ".join(sorted(keys) if kind == FigureKind.SUM else keys)  # "EUR 500" is "500 Euro"
    return Figure(kind=kind, key=key, start=group[0].start, end=group[-1].end)


def _groups(text: str, start: int) -> Iterator[list[_Atom]]:
    """Atoms that stand beside each other, one of them a figure: “12. April 2025”, “drei Monate”."""
    group: list[_Atom] = []
    for atom in _atoms(text, start):
        if group and not _BETWEEN.fullmatch(text, group[-1].end, atom.start):
            yield group
            group = []
        group.append(atom)
    yield group


def _atoms(text: str, start: int) -> Iterator[_Atom]:
    for found in _ATOM.finditer(text, start):
        told = _told(found[0])
        if told:
            kind, key, is_figure = told
            yield _Atom(kind=kind, key=key, start=found.start(), end=found.end(), is_figure=is_figure)


def _told(word: str) -> tuple[FigureKind, str, bool] | None:
    if word[0].isdigit():
        return FigureKind.NUMBER, _plain(re.sub(rf"{_ORDINAL}$", "", word)), True
    low = word.lower()
    if re.fullmatch(_CHINESE, word):
        return FigureKind.NUMBER, word, word != "一"
    for form in (low, *_without_prefix(low)):
        if form in NUMBERS:
            return FigureKind.NUMBER, str(NUMBERS[form]), True
        if form in RANKS:
            return FigureKind.NUMBER, form, True
        if form in MONTHS:
            return FigureKind.DATE, f"m{MONTHS[form]}", low not in AMBIGUOUS_MONTHS
        if form in SPANS:
            return FigureKind.SPAN, SPANS[form], False
        if form in CURRENCIES:
            return FigureKind.SUM, CURRENCIES[form], form not in _NOT_ALONE
    if german := _GERMAN.fullmatch(low):
        number = german["number"]
        unit = _GERMAN_UNITS.get(german["unit"] or "", "")
        key = str(NUMBERS.get(number, number))
        return FigureKind.SPAN if unit else FigureKind.NUMBER, f"{key} {unit}".strip(), True
    return None


def _without_prefix(word: str) -> list[str]:
    """Arabic writes “and”, “the”, “by” and “for” together with the word behind them."""
    if not "\u0600" <= word[0] <= "\u06ff":
        return []
    return [word.removeprefix(prefix) for prefix in _ARABIC_PREFIXES if word.startswith(prefix)]


def _plain(number: str) -> str:
    """In Latin digits, without separators of thousands, with a point before decimals."""
    digits = "".join(str(int(letter)) if letter.isdigit() else letter for letter in number)
    return _THOUSANDS.sub("", digits).replace(",", ".").replace("٫", ".")

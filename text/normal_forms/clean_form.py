"""Text as all of it is stored and compared: composed (NFC), without characters that nobody can see."""

import re
import sys
import unicodedata
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

# Unicode's default ignorable code points, bidi controls and tags among them, without the joiners.
UNSEEN = (
    0xAD,
    0x34F,
    0x61C,
    0x115F,
    0x1160,
    0x17B4,
    0x17B5,
    *range(0x180B, 0x1810),
    0x200B,
    0x200E,
    0x200F,
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2070),
    0x3164,
    *range(0xFE00, 0xFE10),
    0xFEFF,
    0xFFA0,
    *range(0xFFF0, 0xFFFC),
    *range(0x1BCA0, 0x1BCA4),
    *range(0x1D173, 0x1D17B),
    *range(0xE0000, 0xE1000),
)
_BLANK = "\u2800"  # a pattern of Braille without dots
JOINERS = "\u200c\u200d"
_JOINED = "\u0590-\u1cff\u2190-\U0010ffff"  # scripts, and pictures, in which a joiner says something


def _class_of(codes: tuple[int, ...]) -> str:
    """The inside of a character class of a regular expression."""
    known = set(codes)
    firsts = [code for code in codes if code - 1 not in known]
    lasts = [code for code in codes if code + 1 not in known]
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in zip(firsts, lasts, strict=True))


UNSEEN_CLASS = _class_of(UNSEEN)
_MAYBE_UNSEEN = re.compile(f"[{UNSEEN_CLASS}{JOINERS}]")  # told twice as quickly of a text that has none
_UNSEEN = re.compile(f"[{UNSEEN_CLASS}]+|(?<![{_JOINED}])[{JOINERS}]+|[{JOINERS}]+(?![{_JOINED}{JOINERS}])")

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """spans: for each character of `text` where it stood before; None where every one is in its place."""

    text: str
    spans: list[Span] | None = None

    def before(self, start: int, end: int) -> Span:
        """The span of the text as it was, for one of the clean text."""
        if self.spans is None or not self.spans:
            return start, end
        if start >= end:
            place = self.spans[start][0] if start < len(self.spans) else self.spans[-1][1]
            return place, place
        return self.spans[start][0], self.spans[end - 1][1]


def clean_form(text: str) -> str:
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _without_unseen(text))


def one_line(name: str) -> str:
    """A name that somebody gave, on one line and without what nobody sees."""
    return " ".join(clean_form(name.replace("\0", "")).split())


def cleaned(text: str) -> Cleaned:
    """The clean form, and where each of its characters stood."""
    form = clean_form(text)
    if form == text:
        return Cleaned(text=text)
    letters: list[str] = []
    spans: list[Span] = []
    places = [place for place, gone in enumerate(_unseen_in(text)) if not gone]
    for first, last in _runs("".join(text[place] for place in places)):
        run = unicodedata.normalize("NFC", "".join(text[place] for place in places[first:last]))
        at = [(place, place + 1) for place in places[first:last]]
        # A letter with the marks that became part of it; what stays apart keeps a place of its own.
        own = len(at) - len(run) + 1
        whole = (at[0][0], at[own - 1][1]) if own > 0 else at[0]
        letters += run
        spans += [whole, *at[own:]] if own > 0 else [whole] * len(run)
    return Cleaned(text="".join(letters), spans=spans)


def is_seen(text: str) -> bool:
    """Whether it has a character with ink."""
    return any(letter != _BLANK and unicodedata.category(letter)[0] in "LNPS" for letter in clean_form(text))


def _without_unseen(text: str) -> str:
    """Once more where a joiner stood beside what was dropped."""
    if not _MAYBE_UNSEEN.search(text):
        return text
    shorter = _UNSEEN.sub("", text)
    return shorter if shorter == text else _UNSEEN.sub("", shorter)


def _unseen_in(text: str) -> list[bool]:
    gone = [False] * len(text)
    left = list(range(len(text)))
    for _ in range(2):
        rest = "".join(text[place] for place in left)
        for match in _UNSEEN.finditer(rest):
            for place in left[slice(*match.span())]:
                gone[place] = True
        left = [place for place in left if not gone[place]]
    return gone


def _runs(text: str) -> list[Span]:
    """Parts of the text that compose by themselves: a letter and what may become part of it."""
    joining = _joining()
    starts = [
        place
        for place, letter in enumerate(text)
        if not place or not (unicodedata.combining(letter) or letter in joining)
    ]
    return list(pairwise([*starts, len(text)]))


@cache
def _joining() -> frozenset[str]:
    """Letters that join the one before them although they are no marks: of Korean, and vowels of India."""
    seconds = set()
    for code in range(sys.maxunicode + 1):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            seconds.add(chr(int(parts[1], 16)))
    korean = {*range(0x1161, 0x1176), *range(0x11A8, 0x11C3)}
    return frozenset(seconds | set(map(chr, korean)))

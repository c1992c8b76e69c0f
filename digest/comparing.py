"""Two texts statement by statement: what is the same, changed, added, left out or moved. Pure."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from rapidfuzz.distance import Indel
from rapidfuzz.fuzz import ratio
from rapidfuzz.process import extractOne

from digest.duties import duties
from english.values import COUNT, DATE, DURATION, MONEY, Value, values_in
from text.figures import Figure, FigureKind, figures

ALIKE = 55.0  # of 100: two statements in one place are one that was changed
AHEAD = 12  # statements of the other side among which the most alike is looked for
SHORT = 120  # characters of words that are told as one change
Span = tuple[int, int]
_TOKEN = re.compile(r"\w+(?:[.,’']\w+)*|\s+|[^\w\s]")
_LAW = re.compile(
    r"\blaws?\s+of\s+(?:the\s+)?[A-Z][\w’'-]+(?:\s+(?:and\s+|of\s+(?:the\s+)?)?[A-Z][\w’'-]+)*"
    r"|\b[A-Z][a-z]+(?:ish|an|ch|ese|ss)\s+law\b"
)
_SIGNS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """A sentence on one line. page: its number. offset: in the document's text."""

    text: str
    page: int
    offset: int


class Became(StrEnum):
    SAME = "same"
    CHANGED = "changed"
    ADDED = "added"
    REMOVED = "removed"
    MOVED = "moved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Words that both sides have, or one alone."""

    text: str
    differs: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What became of a statement. Both sides, unless it was added or left out.

    parts: what of each is held against the other, where that is not all of both.
    """

    became: Became
    before: Sentence | None = None
    after: Sentence | None = None
    parts: tuple[Span, Span] | None = None

    @property
    def meaning(self) -> list[tuple[str, str]]:
        """Values, laws and duties that only one side has, as (before, after), either of them empty."""
        if self.became in (Became.SAME, Became.MOVED):
            return []
        one, other = self._texts
        if self.parts is None:
            return _meaning(one, other)
        if self.became == Became.REMOVED:
            return _meaning(one, "")
        old, new = one[slice(*self.parts[0])], other[slice(*self.parts[1])]
        return _meaning(old, new) or ([(old, new)] if len(old) + len(new) <= SHORT and old != new else [])

    @property
    def runs(self) -> tuple[list[Run], list[Run]]:
        """The words of both sides, those marked that the other has not."""
        one, other = self._texts
        if self.became != Became.CHANGED:
            return [Run(text=one)], [Run(text=other)]
        (a, b), (c, d) = self.parts or ((0, len(one)), (0, len(other)))
        old, new = _runs(_TOKEN.findall(one[a:b]), _TOKEN.findall(other[c:d]))
        return _within(one, a, old, b), _within(other, c, new, d)

    @property
    def _texts(self) -> tuple[str, str]:
        return (self.before.text if self.before else "", self.after.text if self.after else "")


def compared(before: Sequence[Sentence], after: Sequence[Sentence]) -> list[Change]:
    """In the order of the newer text, with what was left out where it stood."""
    keys = [[_key(each.text) for each in side] for side in (before, after)]
    changes: list[Change] = []
    removed: list[Sentence] = []
    added: list[Sentence] = []
    for code in Indel.opcodes(*keys):
        if code.tag == "equal":
            changes += _paired(removed, added)
            removed, added = [], []
            both = zip(
                before[code.src_start : code.src_end], after[code.dest_start : code.dest_end], strict=True
            )
            changes += [Change(became=Became.SAME, before=one, after=other) for one, other in both]
        removed += before[code.src_start : code.src_end] if code.tag == "delete" else []
        added += after[code.dest_start : code.dest_end] if code.tag == "insert" else []
    return _with_moves(changes + _paired(removed, added))


def _key(text: str) -> str:
    return " ".join(text.translate(_SIGNS).lower().split())


def _paired(removed: Sequence[Sentence], added: Sequence[Sentence]) -> list[Change]:
    """Statements between two that are the same, each with the most alike of the other side, in order."""
    changes: list[Change] = []
    keys = [_key(each.text) for each in added]
    done = 0
    for one in removed:
        likest = extractOne(_key(one.text), keys[done : done + AHEAD], scorer=ratio, score_cutoff=ALIKE)
        if likest is None:
            changes.append(Change(became=Became.REMOVED, before=one))
            continue
        place = done + likest[2]
        changes += [Change(became=Became.ADDED, after=each) for each in added[done:place]]
        changes.append(Change(became=Became.CHANGED, before=one, after=added[place]))
        done = place + 1
    return changes + [Change(became=Became.ADDED, after=each) for each in added[done:]]


def _with_moves(changes: Sequence[Change]) -> list[Change]:
    """A statement that was left out here and added there has moved."""
    places: dict[str, list[int]] = {}
    for place, change in enumerate(changes):
        if change.became == Became.REMOVED and change.before:
            places.setdefault(_unnumbered(change.before.text), []).append(place)
    result: list[Change | None] = list(changes)
    for place, change in enumerate(changes):
        if change.became != Became.ADDED or change.after is None:
            continue
        left = places.get(_unnumbered(change.after.text))
        if left:
            from_place = left.pop(0)
            result[place] = replace(change, became=Became.MOVED, before=changes[from_place].before)
            result[from_place] = None
    return [change for change in result if change is not None]


def _unnumbered(text: str) -> str:
    """Without the number of its clause, which changes with its place."""
    return re.sub(r"^\W*(?:\d{1,3}(?:\.\d{1,3})*\.?|\([a-z]{1,4}\))\s+", "", _key(text))


def _runs(one: Sequence[str], other: Sequence[str]) -> tuple[list[Run], list[Run]]:
    sides: tuple[list[Run], list[Run]] = ([], [])
    for code in Indel.opcodes(one, other):
        pieces = (one[code.src_start : code.src_end], other[code.dest_start : code.dest_end])
        for side, words in zip(sides, pieces, strict=True):
            if words:
                side.append(Run(text="".join(words), differs=code.tag != "equal"))
    return sides


def _within(text: str, start: int, runs: list[Run], end: int) -> list[Run]:
    """The runs between what stands before and behind them."""
    around = [Run(text=text[:start]), *runs, Run(text=text[end:])]
    return [run for run in around if run.text]


# --- what differs in meaning -----------------------------------------------------------------------------
def _meaning(one: str, other: str) -> list[tuple[str, str]]:
    """Values, laws and duties that only one side has, those of a kind beside each other."""
    found: list[tuple[str, str]] = []
    gone, new = _values(one), _values(other)
    for kind in dict.fromkeys(each.kind for each in (*gone, *new)):
        before, after = ([each for each in side if each.kind == kind] for side in (gone, new))
        if [each.key for each in before] != [each.key for each in after]:
            found.append((_only_in(before, after), _only_in(after, before)))
    for told in (_laws, _duties):
        was, now = told(one), told(other)
        lost = [each for each in was if each not in now]
        gained = [each for each in now if each not in was]
        if lost or gained:
            found.append((", ".join(lost), ", ".join(gained)))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """A value or figure. key: what it is; words: how it is written."""

    kind: str
    key: object
    words: str


def _only_in(one: Sequence[_Told], other: Sequence[_Told]) -> str:
    """The words of what one side has more of; of everything, where they only stand in another order."""
    left = Counter(each.key for each in other)
    more = []
    for each in one:
        if left[each.key]:
            left[each.key] -= 1
        else:
            more.append(each.words)
    is_reordered = Counter(each.key for each in one) == Counter(each.key for each in other)
    return ", ".join([each.words for each in one] if is_reordered else more)


_KINDS = {FigureKind.DATE: DATE, FigureKind.SUM: MONEY, FigureKind.SPAN: DURATION, FigureKind.NUMBER: COUNT}


def _values(text: str) -> list[_Told]:
    """In the order of the text: English values by what they are worth, and the figures of any language.

    A count stands within a figure where English doesn't know what is counted: “30” in “30 Tagen”.
    """
    every = figures(text)
    values = [
        value
        for value in values_in(text)
        if value.kind != COUNT or not any(_is_wider(figure, value) for figure in every)
    ]
    others = [
        figure
        for figure in every
        if not any(value.start < figure.end and figure.start < value.end for value in values)
    ]
    told: list[tuple[int, int, str, object]] = [
        (value.start, value.end, value.kind, (value.number, value.unit, value.year, value.per))
        for value in values
    ]
    told += [(figure.start, figure.end, _KINDS[figure.kind], figure.key) for figure in others]
    return [
        _Told(kind=kind, key=key, words=" ".join(text[start:end].split()))
        for start, end, kind, key in sorted(told, key=lambda each: each[0])
    ]


def _is_wider(figure: Figure, value: Value) -> bool:
    length = value.end - value.start
    return figure.start <= value.start and value.end <= figure.end and figure.end - figure.start > length


def _laws(text: str) -> list[str]:
    """Whose law is named: “law of England and Wales”."""
    return [" ".join(found[0].replace("laws", "law").split()) for found in _LAW.finditer(text)]


def _duties(text: str) -> list[str]:
    return [f"{duty.party} {duty.stance}" for duty in duties(text, 0, len(text), ())]

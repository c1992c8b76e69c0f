"""Which names mean one thing. Pure: a function of the names and of what people decided, of nothing else."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from rapidfuzz.distance import OSA
from rapidfuzz.fuzz import token_sort_ratio

from graph.values.extraction import VALUES
from graph.values.names import ARTICLES, qualifier_of_key
from text.word_lists import words

SURE = 0.93  # at and above: one thing
MAYBE = 0.80  # at and above: a person is asked
OF_DOCUMENT = "document "  # how a sense begins that a person has split off
PERSON = "PERSON"
THINGS = frozenset({"ORGANIZATION", "LOCATION", "PLACE", "EVENT", "WORK", "PRODUCT"})
LONG = 5  # words: two names of so many that are nearly equal are titles of one work, or of two editions
_ROMAN = re.compile(r"(?=[ivxl])(?!li$)(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_SMALL = words("of the and for in at on de la du")

Ref = tuple[str, str]  # key and sense: what a name is remembered by


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """What is known of a name when it is compared."""

    key: str
    sense: str = ""
    types: tuple[str, ...] = ()

    @classmethod
    def of(cls, ref: Ref, types: Iterable[str]) -> Self:
        return cls(key=ref[0], sense=ref[1], types=tuple(types))

    @property
    def ref(self) -> Ref:
        return self.key, self.sense


def family(types: Iterable[str]) -> str:
    """“person”, “thing”, or empty when the types say neither: persons are never things."""
    given = set(types)
    if PERSON in given:
        return "" if given & THINGS else "person"
    return "thing" if given & THINGS else ""


def senses(counts: Mapping[str, int]) -> dict[str, str]:
    """The sense of a key's mentions by their family, given how many mentions each family has.

    One family alone, or none, is the key's only sense. Where persons and things share a key they are two,
    and mentions that say neither go with the larger.
    """
    told = sorted((family for family in counts if family), key=lambda family: (-counts[family], family))
    if len(told) < 2:
        return dict.fromkeys(counts, "")
    return {family: family or told[0] for family in counts}


def blocks(name: Name) -> tuple[frozenset[str], frozenset[str]]:
    """Signatures that look-alikes share: those that sure pairs share, and the wider ones of possible pairs.

    The sure ones are nearly the whole name, so that few names share one however large the graph.
    """
    if VALUES & set(name.types):
        return frozenset(), frozenset()
    base, _ = qualifier_of_key(name.key)
    tokens = base.split()
    sure = {f"s:{_squash(base)}", f"t:{' '.join(sorted(tokens))}"}
    if len(base) >= 10:
        sure.add(f"k:{_skeleton(base)}")
    wide: set[str] = set()
    if 2 <= len(tokens) <= 5:
        wide |= {f"i:{tokens[0][0]} {tokens[-1]}", f"j:{tokens[0]} {tokens[-1][0]}"}
    if 3 <= len(tokens) <= 6:
        wide |= {f"o:{' '.join(sorted(tokens[:i] + tokens[i + 1 :]))}" for i in range(len(tokens))}
    if len(tokens) == 2:
        wide.add(f"o:{' '.join(sorted(tokens))}")
    if len(tokens) >= LONG:
        wide |= {f"p:{' '.join(tokens[:3])}", f"q:{' '.join(tokens[-3:])}"}
    if len(tokens) == 1 and 3 <= len(base) <= 6:
        sure.add(f"a:{base}")  # of the many names with these initials, only this one is compared with all
    elif len(letters := "".join(token[0] for token in tokens if token not in _SMALL)) >= 3:
        wide.add(f"a:{letters}")
    return frozenset(sure), frozenset(wide)


def _squash(base: str) -> str:
    return base.replace(" ", "")


def _skeleton(base: str) -> str:
    """Consonants without doubles: what a slip of spelling mostly leaves alone."""
    out = ""
    for token in base.split():
        out += token[0]
        for letter in token[1:]:
            if letter not in "aeiouy" and letter != out[-1]:
                out += letter
    return out


def score(a: Name, b: Name) -> float:
    """0 to 1: how sure it is that both name one thing. Symmetric."""
    if VALUES & (set(a.types) | set(b.types)) or {family(a.types), family(b.types)} == {"person", "thing"}:
        return 0.0
    if a.key == b.key:
        told = any(name.sense.startswith(OF_DOCUMENT) for name in (a, b))  # a person has said that already
        return 0.85 if a.sense != b.sense and not (a.sense and b.sense) and not told else 0.0
    (base_a, what_a), (base_b, what_b) = qualifier_of_key(a.key), qualifier_of_key(b.key)
    if what_a and what_b and what_a != what_b:
        return 0.0
    if any(_spelt_out(*pair) for pair in ((a.key, b.key), (b.key, a.key))):
        return 0.96
    if base_a == base_b:
        return 0.85  # one of them says which: it may be another
    alike = _alike(base_a, base_b)
    return alike if what_a == what_b else min(alike, 0.85)


def _spelt_out(short: str, long: str) -> bool:
    """“OECD” or “Organisation for Economic …” of “Organisation for Economic … (OECD)”."""
    base, what = qualifier_of_key(long)
    return bool(what) and short in {base, what} and _is_acronym([what], base.split())


def _alike(a: str, b: str) -> float:
    x, y = a.split(), b.split()
    if _numbers(x) != _numbers(y):
        return 0.0
    if _squash(a) == _squash(b):
        return 0.98
    if sorted(x) == sorted(y):  # “6 May 2021” and “May 6, 2021”, but also “Network Rail” and “rail network”
        return 0.97 if _numbers(x) else 0.9
    if [t for t in x if t not in ARTICLES] == [t for t in y if t not in ARTICLES]:
        return 0.95
    if _is_acronym(x, y) or _is_acronym(y, x):
        return 0.82
    if _is_short_form(x, y) or _is_short_form(y, x):
        return 0.86
    return _spelling(a, b, x, y)


def _numbers(tokens: Sequence[str]) -> frozenset[str]:
    return frozenset(
        t for i, t in enumerate(tokens) if any(c.isdigit() for c in t) or (i and _ROMAN.fullmatch(t))
    )


def _is_acronym(short: Sequence[str], long: Sequence[str]) -> bool:
    return len(short) == 1 and len(long) >= 3 and short[0] == "".join(t[0] for t in long if t not in _SMALL)


def is_acronym_pair(a: Name, b: Name) -> bool:
    """Whether one of the names is the initials of the other."""
    x, y = a.key.split(), b.key.split()
    return _is_acronym(x, y) or _is_acronym(y, x)


def shorter(a: Name, b: Name) -> tuple[Name, Name]:
    """The two names, the one of fewer words first."""
    return (a, b) if len(a.key.split()) <= len(b.key.split()) else (b, a)


def nearly_equal(a: Name, b: Name) -> bool:
    """Whether two long names differ but by slips of spelling, or by words that one of them has besides."""
    x, y = (qualifier_of_key(name.key)[0].split() for name in (a, b))
    if min(len(x), len(y)) < LONG:
        return False
    few, many = sorted((x, y), key=len)
    if len(few) == len(many):
        changed = [(s, t) for s, t in zip(few, many, strict=True) if s != t]
        return len(changed) <= 2 and all(_slip(s, t) for s, t in changed)
    rest = iter(many)
    return all(any(_slip(token, other) for other in rest) for token in few)


def _slip(a: str, b: str) -> bool:
    close = min(len(a), len(b)) >= 4 and a[0] == b[0] and OSA.distance(a, b, score_cutoff=2) <= 2
    return a == b or close


def _is_short_form(short: Sequence[str], long: Sequence[str]) -> bool:
    """“J. Smith” of “John Smith”, “George Bush” of “George W. Bush”."""
    if len(short) < 2 or short[-1] != long[-1] or len(short) > len(long):
        return False
    if short[0] == long[0]:
        return len(short) == 2 and 3 <= len(long) <= 4 and all(len(t) <= 2 for t in long[1:-1])
    return len(short) == 2 and len(short[0]) <= 2 and long[0].startswith(short[0][0]) and len(long) <= 3


def _spelling(a: str, b: str, x: Sequence[str], y: Sequence[str]) -> float:
    """A slip in a long name is one thing; in a short one it may be another person."""
    distance = OSA.distance(a, b, score_cutoff=3)
    if distance > 2 or min(len(a), len(b)) < 6 or a[0] != b[0]:
        return min(0.92, token_sort_ratio(a, b) / 100 * 0.9) if len(x) > 2 and len(y) > 2 else 0.0
    changed = [(s, t) for s, t in zip(x, y, strict=False) if s != t]
    if distance == 1 and len(x) == len(y) >= 2 and len(changed) == 1 and len(a) >= 14:
        s, t = changed[0]
        if _skeleton(s) == _skeleton(t) and min(len(s), len(t)) >= 6 and s[-1] == t[-1]:
            return 0.94
    return 0.9 - 0.04 * distance


def cluster(
    names: Iterable[Ref],
    pairs: Mapping[tuple[Ref, Ref], float],
    merged: Iterable[tuple[Ref, Ref]] = (),
    apart: Iterable[tuple[Ref, Ref]] = (),
) -> list[frozenset[Ref]]:
    """The names in groups that mean one thing each, in a fixed order.

    People's merges join first, then sure pairs, the surest first; a join that would bring together what
    people keep apart is left out. Refs of pairs and merges that are not among the names are bridges too.
    """
    group: dict[Ref, frozenset[Ref]] = {ref: frozenset({ref}) for ref in names}
    known = set(group)
    refused = {frozenset(pair) for pair in apart}
    order = [(-2.0, min(pair), max(pair)) for pair in merged]
    order += [(-value, min(pair), max(pair)) for pair, value in pairs.items() if value >= SURE]
    for _, a, b in sorted(order):
        one, two = group.setdefault(a, frozenset({a})), group.setdefault(b, frozenset({b}))
        if one is two or _refuses(one, two, refused):
            continue
        both = one | two
        for ref in both:
            group[ref] = both
    parts = {part & known for part in group.values()}
    return sorted((part for part in parts if part), key=min)


def _refuses(one: frozenset[Ref], two: frozenset[Ref], refused: set[frozenset[Ref]]) -> bool:
    return bool(refused) and any(frozenset((a, b)) in refused for a in one for b in two)

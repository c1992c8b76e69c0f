"""Which English words stand for one another and which are opposites, by WordNet and by a list of our own."""

import re
from collections import defaultdict
from collections.abc import Iterator, Set
from functools import cache, lru_cache
from pathlib import Path

from text import word_lists
from text.stems import KEPT, stem

_DATA = Path(__file__).parent / "data"
_SPELLINGS = [
    (re.compile(british), american)
    for british, american in (
        (r"is(e[sdr]?|ing|ations?)$", r"iz\1"),
        (r"ys(e[sd]?|ing)$", r"yz\1"),
        (r"(?<=\w\w\w)our", "or"),
        (r"tre(?=s?$)", "ter"),
        (r"ll(?=(?:ed|ing|er|ers|or)$)", "l"),
        (r"([ds])?ence(?=s?$)", r"\1ense"),
        (r"programme", "program"),
        (r"logue", "log"),
        (r"^grey", "gray"),
        (r"judgement", "judgment"),
        (r"^cheque", "check"),
    )
]
# Endings that make another word of the same stem: an employer is no employee, the larger is not the large.
_ANOTHER_WORD = ("er", "or", "ee", "ers", "ors", "ees", "est", "ist", "ists")
_LETTERS = re.compile(r"[^\W\d_]+")
NEGATIVE_PREFIXES = ("un", "in", "im", "il", "ir", "non", "dis", "mis")
# Participles that are no past tense: "risen", whose past tense is "rose".
_PARTICIPLES_ALONE = word_lists.words(
    """beaten begun bitten blown borne born broken chosen drawn driven drunk eaten fallen flown forbidden
    forgiven forgotten frozen given gotten grown hidden known mistaken molten overseen proven ridden risen
    seen shaken shown spoken sprung stolen sung sunk sunken swollen sworn taken thrown torn undergone
    undertaken undone withdrawn woken worn woven written wrought"""
)


@cache
def _relations() -> dict[str, dict[str, set[str]]]:
    read: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for line in (_DATA / "wordnet.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            relation, one, other = line.split()
            read[relation][one].add(other)
            if relation in {"synonym", "related", "antonym"}:
                read[relation][other].add(one)
    return read


def _business_words(relation: str) -> Iterator[list[str]]:
    """The words of each line of one relation in the list of our own."""
    for line in (_DATA / "business_words.txt").read_text(encoding="utf-8").splitlines():
        kind, *words = line.split()
        if kind == relation:
            yield words


@cache
def _synonyms() -> dict[str, frozenset[str]]:
    """For each root, the roots of the quote's words that carry a claim's word of that root."""
    carried: dict[str, set[str]] = defaultdict(set)
    for relation in ("synonym", "related"):
        for one, others in _relations()[relation].items():
            carried[root(one)] |= {root(other) for other in others}
    for one, others in _relations()["general"].items():
        for other in others:  # who bought has acquired, but who acquired may have been given
            carried[root(other)].add(root(one))
    for words in _business_words("same"):
        roots = {root(word) for word in words}
        for one in roots:
            carried[one] |= roots
    opposed = _opposites()
    return {one: frozenset(others - opposed.get(one, set()) - {one}) for one, others in carried.items()}


@cache
def _narrower() -> dict[str, frozenset[str]]:
    narrower: dict[str, set[str]] = defaultdict(set)
    for one, others in _relations()["kind"].items():
        for other in others:
            narrower[root(other)].add(root(one))
    return {one: frozenset(others - _opposites().get(one, set()) - {one}) for one, others in narrower.items()}


@cache
def _opposites() -> dict[str, set[str]]:
    pairs: dict[str, set[str]] = defaultdict(set)
    for one, others in _relations()["antonym"].items():
        pairs[root(one)] |= {root(other) for other in others}
    for one, other in (map(root, words) for words in _business_words("opposite")):
        pairs[one].add(other)
        pairs[other].add(one)
    return pairs


@lru_cache(maxsize=KEPT)
def root(word: str) -> str:
    """The stem by which words are compared: "rose" and "rising" are one, "employer" and "employee" two."""
    word = american(word.lower().removesuffix("'s"))
    base = american(next(iter(_relations()["irregular"].get(word, ())), word))
    short = stem(base)
    ending = base[len(short) :] if base.startswith(short) else ""
    return f"{short}-{ending.removesuffix('s')}" if ending in _ANOTHER_WORD else short


def roots(text: str, *, shortest: int = 1) -> set[str]:
    """Of its words with a meaning that have at least so many letters, whatever their form."""
    found = (word for word in _LETTERS.findall(text.lower()) if len(word) >= shortest)
    return {root(word) for word in found if word not in word_lists.FUNCTION_WORDS}


@cache
def irregular_forms() -> frozenset[str]:
    """The forms that may begin otherwise than their base: "went", "built"."""
    return frozenset(_relations()["irregular"])


def bases_of_irregular(word: str) -> frozenset[str]:
    """ "build" of "built"; empty for a form that follows the rules."""
    return frozenset(_relations()["irregular"].get(word, ()))


def is_common(word: str) -> bool:
    """Whether the word is in WordNet's selection, as names are not."""
    low = word.lower()
    return any(base in words for words in _relations().values() for base in _bases(low))


def verb_reading(word: str) -> str:
    """How often texts have the word, in any of its forms, as a verb: "mostly", "seldom" or never, ""."""
    readings = [reading for base in _bases(word.lower()) for reading in _relations()["verb"].get(base, ())]
    return "mostly" if "mostly" in readings else "seldom" if readings else ""


def is_past_form(word: str) -> bool:
    """Whether the word is written as a past tense or participle: "rose", "covered"."""
    low = word.lower()
    if low.endswith(("ed", "s")):
        return low.endswith("ed") and bool(verb_reading(low))
    return any(base in _relations()["verb"] for base in _relations()["irregular"].get(low, ()))


def base_of_past(word: str) -> str:
    """ "found" of "founded", "rise" of "rose"; empty for any other form, also for "risen"."""
    low = word.lower()
    if low in _PARTICIPLES_ALONE or not is_past_form(low):
        return ""
    verbs = _relations()["verb"]
    irregular = [base for base in _relations()["irregular"].get(low, ()) if base in verbs]
    if irregular or not low.endswith("ed"):
        return next(iter(irregular), "")
    short = low.removesuffix("ed")
    others = [short[:-1]] if len(short) > 2 and short[-1] == short[-2] else []
    others += [f"{short[:-1]}y"] if short.endswith("i") else []
    return next((base for base in (f"{short}e", *others, short) if base in verbs), "")


@lru_cache(maxsize=KEPT)
def _bases(word: str) -> tuple[str, ...]:
    """Words of which this may be a form: "covering" of "cover" or "covere"."""
    bases = [word, *_relations()["irregular"].get(word, ())]
    for ending in ("s", "es", "d", "ed", "ing"):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            short = word.removesuffix(ending)
            bases += [short, f"{short}e", *([short[:-1]] if short[-1] == short[-2] else [])]
            bases += [f"{short[:-1]}y"] if short.endswith("i") else []
    return tuple(bases)


def carriers(one: str) -> frozenset[str]:
    """Roots that say what a claim's word of this root says."""
    return _synonyms().get(one, frozenset())


def kinds_of(one: str) -> frozenset[str]:
    """Roots of nouns that name a kind of what this root names: dogs are kinds of animals."""
    return _narrower().get(one, frozenset())


def opposites_of(one: str) -> Set[str]:
    """Roots of the words that are its opposites in the plain sense."""
    return _opposites().get(one, set())


def are_opposites(one: str, other: str) -> bool:
    """Whether two roots, or near synonyms of them, are opposites."""
    if one == other:
        return False
    opposed, near = _opposites(), {other, *carriers(other)}
    return any(near & opposed.get(word, set()) for word in (one, *carriers(one)))


@lru_cache(maxsize=KEPT)
def american(word: str) -> str:
    """The American spelling, so that "labour" and "labor" are one."""
    for british, american in _SPELLINGS:
        word = british.sub(american, word)
    return word


def _is_able(prefix: str, rest: str) -> bool:
    """Whether the rest says what can be done, so that the prefix denies it: "unsustainable"."""
    base = rest.removesuffix("able").removesuffix("ible")
    return prefix in ("un", "non") and base != rest and bool(verb_reading(base) or verb_reading(f"{base}e"))


@lru_cache(maxsize=KEPT)
def without_negative_prefix(word: str) -> str:
    """ "able" of "unable"; empty when the word is not the negative of the rest."""
    for prefix in NEGATIVE_PREFIXES:
        rest = word.removeprefix(prefix).lstrip("-")
        if (
            rest != word
            and len(rest) > 2
            and (rest == "able" or root(rest) in _opposites().get(root(word), ()) or _is_able(prefix, rest))
        ):
            return rest
    return ""

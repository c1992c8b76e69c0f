"""Whether names that look alike are one thing, by what the documents say of them and a model makes of it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import combinations

from graph.models import Verdict
from graph.resolution.context import DATED, Context, content_words, differ, overlap
from graph.resolution.questions import questions
from graph.resolution.resolve import MAYBE, SURE, Name, Ref, is_acronym_pair, nearly_equal, score, shorter
from graph.sql import query
from graph.values.names import key

JUDGED = 0.96  # what a model is sure of
AGREED = 0.95  # what the documents confirm
CONTESTED = 0.9  # initials that the documents use of several things
ALIKE = 0.5  # share of the words of the smaller side that are said of both titles
WORDS = 3  # that are said of both at least
INITIALS = 12  # characters that initials have at most
READ = 6  # passages read about a title

SCORES = {Verdict.SAME.value: JUDGED, Verdict.DIFFERENT.value: 0.0}

Pair = tuple[Ref, Ref]


def is_open(value: float) -> bool:
    """Whether the names can't tell."""
    return MAYBE <= value < SURE


def score_in_context(
    datasource_id: int, names: Mapping[int, Name], pairs: Mapping[Pair, float]
) -> dict[Pair, float]:
    """The scores of these pairs, raised or lowered by what is said where names alone can't tell.

    Initials are sure where one passage has them and the name in full; titles that are nearly equal or of one
    year, where the same is said of both. What differs by kind or year is no pair. A model's verdict about
    just what is said now goes before all this. A function of the two names, of all their live mentions and
    of the verdicts.
    """
    ids = {name.ref: pk for pk, name in names.items()}
    open_ = {(a, b): (ids[a], ids[b]) for (a, b), value in pairs.items() if is_open(value)}
    if not open_:
        return dict(pairs)
    known = _contexts(names, open_.values())
    scored = dict(pairs)
    for pair, (a, b) in open_.items():
        if names[a].key == names[b].key:
            continue  # their contexts have told these senses apart
        if differ(known[a].traits, known[b].traits):
            scored[pair] = 0.0
        elif _agree(names[a], names[b], known[a], known[b]):
            scored[pair] = AGREED
    return scored | _judged(datasource_id, open_)


def _judged(datasource_id: int, open_: Mapping[Pair, tuple[int, int]]) -> dict[Pair, float]:
    """The scores of the pairs about which a model has decided, given just what is said of them now."""
    keys = sorted({key for pair in open_ for key, _ in pair})
    verdicts: dict[Pair, dict[str, str]] = defaultdict(dict)
    for *refs, content, verdict in query("verdicts_between", datasource=datasource_id, keys=keys):
        a, sense, b, other_sense = refs
        verdicts[(a, sense), (b, other_sense)][content] = verdict
    asked = questions(ids for pair, ids in open_.items() if pair in verdicts)
    valid = {(q.a, q.b): verdicts[q.a, q.b].get(q.content) for q in asked}
    return {pair: SCORES[verdict] for pair, verdict in valid.items() if verdict in SCORES}


def _agree(a: Name, b: Name, one: Context, other: Context) -> bool:
    if is_acronym_pair(a, b):
        return bool(one.chunks & other.chunks) or a.key in other.short or b.key in one.short
    if not _may_be_one_title(a, b, one.traits & other.traits) or one.chunks & other.chunks:
        return False  # a passage that has both means two
    shared, share = overlap(one, other, (a.key, b.key))
    return shared >= WORDS and share >= ALIKE


def _may_be_one_title(a: Name, b: Name, both: Collection[str]) -> bool:
    return nearly_equal(a, b) or any(trait.startswith(DATED) for trait in both)


def contest(names: Iterable[Name], pairs: Mapping[Pair, float]) -> dict[Pair, float]:
    """The scores, lower for initials that several names seem to be in full, unless a model knows of which."""
    by_ref = {name.ref: name for name in names}
    in_full: dict[Ref, dict[Ref, float]] = defaultdict(dict)
    for (a, b), value in pairs.items():
        if value in (AGREED, JUDGED) and is_acronym_pair(by_ref[a], by_ref[b]):
            short, long = shorter(by_ref[a], by_ref[b])
            in_full[short.ref][long.ref] = value
    lowered: dict[Pair, float] = {}
    for short_ref, longs in in_full.items():
        judged = [long_ref for long_ref, value in longs.items() if value == JUDGED]
        two = any(score(by_ref[a], by_ref[b]) < MAYBE for a, b in combinations(sorted(longs), 2))
        kept = judged if len(judged) == 1 else []
        lowered |= {
            (min(short_ref, long_ref), max(short_ref, long_ref)): CONTESTED
            for long_ref in longs
            if two and long_ref not in kept
        }
    return {**pairs, **lowered}


# --- contexts --------------------------------------------------------------------------------------------
def _contexts(names: Mapping[int, Name], open_: Collection[tuple[int, int]]) -> dict[int, Context]:
    """What the decision about these pairs needs to know of each name, and no more."""
    traits: dict[int, set[str]] = defaultdict(set)
    for pk, own in query("traits_of_names", names=sorted({pk for pair in open_ for pk in pair})):
        traits[pk].update(own)
    initials = {pk for a, b in open_ if is_acronym_pair(names[a], names[b]) for pk in (a, b)}
    titles = {
        pk for a, b in open_ if _may_be_one_title(names[a], names[b], traits[a] & traits[b]) for pk in (a, b)
    }
    chunks: dict[int, set[int]] = defaultdict(set)
    for pk, chunk in query("chunks_of_names", names=sorted(initials | titles)):
        chunks[pk].add(chunk)
    words, short = _words(titles), _short(initials)
    return {
        pk: Context(
            chunks=frozenset(chunks[pk]),
            short=frozenset(short.get(pk, ())),
            traits=frozenset(traits[pk]),
            words=frozenset(words.get(pk, ())),
        )
        for pair in open_
        for pk in pair
    }


def _short(ids: Collection[int]) -> dict[int, set[str]]:
    """The keys of the initials that passages write for each of these names."""
    keys: dict[int, set[str]] = defaultdict(set)
    for pk, words in query("short_words_of_names", names=sorted(ids), longest=INITIALS):
        keys[pk].add(key(words))
    return keys


def _words(ids: Collection[int]) -> dict[int, set[str]]:
    """The words of the first passages about each name, those that define it first."""
    words: dict[int, set[str]] = defaultdict(set)
    for pk, text in query("first_texts_of_names", names=sorted(ids), first=READ):
        words[pk] |= content_words(text)
    return words

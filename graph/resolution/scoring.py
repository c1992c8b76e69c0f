"""Whether names that look alike are one thing, by what the documents say of them and a model makes of it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import combinations

from graph.models import Verdict
from graph.resolution.context import DATED, Context, content_words, differ, overlap
from graph.resolution.questions import questions
from graph.resolution.resolve import MAYBE, SURE, Name, Ref, is_acronym_pair, nearly_equal, score, shorter
from graph.values import names as naming
from sql import rows

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


def weigh(datasource_id: int, names: Mapping[int, Name], pairs: Mapping[Pair, float]) -> dict[Pair, float]:
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
    weighed = dict(pairs)
    for pair, (a, b) in open_.items():
        if names[a].key == names[b].key:
            continue  # their contexts have told these senses apart
        if differ(known[a].traits, known[b].traits):
            weighed[pair] = 0.0
        elif _agree(names[a], names[b], known[a], known[b]):
            weighed[pair] = AGREED
    return weighed | _judged(datasource_id, open_)


def _judged(datasource_id: int, open_: Mapping[Pair, tuple[int, int]]) -> dict[Pair, float]:
    """The scores of the pairs about which a model has decided, given just what is said of them now."""
    keys = sorted({key for pair in open_ for key, _ in pair})
    verdicts: dict[Pair, dict[str, str]] = defaultdict(dict)
    for key, sense, other_key, other_sense, content, verdict in rows(
        "SELECT key, sense, other_key, other_sense, content, verdict FROM graph_pairverdict"
        " WHERE datasource_id = %s AND key = ANY(%s) AND other_key = ANY(%s) ORDER BY id",
        datasource_id, keys, keys,
    ):  # fmt: skip
        verdicts[(key, sense), (other_key, other_sense)][content] = verdict
    asked = questions(ids for pair, ids in open_.items() if pair in verdicts)
    found = {(one.a, one.b): verdicts[one.a, one.b].get(one.content) for one in asked}
    return {pair: SCORES[verdict] for pair, verdict in found.items() if verdict in SCORES}


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
    for pk, own in rows(
        "SELECT named_id, traits FROM graph_entitymention"
        " WHERE named_id = ANY(%s) AND live AND traits <> '{}'",
        sorted({pk for pair in open_ for pk in pair}),
    ):
        traits[pk].update(own)
    initials = {pk for a, b in open_ if is_acronym_pair(names[a], names[b]) for pk in (a, b)}
    titles = {
        pk for a, b in open_ if _may_be_one_title(names[a], names[b], traits[a] & traits[b]) for pk in (a, b)
    }
    chunks: dict[int, set[int]] = defaultdict(set)
    for pk, chunk in rows(
        "SELECT DISTINCT named_id, chunk_id FROM graph_entitymention WHERE named_id = ANY(%s) AND live",
        sorted(initials | titles),
    ):
        chunks[pk].add(chunk)
    words, short = _words(titles), _short(initials)
    return {
        pk: Context(
            chunks=frozenset(chunks[pk]), short=frozenset(short.get(pk, ())),
            traits=frozenset(traits[pk]), words=frozenset(words.get(pk, ())),
        )
        for pair in open_
        for pk in pair
    }  # fmt: skip


def _short(ids: Collection[int]) -> dict[int, set[str]]:
    """The keys of the initials that passages write for each of these names."""
    found: dict[int, set[str]] = defaultdict(set)
    for pk, words in rows(
        'SELECT DISTINCT m.named_id, substr(c.text, m.start + 1, m."end" - m.start)'
        " FROM graph_entitymention m JOIN ingestion_chunk c ON c.id = m.chunk_id"
        ' WHERE m.named_id = ANY(%s) AND m.live AND m."end" - m.start <= %s',
        sorted(ids), INITIALS,
    ):  # fmt: skip
        found[pk].add(naming.key(words))
    return found


def _words(ids: Collection[int]) -> dict[int, set[str]]:
    """The words of the first passages about each name, those that define it first."""
    found: dict[int, set[str]] = defaultdict(set)
    for pk, text in rows(
        "SELECT named_id, CASE WHEN description <> '' THEN description WHEN defines THEN text"
        "  ELSE substr(text, said_start + 1, said_end - said_start) END FROM ("
        " SELECT m.*, c.text, row_number() OVER (PARTITION BY m.named_id"
        "  ORDER BY m.defines DESC, d.sha256, m.position, m.extractor, m.description) AS place"
        " FROM graph_entitymention m JOIN ingestion_chunk c ON c.id = m.chunk_id"
        " JOIN datasources_document d ON d.id = m.document_id"
        " WHERE m.named_id = ANY(%s) AND m.live) said WHERE place <= %s",
        sorted(ids), READ,
    ):  # fmt: skip
        found[pk] |= content_words(text)
    return found

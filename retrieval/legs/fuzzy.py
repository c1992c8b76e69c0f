"""Finding chunks by their words, small misspellings allowed.

The index of words gives the candidates; only those are read and compared letter by letter.
"""

from collections import Counter
from collections.abc import Sequence

from ingestion.indexes.search_index import hashed, in_language
from retrieval.evidence import Evidence, evidence_of
from retrieval.legs import spelt_alike
from retrieval.query import LIMIT, MAX_LIMIT, Scope
from retrieval.sql import query
from text.languages import KNOWN
from text.search import fuzzy_match
from text.search.fuzzy_match import MISSING
from text.search.search_terms import terms

READ_AT_ONCE = 400  # candidates
READ_AT_MOST = 4000
LONGEST = 500  # characters of what is sought

Groups = list[set[int]]  # for each word, the terms that it may be


def search(scope: Scope, words: str, limit: int = LIMIT) -> list[Evidence]:
    """The chunks that have the words, small misspellings allowed; a score of 1 means the same words.

    Of chunks that are equally near, one of each document comes before a second of any.
    """
    limit = min(limit, MAX_LIMIT)
    words = words[:LONGEST]
    surfaces = terms(words, None)
    if not surfaces:
        return []
    groups, counts = _as_written(scope.datasource_id, words, surfaces)
    matches = _matches(scope, words, groups, counts, 0, limit)
    if sum(score == 100 for score, *_ in matches.values()) < limit:
        near = spelt_alike.alike(
            scope.datasource_id, surfaces, begun=surfaces[-1], ended=surfaces[0] if len(surfaces) > 1 else ""
        )
        wider = [group | more for group, more in zip(groups, near, strict=True)]
        if any(near) or len(surfaces) >= MISSING:
            counts |= _counted(scope.datasource_id, {term for more in near for term in more})
            matches |= _matches(scope, words, wider, counts, len(surfaces) // MISSING, limit)
    return _evidence(scope, matches, limit)


def _as_written(datasource: int, words: str, surfaces: Sequence[str]) -> tuple[Groups, Counter[int]]:
    """The terms of each word in the languages of the documents, and in how many chunks each is."""
    stems = {code: [hashed(datasource, term) for term in terms(words, code)] for code in ("", *KNOWN)}
    languages = {code: hashed(datasource, in_language(code)) for code in stems}
    counts = _counted(datasource, {*languages.values(), *(t for some in stems.values() for t in some)})
    written = [code for code, term in languages.items() if counts[term]]
    groups = [{stems[code][i] for code in written if counts[stems[code][i]]} for i in range(len(surfaces))]
    return groups, counts


def _counted(datasource: int, hashes: set[int]) -> Counter[int]:
    return Counter(dict(query("term_counts", datasource=datasource, terms=list(hashes))))


Match = tuple[float, int, int, int]  # score up to 100, document, and the span in the text


def _matches(
    scope: Scope, words: str, groups: Groups, counts: Counter[int], missing: int, limit: int
) -> dict[int, Match]:
    """By chunk, what has at least all but so many of the words where they are sought."""
    if sum(not group for group in groups) > missing:
        return {}
    there = sorted((group for group in groups if group), key=lambda group: sum(counts[t] for t in group))
    fewest = set[int]().union(*there[: missing + 1 - (len(groups) - len(there))])
    width = max(map(len, there))
    parameters = {
        **scope.parameters(),
        "fewest": list(fewest),
        # Rectangular, as arrays of Postgres are: a group's first term stands for those it has not.
        "groups": [[*group, *([next(iter(group))] * (width - len(group)))] for group in there],
        "least": len(groups) - missing,
        "limit": READ_AT_ONCE,
    }
    found: dict[int, Match] = {}
    for offset in range(0, READ_AT_MOST, READ_AT_ONCE):
        rows = query("chunks_having", **parameters, offset=offset)
        texts = [text for _, _, text in rows]
        for match in fuzzy_match.search(words, texts, limit=len(texts)):
            pk, document, _ = rows[match.index]
            found[pk] = match.score, document, match.start, match.end
        if len(rows) < READ_AT_ONCE or sum(score == 100 for score, *_ in found.values()) >= limit:
            break
    return found


def _evidence(scope: Scope, matches: dict[int, Match], limit: int) -> list[Evidence]:
    seen: Counter[tuple[float, int]] = Counter()
    turns = {}
    for pk in sorted(matches):
        score, document, *_ = matches[pk]
        turns[pk] = seen[score, document]
        seen[score, document] += 1
    order = sorted(matches, key=lambda pk: (-matches[pk][0], turns[pk], pk))[:limit]
    chunks = scope.chunks().select_related("document").in_bulk(order)
    return [
        evidence_of(chunks[pk], matches[pk][0] / 100, (matches[pk][2], matches[pk][3]))
        for pk in order
        if pk in chunks
    ]

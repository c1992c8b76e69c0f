"""Homonyms: which mentions of one key mean another thing than the others.

Persons are parted from things, works and persons by their years, and kinds that exclude each other; people
part what else there is. Within a document a name has one sense.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from graph.models import Decision, DecisionKind
from graph.resolution.context import Document, content_words, groups, nearest
from graph.resolution.resolve import OF_DOCUMENT, senses
from sql import rows

LONGEST = 40  # characters of a sense
MANY = 500  # documents that don't tell: of more, all go with the commonest sense

Sensed = tuple[str, str]  # key, and sense by family


class Alike(NamedTuple):
    """Live mentions of a key that are written alike, of one family and so far of one sense."""

    key: str
    family: str
    sense: str
    name: str
    types: Sequence[str]
    times: int
    told: bool  # some have traits
    nameless: bool  # some are of no name yet


def alike(datasource_id: int, keys: Sequence[str]) -> list[Alike]:
    """All live mentions of these keys, counted."""
    return [
        Alike(*found)
        for found in rows(
            "SELECT key, family, sense, name, types, count(*), bool_or(traits <> '{}'),"
            " bool_or(named_id IS NULL) FROM graph_entitymention"
            " WHERE datasource_id = %s AND live AND key = ANY(%s) GROUP BY key, family, sense, name, types",
            datasource_id, list(keys),
        )
    ]  # fmt: skip


def set_senses(datasource_id: int, keys: Sequence[str], mentions: Iterable[Alike]) -> bool:
    """Give each mention of these keys its sense; a function of all live mentions of the key.

    Says whether one has another sense now.
    """
    mentions = list(mentions)
    by_family = _by_family(mentions)
    parted = _parted(datasource_id, {one.key for one in mentions if one.told}, by_family)
    wrong = {
        (one.key, one.family): by_family[one.key, one.family]
        for one in mentions
        if one.sense != by_family[one.key, one.family]
        and (one.key, by_family[one.key, one.family]) not in parted
    }
    changed = wrong and rows(
        "UPDATE graph_entitymention m SET sense = t.sense"
        " FROM unnest(%s::text[], %s::text[], %s::text[]) AS t(key, family, sense)"
        " WHERE m.datasource_id = %s AND m.live AND m.key = t.key AND m.family = t.family AND m.sense <>"
        " t.sense RETURNING 1",
        [key for key, _ in wrong], [family for _, family in wrong], list(wrong.values()), datasource_id,
    )  # fmt: skip
    labelled = _write_parted(datasource_id, by_family, parted)
    split = _write_split(datasource_id, keys)
    return bool(changed) or labelled or split


def document_sense(document_id: int | None) -> str:
    """The sense of mentions that people have split off in a document."""
    return f"{OF_DOCUMENT}{document_id}"


def _by_family(mentions: Iterable[Alike]) -> dict[tuple[str, str], str]:
    """The sense of each key and family: persons apart from things."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for one in mentions:
        counts[one.key][one.family] += one.times
    return {(key, family): sense for key, told in counts.items() for family, sense in senses(told).items()}


def _parted(
    datasource_id: int, keys: Collection[str], by_family: Mapping[tuple[str, str], str]
) -> dict[Sensed, dict[int, str]]:
    """For each key whose documents speak of several things, the label of each document's."""
    if not keys:
        return {}
    told = rows(
        "SELECT m.key, m.family, d.sha256, d.id, m.traits FROM graph_entitymention m"
        " JOIN datasources_document d ON d.id = m.document_id"
        " WHERE m.datasource_id = %s AND m.live AND m.key = ANY(%s) AND m.traits <> '{}'",
        datasource_id, sorted(keys),
    )  # fmt: skip
    found: dict[Sensed, dict[Document, set[str]]] = defaultdict(lambda: defaultdict(set))
    for key, family, sha256, pk, own in told:
        found[key, by_family[key, family]][sha256, pk].update(own)
    parted = {}
    for of, documents in found.items():
        grouped = groups(documents) if len(documents) > 1 else {}
        if len(grouped) > 1:
            families = [family for (key, family), sense in by_family.items() if (key, sense) == of]
            parted[of] = _labels(datasource_id, of[0], families, grouped)
    return parted


def _labels(
    datasource_id: int, key: str, families: Sequence[str], grouped: Mapping[str, frozenset[Document]]
) -> dict[int, str]:
    """The label of every document that has the key; empty for what most of them speak of.

    Documents that don't tell go by the words around the name, and with the most where that is unclear.
    """
    labels = {pk: label for label, documents in grouped.items() for _, pk in documents}
    silent = [
        pk for (pk,) in rows(
            "SELECT DISTINCT document_id FROM graph_entitymention WHERE datasource_id = %s AND live"
            " AND key = %s AND family = ANY(%s) AND NOT document_id = ANY(%s)",
            datasource_id, key, list(families), list(labels),
        )
    ]  # fmt: skip
    unclear = dict.fromkeys(silent, "")
    if silent and len(silent) <= MANY:
        around = _words_around(datasource_id, key, [*labels, *silent])
        of_sense = {
            label: set().union(*(around[pk] for _, pk in documents)) for label, documents in grouped.items()
        }
        near = {pk: nearest(around[pk], of_sense) for pk in silent}
        labels |= {pk: label for pk, label in near.items() if label is not None}
    counts = Counter(labels.values())
    commonest = min(counts, key=lambda label: (-counts[label], label))
    return unclear | {pk: "" if label == commonest else label for pk, label in labels.items()}


def _words_around(datasource_id: int, key: str, documents: Sequence[int]) -> dict[int, set[str]]:
    found: dict[int, set[str]] = defaultdict(set)
    for pk, text in rows(
        "SELECT DISTINCT m.document_id, c.text FROM graph_entitymention m"
        " JOIN ingestion_chunk c ON c.id = m.chunk_id"
        " WHERE m.datasource_id = %s AND m.live AND m.key = %s AND m.document_id = ANY(%s)",
        datasource_id, key, list(documents),
    ):  # fmt: skip
        found[pk] |= content_words(text).difference(key.split())
    return found


def _write_parted(
    datasource_id: int,
    by_family: Mapping[tuple[str, str], str],
    parted: Mapping[Sensed, Mapping[int, str]],
) -> bool:
    written = [
        (key, family, document, f"{sense} {label}".strip()[:LONGEST])
        for (key, family), sense in by_family.items()
        for document, label in parted.get((key, sense), {}).items()
    ]
    changed = written and rows(
        "UPDATE graph_entitymention m SET sense = t.sense"
        " FROM unnest(%s::text[], %s::text[], %s::bigint[], %s::text[]) AS t(key, family, document, sense)"
        " WHERE m.datasource_id = %s AND m.live AND m.key = t.key AND m.family = t.family"
        " AND m.document_id = t.document AND m.sense <> t.sense RETURNING 1",
        *([t[i] for t in written] for i in range(4)), datasource_id,
    )  # fmt: skip
    return bool(changed)


def _write_split(datasource_id: int, keys: Sequence[str]) -> bool:
    """What people have split off wins."""
    split = {
        (d.key, d.document_id)
        for d in Decision.objects.about(datasource_id, keys)
        if d.kind == DecisionKind.SPLIT and d.document_id
    }
    changed = [
        rows(
            "UPDATE graph_entitymention SET sense = %s WHERE datasource_id = %s AND live AND key = %s"
            " AND document_id = %s AND sense <> %s RETURNING 1",
            document_sense(document), datasource_id, key, document, document_sense(document),
        )
        for key, document in sorted(split)
    ]  # fmt: skip
    return any(changed)

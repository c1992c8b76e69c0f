"""Homonyms: which mentions of one key mean another thing than the others.

Persons are parted from things, works and persons by their years, and kinds that exclude each other; people
part what else there is. Within a document a name has one sense.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence

from graph.models import Decision, DecisionKind
from graph.resolution.context import Document, content_words, groups, nearest
from graph.resolution.frequent_names import Tally
from graph.resolution.resolve import OF_DOCUMENT, senses
from graph.sql import query

LONGEST = 40  # characters of a sense
MANY = 500  # documents that don't tell: of more, all go with the commonest sense

Sensed = tuple[str, str]  # key, and sense by family


def set_senses(datasource_id: int, keys: Sequence[str], tally: Tally) -> set[str]:
    """Give each mention of these keys its sense; a function of all live mentions of the key, as counted.

    Returns the keys of mentions that have another sense now.
    """
    by_family = _by_family(tally)
    parted = _parted(datasource_id, {each.key for each, told in tally.told.items() if told}, by_family)
    wrong = {
        (each.key, each.family): sense
        for each in tally.times
        for sense in [by_family[each.key, each.family]]
        if each.sense != sense and (each.key, sense) not in parted
    }
    changed = wrong and query(
        "set_senses_by_family",
        datasource=datasource_id,
        keys=[key for key, _ in wrong],
        families=[family for _, family in wrong],
        senses=list(wrong.values()),
    )
    labelled = _write_parted(datasource_id, by_family, parted)
    split = _write_split(datasource_id, keys)
    return {key for (key,) in changed or ()} | labelled | split


def document_sense(document_id: int | None) -> str:
    """The sense of mentions that people have split off in a document."""
    return f"{OF_DOCUMENT}{document_id}"


def _by_family(tally: Tally) -> dict[tuple[str, str], str]:
    """The sense of each key and family: persons apart from things."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for each, times in tally.times.items():
        counts[each.key][each.family] += times
    return {(key, family): sense for key, told in counts.items() for family, sense in senses(told).items()}


def _parted(
    datasource_id: int, keys: Collection[str], by_family: Mapping[tuple[str, str], str]
) -> dict[Sensed, dict[int, str]]:
    """For each key whose documents speak of several things, the label of each document's."""
    if not keys:
        return {}
    traits: dict[Sensed, dict[Document, set[str]]] = defaultdict(lambda: defaultdict(set))
    for key, family, sha256, pk, own in query(
        "traits_by_document", datasource=datasource_id, keys=sorted(keys)
    ):
        traits[key, by_family[key, family]][sha256, pk].update(own)
    parted = {}
    for (key, sense), documents in traits.items():
        clusters = groups(documents) if len(documents) > 1 else {}
        if len(clusters) > 1:
            families = [family for (k, family), s in by_family.items() if (k, s) == (key, sense)]
            parted[key, sense] = _labels(datasource_id, key, families, clusters)
    return parted


def _labels(
    datasource_id: int, key: str, families: Sequence[str], clusters: Mapping[str, frozenset[Document]]
) -> dict[int, str]:
    """The label of every document that has the key; empty for what most of them speak of.

    Documents that don't tell go by the words around the name, and with the most where that is unclear.
    """
    labels = {pk: label for label, documents in clusters.items() for _, pk in documents}
    silent = [
        pk
        for (pk,) in query(
            "documents_without_label",
            datasource=datasource_id,
            key=key,
            families=list(families),
            labelled=list(labels),
        )
    ]
    unclear = dict.fromkeys(silent, "")
    if silent and len(silent) <= MANY:
        around = _words_around(datasource_id, key, [*labels, *silent])
        of_sense = {
            label: set().union(*(around[pk] for _, pk in documents)) for label, documents in clusters.items()
        }
        near = {pk: nearest(around[pk], of_sense) for pk in silent}
        labels |= {pk: label for pk, label in near.items() if label is not None}
    counts = Counter(labels.values())
    commonest = min(counts, key=lambda label: (-counts[label], label))
    return unclear | {pk: "" if label == commonest else label for pk, label in labels.items()}


def _words_around(datasource_id: int, key: str, documents: Sequence[int]) -> dict[int, set[str]]:
    words: dict[int, set[str]] = defaultdict(set)
    for pk, text in query("chunks_around_key", datasource=datasource_id, key=key, documents=list(documents)):
        words[pk] |= content_words(text).difference(key.split())
    return words


def _write_parted(
    datasource_id: int,
    by_family: Mapping[tuple[str, str], str],
    parted: Mapping[Sensed, Mapping[int, str]],
) -> set[str]:
    written = [
        (key, family, document, f"{sense} {label}".strip()[:LONGEST])
        for (key, family), sense in by_family.items()
        for document, label in parted.get((key, sense), {}).items()
    ]
    if not written:
        return set()
    keys, families, documents, labels = ([row[i] for row in written] for i in range(4))
    changed = query(
        "set_senses_by_document",
        datasource=datasource_id,
        keys=keys,
        families=families,
        documents=documents,
        senses=labels,
    )
    return {key for (key,) in changed}


def _write_split(datasource_id: int, keys: Sequence[str]) -> set[str]:
    """What people have split off wins."""
    split = {
        (d.key, d.document_id)
        for d in Decision.objects.about(datasource_id, keys)
        if d.kind == DecisionKind.SPLIT and d.document_id
    }
    return {
        key
        for key, document in sorted(split)
        if query(
            "split_sense",
            datasource=datasource_id,
            key=key,
            document=document,
            sense=document_sense(document),
        )
    }

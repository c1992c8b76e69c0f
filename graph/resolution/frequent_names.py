"""How often and in which ways names are written. Of frequent ones this is kept with the name, and a change
adds what its own documents say: counting all mentions again would take longer the larger the graph is.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from graph.resolution.resolve import Ref
from graph.sql import query
from sql import rows

FREQUENT = 30  # mentions of a key, or of an entity: of fewer, all are read at each change


class Written(NamedTuple):
    """Live mentions of a key that are written alike, of one family and so far of one sense."""

    key: str
    family: str
    sense: str
    name: str
    types: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class Tally:
    """Live mentions. `times` counts all, `told` those with traits; `places` counts a position in a document
    once for each name, as overlapping chunks repeat a mention.
    """

    times: Counter[Written] = field(default_factory=Counter)
    told: Counter[Written] = field(default_factory=Counter)
    places: Counter[Ref] = field(default_factory=Counter)

    @classmethod
    def of_keys(cls, datasource_id: int, keys: Sequence[str]) -> Self:
        where = {"datasource": datasource_id, "keys": list(keys)}
        return cls._of(query("mentions_written_alike", **where), query("places_of_names", **where))

    @classmethod
    def in_documents(cls, documents: Sequence[int], keys: Collection[str] | None = None) -> Self:
        """Of all keys, unless some are given."""
        where = {"documents": list(documents), "keys": None if keys is None else sorted(keys)}
        return cls._of(
            query("mentions_written_alike_in_documents", **where), query("places_in_documents", **where)
        )

    @classmethod
    def _of(cls, written: Iterable[tuple[Any, ...]], places: Iterable[tuple[Any, ...]]) -> Self:
        tally = cls(places=Counter({(key, sense): count for key, sense, count in places}))
        for key, family, sense, name, types, times, told in written:
            tally._add(Written(key, family, sense, name, tuple(types)), times, told)
        return tally

    def _add(self, written: Written, times: int, told: int) -> None:
        self.times[written] += times
        self.told[written] += told

    def add_kept(self, ref: Ref, count: int, spellings: Iterable[Sequence[Any]]) -> None:
        """What is kept with a name."""
        self.places[ref] += count
        for family, name, types, times, told in spellings:
            self._add(Written(ref[0], family, ref[1], name, tuple(types)), times, told)

    def to_keep(self) -> dict[Ref, list[list[Any]]]:
        """What is kept with each name that is written by one of the frequent keys, for `add_kept`."""
        mentions: Counter[str] = Counter()
        for each, times in self.times.items():
            mentions[each.key] += times
        kept: dict[Ref, list[list[Any]]] = defaultdict(list)
        for each in sorted(self.times):
            if mentions[each.key] > FREQUENT:
                told = [each.family, each.name, each.types, self.times[each], self.told[each]]
                kept[each.key, each.sense].append(told)
        return kept

    def add(self, other: "Tally") -> None:
        for own, more in zip(self._parts, other._parts, strict=True):
            own.update(more)

    def take_away(self, other: "Tally", keys: Collection[str]) -> None:
        """What the other has of these keys."""
        for own, less in zip(self._parts, other._parts, strict=True):
            own.subtract({each: count for each, count in less.items() if each[0] in keys})
        self.times, self.told, self.places = +self.times, +self.told, +self.places

    def forget(self, keys: Collection[str]) -> None:
        for own in self._parts:
            for each in [each for each in own if each[0] in keys]:
                del own[each]

    @property
    def _parts(self) -> tuple[Counter[Any], ...]:
        return self.times, self.told, self.places


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedDocuments:
    """Documents that come, go or change, and what those of them said that counted until then.

    entities: in how many places and in how many of the documents each was named. chunks: those with mentions.
    """

    ids: Sequence[int] = ()
    tally: Tally = field(default_factory=Tally)
    entities: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    chunks: frozenset[int] = frozenset()

    @classmethod
    def before(cls, ids: Sequence[int]) -> Self:
        """To be made before anything changes."""
        counting = [pk for (pk,) in query("documents_that_count", documents=list(ids))]
        if not counting:
            return cls(ids=ids)
        chunks = rows(
            "SELECT DISTINCT chunk_id FROM graph_entitymention WHERE document_id = ANY(%s) AND live", counting
        )
        return cls(
            ids=ids,
            tally=Tally.in_documents(counting),
            entities=entities_in(counting),
            chunks=frozenset(pk for (pk,) in chunks),
        )


def entities_in(documents: Sequence[int]) -> dict[int, tuple[int, int]]:
    """In how many places, and in how many of the documents, each entity is named."""
    counts = query("mention_counts_in_documents", documents=list(documents))
    return {entity: (places, held) for entity, places, held in counts}

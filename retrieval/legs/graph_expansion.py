"""Finding passages for multi-step questions: from passages like the question along the entities they name."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graph.extraction.rules.words import STOP
from graph.resolution.blocking import block_hash
from graph.resolution.resolve import Name, blocks
from graph.values.names import key
from retrieval.evidence import Fact
from retrieval.legs.spreading_activation import FRONT, SECOND_HOP, Activation, Entity, best, tokens
from retrieval.nearest import as_text, nearest_in, space_of
from retrieval.query import Scope
from retrieval.sql import query

SEEDS = 40  # passages like the question, from which the expansion begins
COMMON = 40  # mentions; an entity with more leads nowhere in particular, but for where it is defined
LONGEST_NAME = 6  # words of the question that are looked up together


@dataclass(frozen=True, slots=True, kw_only=True)
class Expansion:
    """`scores` of passages, the best first and 1; `facts`: along what each was reached. `homes`: how many
    passages are homes of what the question names.
    """

    scores: dict[int, float]
    facts: dict[int, Fact]
    homes: int


def expand(scope: Scope, question: str, vector: NDArray[np.float32], limit: int) -> Expansion:
    """Follow the graph to depth 2 from passages like the question and from entities that it names.

    `vector` is the question's. Scores are relative to the best passage's own.
    """
    passages = _Passages(scope, vector)
    homes, mentions = _passages_of(_named_in(scope, question))
    passages.read_nearest(SEEDS)
    passages.read({*homes, *mentions})
    activation = Activation.begin(question, passages.texts, passages.cosines)
    activation.boost(homes, mentions)
    scores = dict(activation.own)
    entities: list[Entity] = []
    left: set[int] = set()
    for decay in (1.0, SECOND_HOP):
        front = {pk: scores[pk] for pk in best(scores, FRONT)}
        entities += _entities(sorted(front.keys() - left), passages)
        left |= front.keys()
        reached = activation.spread(entities, front)
        activation.score_new(reached)
        scores = activation.after_hop(reached, scores, decay)
    top = max(scores.values(), default=1.0) or 1.0
    given = best(scores, limit)
    return Expansion(
        scores={pk: scores[pk] / top for pk in given},
        facts={
            pk: Fact(entity=name, said=" ".join(said.split()))
            for pk in given
            for _, name, said in [activation.led.get(pk, (0.0, "", ""))]
            if name
        },
        homes=len(homes),
    )


class _Passages:
    """What has been read of the scope's passages: their texts, and their cosines to the question, by id."""

    def __init__(self, scope: Scope, vector: NDArray[np.float32]) -> None:
        self.texts: dict[int, str] = {}
        self.cosines: dict[int, float] = {}
        self._near = partial(nearest_in, scope=scope, vector=vector)
        self._space = space_of(scope, vector)
        self._parameters = {**scope.parameters(), "vector": as_text(vector)}

    def read_nearest(self, limit: int) -> None:
        """The passages most like the question."""
        if self._space:
            self.read([pk for pk, *_ in self._near(self._space, limit=limit)])

    def read(self, ids: Iterable[int]) -> None:
        """Those of the passages that are in the scope."""
        unread = [pk for pk in ids if pk not in self.texts]
        if self._space and unread:
            self._keep(query("passages", **self._parameters, space=self._space.pk, ids=unread))

    def _keep(self, rows: list[tuple[Any, ...]]) -> None:
        for pk, text, cosine in rows:
            self.texts[pk], self.cosines[pk] = text, cosine


def _named_in(scope: Scope, question: str) -> list[tuple[int, int]]:
    """(id, count) of the names that the question has, spelled as in the documents or nearly so.

    Of names within one another the longest counts: “Harbour Lights” is not about harbours.
    """
    words = tokens(question)
    spans: dict[int, set[tuple[int, int]]] = defaultdict(set)
    for i in range(len(words)):
        for j in range(i + 1, min(i + LONGEST_NAME, len(words)) + 1):
            gram = " ".join(words[i:j])
            if words[i] not in STOP and words[j - 1] not in STOP and len(gram) > 2:
                for block in blocks(Name(key=key(gram)))[0]:
                    spans[block_hash(scope.datasource_id, block)].add((i, j))
    names = query("names_in_blocks", blocks=list(spans))
    met = {span for block, _, _ in names for span in spans[block]}
    inner = {a for a in met for b in met if a != b and b[0] <= a[0] and a[1] <= b[1]}
    return sorted({(pk, count) for block, pk, count in names if spans[block] - inner})


def _passages_of(names: Sequence[tuple[int, int]]) -> tuple[dict[int, int], dict[int, int]]:
    """Homes and mentions of the names: chunk to the number of chunks that share the name."""
    homes: dict[int, set[int]] = defaultdict(set)
    mentions: dict[int, set[int]] = defaultdict(set)
    rare = {pk for pk, count in names if count <= COMMON}
    for name, chunk, defines in query("passages_of_names", rare=sorted(rare), names=[pk for pk, _ in names]):
        if defines:
            homes[name].add(chunk)
        if name in rare:
            mentions[name].add(chunk)
    return _fewest(homes.values()), _fewest(mentions.values())


def _fewest(groups: Iterable[set[int]]) -> dict[int, int]:
    """Each chunk with the size of the smallest group that it is in."""
    sizes: dict[int, int] = {}
    for group in groups:
        for chunk in group:
            sizes[chunk] = min(sizes.get(chunk, len(group)), len(group))
    return sizes


def _entities(sources: Sequence[int], passages: _Passages) -> list[Entity]:
    """The entities that these passages name; the passages that tell of them are read."""
    said = query("statements_in_passages", chunks=list(sources))
    names = list({name for _, name, *_ in said})
    elsewhere = query("statements_of_names", names=names, common=COMMON)
    passages.read({chunk for _, _, chunk, *_ in elsewhere})
    texts = passages.texts
    entities: dict[int, Entity] = defaultdict(Entity)
    for entity, _, chunk, description, start, end, name in said:
        entities[entity].name = name
        entities[entity].sources[chunk] += f"{description or texts[chunk][start:end]} "
    for entity, defines, chunk, description, start, end in elsewhere:
        if defines:
            entities[entity].homes.add(chunk)
        else:
            entities[entity].mentions[chunk] += f"{description or texts.get(chunk, '')[start:end]} "
    return list(entities.values())

"""Two maps of a datasource's papers: which are alike, and what they are about. Papers are chosen on either.

Pure but for reading: what is chosen is in the address, and each mark knows what a click on it would choose.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from datasources.models import Datasource
from datasources.short_names import short_names
from graph.document_map import queries, similarity
from graph.document_map.build import ABOVE, NEIGHBOURS
from graph.document_map.drawing import Drawing, draw
from graph.layout import node_positions
from graph.models import DocumentNode, Entity, EntityMention
from graph.sql import query
from graph.values.type_styles import first_style
from graph.web.entity_list import count_types
from graph.web.first_view import first_types

WIDTH, HEIGHT, MARGIN = 1000, 800, 80
MOST_THINGS = 40  # drawn of what the papers are about, the best linked ones
MOST_TIES = 200
NAME = 24  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperMark:
    """A paper on the map. then: what is chosen after a click on it."""

    id: int
    title: str
    name: str
    x: int
    y: int
    tone: str
    chosen: bool
    then: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingMark:
    """What papers name. A click chooses these papers, or gives them up where all are chosen."""

    id: int
    name: str
    kind: str
    papers: int
    x: int
    y: int
    size: int
    tone: str
    chosen: bool
    partly: bool
    then: Sequence[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Maps:
    papers: Sequence[PaperMark]
    drawing: Drawing
    things: Sequence[ThingMark]
    ties: str  # path data
    chosen: Sequence[PaperMark]


def maps_of(datasource: Datasource, nodes: list[DocumentNode], chosen: Collection[int]) -> Maps:
    """nodes: those of the map of documents; `chosen`: numbers of documents, others are left out."""
    edges = similarity.edges(queries.compared(nodes, "text"), NEIGHBOURS, ABOVE)
    drawing = draw(nodes, edges, queries.groups_of(nodes))
    here = {node.document_id for node in nodes}
    now = here & set(chosen)
    names = short_names(here)
    papers = [
        PaperMark(
            id=mark.id,
            title=mark.title,
            name=names.get(mark.id, mark.short),
            x=mark.x,
            y=mark.y,
            tone=mark.tone,
            chosen=mark.id in now,
            then=sorted(now ^ {mark.id}),
        )
        for mark in drawing.marks
    ]
    things, ties = _things(datasource, here, now)
    picked = [paper for paper in papers if paper.chosen]
    return Maps(papers=papers, drawing=drawing, things=things, ties=ties, chosen=picked)


def _things(datasource: Datasource, here: set[int], now: set[int]) -> tuple[list[ThingMark], str]:
    kinds = sorted(_subjects(first_types(count_types(datasource, 0))))
    named = _named_in(node_positions.ranked(datasource.pk, MOST_THINGS, kinds), here)
    ids = list(named)
    at = dict(zip(ids, _scaled(node_positions.positions_of(ids).tolist()), strict=True))
    rows = Entity.objects.in_bulk(ids)
    marks = []
    for pk in (pk for pk in ids if pk in rows):
        papers, style = named[pk], first_style(rows[pk].types)
        chosen = papers <= now
        marks.append(
            ThingMark(
                id=pk,
                name=_short(rows[pk].name),
                kind=style.label,
                papers=len(papers),
                x=at[pk][0],
                y=at[pk][1],
                size=min(7 + 2 * len(papers), 22),
                tone=style.tone,
                chosen=chosen,
                partly=bool(papers & now) and not chosen,
                then=sorted(now - papers if chosen else now | papers),
            )
        )
    tied = query("strongest_relations_between", entities=ids, limit=MOST_TIES)
    lines = [f"M{at[a][0]} {at[a][1]}L{at[b][0]} {at[b][1]}" for a, b, *_ in tied if a in at and b in at]
    return marks, "".join(lines)


def _subjects(kinds: set[str]) -> set[str]:
    """Without people, who wrote the papers, where there is anything else."""
    return kinds - {"PERSON"} or kinds


def _named_in(entities: Sequence[int], documents: Collection[int]) -> dict[int, set[int]]:
    """The documents that name each, in the order of the entities; those that none names are left out."""
    named: dict[int, set[int]] = {pk: set() for pk in entities}
    mentions = EntityMention.objects.filter(live=True, document__in=documents, named__entity__in=entities)
    for entity, document in mentions.values_list("named__entity", "document").distinct():
        named[entity].add(document)
    return {pk: papers for pk, papers in named.items() if papers}


def _scaled(places: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """The places within the drawing, spread over all of it."""
    if not places:
        return []
    spans = []
    for axis, room in ((0, WIDTH), (1, HEIGHT)):
        values = [place[axis] for place in places]
        low, high = min(values), max(values)
        scale = (room - 2 * MARGIN) / (high - low or 1.0)
        middle = 0 if high > low else room / 2 - MARGIN
        spans.append([round(MARGIN + middle + (value - low) * scale) for value in values])
    return list(zip(*spans, strict=True))


def _short(name: str) -> str:
    return name if len(name) <= NAME else name[: NAME - 1].rstrip() + "…"

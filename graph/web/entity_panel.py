"""What the panel says of one entity: its names, what it is related to, and the pages that say so."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from django.db.models import QuerySet
from django.urls import reverse

from datasources.models import Document
from graph.models import Entity, EntityMention, Relation, RelationMention
from graph.models.listing import (
    evidence_of,
    is_undirected,
    mentions_of,
    relations_of,
    with_mirror,
)
from graph.values.type_styles import TypeStyle, first_style, relation_label

FEW = 8  # relations that are shown at once
ALL = 200  # relations that can be shown
CARDS = 8  # pages with mentions that are shown at once, and more at a time
PER_CARD = 12  # mentions that are read for a card at most: a page may name a thing often
EVIDENCE = 6
ALIASES = 8
AROUND = 130  # characters before and after the marked words


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotePart:
    """A stretch of a quote; marked says whether it is what the card is about."""

    text: str
    marked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A quote on a page, with the address of that page."""

    document: Document
    page: int
    runs: list[QuotePart]
    address: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A relation as one of its two entities sees it. `quotes`: how many statements it rests on."""

    relation: Relation
    other: Entity
    style: TypeStyle
    quotes: int

    @property
    def sentence(self) -> str:
        """One that names both, where nothing but that is known of them; else empty."""
        return self.relation.description if is_undirected(self.relation) and self.relation.quoted else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationGroup:
    """Relations of one label and direction."""

    label: str
    incoming: bool
    rows: list[Related]


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """All that is shown of an entity. `quoted`: the description is a sentence of a document."""

    entity: Entity
    styles: list[TypeStyle]
    aliases: list[str]
    quoted: bool
    groups: list[RelationGroup]
    more_groups: list[RelationGroup]
    relation_count: int
    most: int  # relations that can be shown
    question: str  # worth asking
    cards: list[Card]
    more_cards: int  # how many to ask for next; 0 when all are shown


def panel(entity: Entity, cards: int = 0) -> Panel:
    relations = relations_of(entity.datasource, entity=entity.pk)
    shown = list(relations[:ALL])
    # What a verb says of two things comes before the sentences that only name both.
    related = sorted(_related(entity, shown), key=lambda one: is_undirected(one.relation))
    wanted = max(cards, CARDS)
    found = cards_of(mentions_of(entity), wanted + 1)
    names = entity.names.exclude(name=entity.name).order_by("-count", "name")
    return Panel(
        entity=entity,
        styles=[first_style([key]) for key in entity.types] or [first_style([])],
        aliases=list(dict.fromkeys(names.values_list("name", flat=True)))[:ALIASES],
        quoted=not mentions_of(entity).exclude(description="").exists(),
        groups=_grouped(entity, related[:FEW]),
        more_groups=_grouped(entity, related[FEW:]),
        relation_count=relations.count() - len(shown) + len(related),
        most=ALL,
        question=f"What do the documents say about {entity.name}?",
        cards=found[:wanted],
        more_cards=wanted + 3 * CARDS if len(found) > wanted else 0,
    )


def _related(entity: Entity, relations: Iterable[Relation]) -> list[Related]:
    """One row each; two that are merely named together are one row, whichever comes first in a sentence."""
    rows: dict[tuple[int, int | None], Related] = {}
    for one in relations:
        other = one.target if one.source_id == entity.pk else one.source
        place = other.pk, None if is_undirected(one) else one.source_id
        if first := rows.get(place):
            rows[place] = replace(first, quotes=first.quotes + one.mention_count)
        else:
            style = first_style(other.types)
            rows[place] = Related(relation=one, other=other, style=style, quotes=one.mention_count)
    return list(rows.values())


def _grouped(entity: Entity, related: Iterable[Related]) -> list[RelationGroup]:
    """By label and direction. Two things that a sentence merely names have no direction."""
    rows: dict[tuple[str, bool], list[Related]] = defaultdict(list)
    for one in related:
        incoming = one.relation.target_id == entity.pk and not is_undirected(one.relation)
        rows[relation_label(one.relation.keywords), incoming].append(one)
    return [RelationGroup(label=label, incoming=to, rows=group) for (label, to), group in rows.items()]


# --- quotes ----------------------------------------------------------------------------------------------
def cards_of(mentions: QuerySet[EntityMention], limit: int) -> list[Card]:
    """One card for each page that names the entity, up to the limit."""
    pages: dict[tuple[int, int], list[EntityMention]] = defaultdict(list)
    for mention in mentions[: limit * PER_CARD]:
        pages[mention.document_id, mention.page].append(mention)  # type: ignore[attr-defined]
    return [_card(page, group) for (_, page), group in islice(pages.items(), limit)]


def _card(page: int, mentions: Sequence[EntityMention]) -> Card:
    """The statement with the page's first mention; others in it are marked too."""
    first = next((one for one in mentions if one.defines), mentions[0])
    text = first.chunk.text
    spans = [(one.start, one.end) for one in mentions if one.chunk_id == first.chunk_id]
    said = (min(first.said_start, first.start), max(first.said_end, first.end))
    words = " ".join(text[first.start : first.end].split())
    return Card(
        document=first.document,
        page=page,
        runs=marked(text, said, spans, (first.start, first.end)),
        address=reading_address(first.document, page, words),
        count=len({one.position for one in mentions}),
    )


def evidence(relation: Relation) -> list[Card]:
    """The statements that speak of both ends, with the names of both marked."""
    said: list[RelationMention] = list(evidence_of(*with_mirror(relation))[:EVIDENCE])
    ends = EntityMention.objects.filter(
        chunk__in={one.chunk_id for one in said}, live=True,
        named__entity__in=(relation.source_id, relation.target_id),
    )  # fmt: skip
    spans: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for end in ends:
        spans[end.chunk_id].append((end.start, end.end))
    cards = []
    for one in said:
        inside = sorted(s for s in spans[one.chunk_id] if one.said_start <= s[0] and s[1] <= one.said_end)
        centre = (inside[0][0], inside[-1][1]) if inside else (one.said_start, one.said_start)
        words = " ".join(one.chunk.text[inside[0][0] : inside[0][1]].split()) if inside else ""
        cards.append(
            Card(
                document=one.document,
                page=one.page,  # type: ignore[attr-defined]
                runs=marked(one.chunk.text, (one.said_start, one.said_end), inside, centre),
                address=reading_address(one.document, one.page, words),  # type: ignore[attr-defined]
            )
        )
    return cards


def marked(
    text: str, said: tuple[int, int], spans: Sequence[tuple[int, int]], centre: tuple[int, int]
) -> list[QuotePart]:
    """The statement, cut to AROUND characters on both sides of the centre, in runs."""
    start = max(said[0], _word(text, centre[0] - AROUND, said[0]))
    end = min(said[1], centre[1] + AROUND)
    end = end if end == said[1] else max(text.rfind(" ", centre[1], end), centre[1])
    runs, position = [QuotePart(text="… " if start > said[0] else "", marked=False)], start
    for first, last in sorted(spans):
        if position <= first and last <= end:
            runs += [_part(text[position:first]), _part(text[first:last], marked=True)]
            position = last
    runs += [_part(text[position:end]), QuotePart(text=" …" if end < said[1] else "", marked=False)]
    return [run for run in runs if run.text]


def _word(text: str, near: int, lowest: int) -> int:
    """Where the first whole word after `near` begins."""
    if near <= lowest:
        return lowest
    space = text.find(" ", near)
    return near if space < 0 else space + 1


def _part(text: str, *, marked: bool = False) -> QuotePart:
    before, after = text[:1].isspace(), text[-1:].isspace()
    words = " ".join(text.split())
    return QuotePart(text=f"{' ' * before}{words}{' ' * (after and bool(words))}", marked=marked)


def reading_address(document: Document, page: int, words: str) -> str:
    """The page in the reader, with the words marked."""
    query = {"page": page} | ({"q": words} if words else {})
    return reverse("reader", args=[document.datasource_id, document.pk], query=query)

"""What the panel says of one entity: its names, what it is related to, and the pages that say so."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from django.db.models import Count, F, QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _

from datasources.models import Document
from graph.models import Entity, EntityMention, EntityName, Relation, RelationMention
from graph.models.listing import (
    evidence_of,
    is_undirected,
    mentions_of,
    relations_of,
    with_mirror,
    with_pages,
)
from graph.sql import query
from graph.values.type_styles import TypeStyle, first_style
from graph.web.relation_words import in_words, relation_types, sure_verb

FEW = 6  # relations of a part that are shown at once
ALL = 200  # relations that can be shown
CARDS = 8  # pages with mentions that are shown at once, and more at a time
PER_CARD = 12  # mentions that are read for a card at most: a page may name a thing often
EVIDENCE = 6
HEADING = 40  # characters of a column's heading at most; longer ones are several
DOCUMENTS = 12  # that name it, with how often
ALIASES = 8
AROUND = 130  # characters before and after the marked words
LEADS = 40  # mentions that are read for the sentence that describes it


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotePart:
    """A stretch of a quote; marked says whether it is what the card is about."""

    text: str
    marked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A quote on a page, with the address of that page and of the card that shows the quote there."""

    document: Document
    page: int
    runs: list[QuotePart]
    address: str
    card: str
    count: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A relation as one of its two entities sees it. `quotes`: how many statements it rests on.

    proof: a statement that says so, with the page; None where no document says it any longer.
    """

    relation: Relation
    other: Entity
    style: TypeStyle
    quotes: int
    verb: str
    row: bool  # found in the row of a table
    proof: Card | None = None

    @property
    def heading(self) -> str:
        """That of the column of the table; empty where a part of it was cut off."""
        head = self.relation.type if self.row else ""
        return head if head.count("(") == head.count(")") and len(head) <= HEADING else ""

    @property
    def incoming(self) -> bool:
        """Whether the other entity is the subject of the verb."""
        return self.relation.target_id != self.other.pk

    @property
    def sentence(self) -> str:
        """A model's words on the two, where the proof is not a sentence that names both."""
        return "" if self.relation.quoted else self.relation.description


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationGroup:
    """Relations of one verb and direction, or of one heading."""

    label: str
    incoming: bool
    rows: list[Related]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of the article on an entity. `hidden`: shown on request; `count`: of all relations."""

    key: str
    title: str
    groups: list[RelationGroup]
    hidden: list[RelationGroup]
    count: int

    @property
    def more(self) -> int:
        """How many relations are shown on request."""
        return sum(len(group.rows) for group in self.hidden)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """A document that names the entity, and how often; the address is that of the first page that does."""

    document: Document
    times: int
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Panel:
    """What is shown of an entity. `quoted`: a document's sentence describes it, `lead`: its place."""

    entity: Entity
    styles: list[TypeStyle]
    aliases: list[str]
    quoted: bool
    lead: Card | None
    parts: list[Part]
    relation_count: int
    most: int  # relations that can be shown
    question: str  # worth asking
    documents: list[Named]
    cards: list[Card]
    more_cards: int  # how many to ask for next; 0 when all are shown


def panel(entity: Entity, cards: int = 0) -> Panel:
    relations = relations_of(entity.datasource, entity=entity.pk)
    shown = list(relations[:ALL])
    related = _proved(entity, _related(entity, shown))
    wanted = max(cards, CARDS)
    found = cards_of(mentions_of(entity), wanted + 1)
    names = entity.names.exclude(name=entity.name).order_by("-count", "name")
    styles = [first_style([key]) for key in entity.types] or [first_style([])]
    quoted = not mentions_of(entity).exclude(description="").exists()
    return Panel(
        entity=entity,
        styles=styles,
        aliases=list(dict.fromkeys(names.values_list("name", flat=True)))[:ALIASES],
        quoted=quoted,
        lead=_lead(entity) if quoted else None,
        parts=_parts(related),
        relation_count=relations.count() - len(shown) + len(related),
        most=ALL,
        question=_("What do the documents say about {name}?").format(name=entity.name),
        documents=_documents(entity),
        cards=found[:wanted],
        more_cards=wanted + 3 * CARDS if len(found) > wanted else 0,
    )


def _related(entity: Entity, relations: Iterable[Relation]) -> list[Related]:
    """One row each; two that no verb ties are one row, whichever comes first in a sentence."""
    rows: dict[tuple[int, int | None], Related] = {}
    types = relation_types(entity.datasource)
    for one in relations:
        other = one.target if one.source_id == entity.pk else one.source
        place = other.pk, None if is_undirected(one) else one.source_id
        if first := rows.get(place):
            rows[place] = replace(first, quotes=first.quotes + one.mention_count)
            continue
        verb = sure_verb(one.keywords, types)
        if not verb and one.keywords and not one.quoted:
            verb = in_words(one.type)  # a model's own words for it
        rows[place] = Related(
            relation=one,
            other=other,
            style=first_style(other.types),
            quotes=one.mention_count,
            verb=verb,
            row=bool(one.keywords) and not verb,
        )
    return list(rows.values())


def _proved(entity: Entity, related: list[Related]) -> list[Related]:
    """Each with a statement that says it: of a verb one that has it, else the first."""
    verbs = {(one.relation.source_id, one.relation.target_id): one.verb for one in related}
    chosen: dict[tuple[int, int], int] = {}
    sure: set[tuple[int, int]] = set()
    for pk, source, target, keywords in query("relation_mentions_of_entity", entity=entity.pk):
        pair = source, target
        if pair in verbs and (pair not in chosen or (pair not in sure and verbs[pair] in keywords)):
            chosen[pair] = pk
            if verbs[pair] in keywords:
                sure.add(pair)
    proofs = _cards_of_relations(list(with_pages(RelationMention.objects.filter(pk__in=chosen.values()))))
    return [
        replace(one, proof=proofs.get(chosen.get((one.relation.source_id, one.relation.target_id), 0)))
        for one in related
    ]


def _parts(related: list[Related]) -> list[Part]:
    """What is said by a verb; what a sentence merely names with it; what tables have under a heading."""
    parts = [
        _part_of("says", _("What the documents say"), [one for one in related if one.verb]),
        _part_of(
            "beside", _("In one sentence with"), [one for one in related if not one.verb and not one.row]
        ),
        _part_of("tables", _("In tables"), [one for one in related if one.row]),
    ]
    return [part for part in parts if part.count]


def _part_of(key: str, title: str, related: list[Related]) -> Part:
    return Part(
        key=key,
        title=title,
        groups=_grouped(related[:FEW]),
        hidden=_grouped(related[FEW:]),
        count=len(related),
    )


def _grouped(related: Iterable[Related]) -> list[RelationGroup]:
    """By verb and direction, or by heading."""
    rows: dict[tuple[str, bool], list[Related]] = defaultdict(list)
    for one in related:
        rows[one.verb or one.heading, bool(one.verb) and one.incoming].append(one)
    return [RelationGroup(label=label, incoming=to, rows=group) for (label, to), group in rows.items()]


def _documents(entity: Entity) -> list[Named]:
    """The documents that name it most often."""
    told = EntityMention.objects.filter(datasource=entity.datasource_id, named__entity=entity, live=True)
    counted = told.values("document").annotate(times=Count("position", distinct=True))
    most = list(counted.order_by("-times", "document")[:DOCUMENTS])
    documents = Document.objects.in_bulk([row["document"] for row in most])
    return [
        Named(
            document=documents[row["document"]],
            times=row["times"],
            address=reading_address(documents[row["document"]], None, entity.name),
        )
        for row in most
        if row["document"] in documents
    ]


# --- quotes ----------------------------------------------------------------------------------------------
def cards_of(mentions: QuerySet[EntityMention], limit: int) -> list[Card]:
    """One card for each page that names the entity, up to the limit."""
    pages: dict[tuple[int, int], list[EntityMention]] = defaultdict(list)
    for mention in mentions[: limit * PER_CARD]:
        pages[mention.document_id, mention.page].append(mention)  # type: ignore[attr-defined]
    return [_card(page, group) for (_, page), group in islice(pages.items(), limit)]


def _lead(entity: Entity) -> Card | None:
    """The sentence that describes it, where a mention has just these words."""
    words = entity.description
    long = F("said_end") - F("said_start")  # in the text, which may have more white space
    told = mentions_of(entity).annotate(long=long).filter(long__range=(len(words), 2 * len(words)))
    for one in told[:LEADS]:
        if " ".join(one.chunk.text[one.said_start : one.said_end].split()) == words:
            return _card(one.page, [one])  # type: ignore[attr-defined]
    return None


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
        card=card_address(first, said),
        count=len({one.position for one in mentions}),
    )


def evidence(relation: Relation) -> list[Card]:
    """The statements that speak of both ends, with the names of both marked."""
    said = list(evidence_of(*with_mirror(relation))[:EVIDENCE])
    return list(_cards_of_relations(said).values())


def _cards_of_relations(said: Sequence[RelationMention]) -> dict[int, Card]:
    """Each statement, by its number, as a card with the names of both ends marked."""
    entity_of = dict(
        EntityName.objects.filter(
            pk__in={name for one in said for name in (one.source_id, one.target_id)}
        ).values_list("pk", "entity")
    )
    spans: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    named = EntityMention.objects.filter(
        chunk__in={one.chunk_id for one in said}, live=True, named__entity__in=set(entity_of.values())
    )
    for chunk, entity, start, end in named.values_list("chunk", "named__entity", "start", "end"):
        spans[chunk, entity].append((start, end))
    cards = {}
    for one in said:
        ends = {entity_of.get(name or 0) for name in (one.source_id, one.target_id)}
        both = (span for end in ends if end is not None for span in spans[one.chunk_id, end])
        inside = sorted(s for s in both if one.said_start <= s[0] and s[1] <= one.said_end)
        centre = (inside[0][0], inside[-1][1]) if inside else (one.said_start, one.said_start)
        words = " ".join(one.chunk.text[inside[0][0] : inside[0][1]].split()) if inside else ""
        span = (one.said_start, one.said_end)
        cards[one.pk] = Card(
            document=one.document,
            page=one.page,  # type: ignore[attr-defined]
            runs=marked(one.chunk.text, span, inside, centre),
            address=reading_address(one.document, one.page, words),  # type: ignore[attr-defined]
            card=card_address(one, span),
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


def reading_address(document: Document, page: int | None, words: str) -> str:
    """The page in the reader, with the words marked; without a page the first that has them."""
    query = ({"page": page} if page else {}) | ({"q": words} if words else {})
    return reverse("reader", args=[document.datasource_id, document.pk], query=query)


def card_address(mention: EntityMention | RelationMention, said: tuple[int, int]) -> str:
    """The card that shows these characters of the mention's chunk on their page."""
    start, end = (mention.chunk.start + place for place in said)
    return reverse("passage_card", args=[mention.document.datasource_id, mention.document_id, start, end])

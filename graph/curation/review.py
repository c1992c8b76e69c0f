"""The review queue: pairs of names that may mean the same thing, with what a person needs to decide."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from django.db.models import Count
from django.urls import reverse
from django.utils.translation import gettext as _
from rapidfuzz.distance import OSA

from graph.models import EntityMention, EntityName
from graph.resolution.resolve import SURE
from graph.sql import query
from graph.values.names import qualifier_of_key
from graph.values.type_styles import TypeStyle, type_style
from ingestion.models import Page

QUOTES = 3  # shown of each name
READ = 60  # mentions among which they are chosen
BEFORE, AFTER = 110, 170  # characters of a sentence around the name
NAMES = 6  # other names of an entity that are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class QueuePosition:
    """Where a pair stands in the queue: the likeliest come first."""

    score: float
    a: int
    b: int

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """The position that `str` wrote; None for anything else."""
        parts = text.split("_")
        try:
            score, a, b = float(parts[0]), int(parts[1]), int(parts[2])
        except (ValueError, IndexError):
            return None
        return cls(score=score, a=a, b=b) if 0 <= score <= 1 and max(abs(a), abs(b)) < 2**63 else None

    def __str__(self) -> str:
        return f"{self.score!r}_{self.a}_{self.b}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A sentence that names the thing, cut around the name, and the address of its page."""

    before: str
    name: str
    after: str
    document: str
    page: int | None
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    """One of the two names: what it is a name of, and what documents say of it."""

    name: EntityName
    styles: Sequence[TypeStyle]
    others: Sequence[str]  # further names of the same entity
    documents: int
    quotes: Sequence[Quote]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two names to decide about. `why` is a sentence, `likeness` and `sure` are percents."""

    position: QueuePosition
    a: Side
    b: Side
    why: str
    likeness: int
    sure: int = round(SURE * 100)


# --- which pairs are open --------------------------------------------------------------------------------
def count(datasource_id: int) -> int:
    """How many pairs wait for a decision."""
    ((number,),) = query("count_open_pairs", datasource=datasource_id)
    return int(number)


def open_candidates(datasource_id: int) -> list[int]:
    """The ids of the pairs that wait for a decision."""
    return [pk for (pk,) in query("open_pairs", datasource=datasource_id)]


def first(datasource_id: int, after: QueuePosition | None = None) -> Pair | None:
    """The likeliest open pair, or the next one after a place in the queue."""
    start = after or QueuePosition(score=1.0, a=-1, b=-1)
    pairs = query("next_open_pair", datasource=datasource_id, score=-start.score, a=start.a, b=start.b)
    if not pairs:
        return None
    position = QueuePosition(score=pairs[0][0], a=pairs[0][1], b=pairs[0][2])
    names = EntityName.objects.select_related("entity").in_bulk([position.a, position.b])
    if len(names) < 2:
        return None  # gone since: the next request finds another
    one, two = names[position.a], names[position.b]
    return Pair(
        position=position,
        a=_side(one),
        b=_side(two),
        why=difference(one, two),
        likeness=round(position.score * 100),
    )


# --- what is shown of a name -----------------------------------------------------------------------------
def _side(name: EntityName) -> Side:
    mentions = EntityMention.objects.filter(named=name, live=True)
    others = EntityName.objects.filter(entity=name.entity_id).exclude(pk=name.pk).order_by("-count", "key")
    return Side(
        name=name,
        styles=[type_style(kind) for kind in name.types],
        others=list(others.values_list("name", flat=True)[:NAMES]),
        documents=mentions.aggregate(count=Count("document", distinct=True))["count"],
        quotes=quotes(
            list(
                mentions.order_by("-defines", "document_id", "position", "pk")[:READ].values_list(
                    "pk", "document_id"
                )
            )
        ),
    )


def quotes(mentions: Sequence[tuple[int, int]]) -> list[Quote]:
    """A few quotes, of as many documents as there are. Takes ids of mentions and of their documents."""
    seen: set[int] = set()
    firsts: list[int] = []
    rest: list[int] = []
    for pk, document in mentions:
        (rest if document in seen else firsts).append(pk)
        seen.add(document)
    chosen = (firsts + rest)[:QUOTES]
    found = EntityMention.objects.select_related("chunk", "document").in_bulk(chosen)
    return [_quote(found[pk]) for pk in chosen if pk in found]


def _quote(mention: EntityMention) -> Quote:
    text, start, end = mention.chunk.text, mention.start, mention.end
    told = mention.said_start <= start and end <= mention.said_end
    left, right = (mention.said_start, mention.said_end) if told else (0, len(text))
    before, after = text[max(left, start - BEFORE) : start], text[end : min(right, end + AFTER)]
    if start - BEFORE > left:
        before = "…" + before.partition(" ")[2]
    if end + AFTER < right:
        after = after.rpartition(" ")[0] + "…"
    number = _page_of(mention)
    query = {"q": " ".join(text[start:end].split())} | ({"page": number} if number else {})
    address = reverse("reader", args=[mention.datasource_id, mention.document_id], query=query)
    return Quote(
        before=_line(before),
        name=" ".join(text[start:end].split()),
        after=_line(after),
        document=mention.document.title,
        page=number,
        address=address,
    )


def _line(text: str) -> str:
    """In one line; a space at either end stays one."""
    return " ".join(f"|{text}|".split())[1:-1]


def _page_of(mention: EntityMention) -> int | None:
    """The page that the name stands on; None for a passage, which has no pages."""
    if mention.document.passage:
        return None
    pages = Page.objects.filter(
        start__lte=mention.chunk.start + mention.start,
        document=mention.document_id,
        number__range=(mention.chunk.first_page, mention.chunk.last_page),
    )
    return pages.order_by("-number").values_list("number", flat=True).first() or mention.chunk.first_page


# --- why they are alike ----------------------------------------------------------------------------------
def difference(a: EntityName, b: EntityName) -> str:
    """In a sentence, how the two names differ."""
    if a.key == b.key:
        return _("The same name, but what documents say with it differs.")
    (one, which), (two, other) = qualifier_of_key(a.key), qualifier_of_key(b.key)
    if one == two:
        return _("The same name, but one of them says which: “{which}”.").format(which=which or other)
    x, y = one.split(), two.split()
    if sorted(x) == sorted(y):
        return _("The same words in another order.")
    for short, long, name in ((x, y, a.name), (y, x, b.name)):
        if len(short) == 1 and len(long) > 2 and {t[0] for t in long} >= set(short[0]):
            return _("“{name}” may be the first letters of the other name.").format(name=name)
        if 1 < len(short) <= len(long) and short[-1] == long[-1] and _shortens(short, long):
            return _("“{name}” may be short for the other name.").format(name=name)
    letters = OSA.distance(one, two)
    if letters <= 2:
        return (
            _("The spellings differ by one letter.")
            if letters == 1
            else _("The spellings differ by two letters.")
        )
    same = len(set(x) & set(y))
    if same:
        return _("{n} of {total} words are the same.").format(n=same, total=max(len(x), len(y)))
    return _("The names are written alike.")


def _shortens(short: Sequence[str], long: Sequence[str]) -> bool:
    """Each word begins one of the other's, in their order: “j smith” of “john smith”."""
    left = iter(long)
    return all(any(word.startswith(part) for word in left) for part in short)

"""What is found inside documents: entities and passages by the beginnings of words in an index, else the
passages that the search page would list.
"""

from collections.abc import Collection
from dataclasses import replace
from typing import Any

from django.contrib.postgres.search import SearchQuery, SearchVector
from django.db.models import Case, Func, Q, QuerySet, Value, When
from django.db.models.functions import Lower, StrIndex
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from accounts.models import User
from datasources.models import Datasource
from graph.models import Entity, EntityName
from graph.values.type_styles import type_style
from ingestion.models import Chunk, Page
from jobs.fair_slots import Busy
from localization.lists import joined
from reader.search import results
from reader.search.asked import LONGEST, Asked
from reader.search.finding import find
from retrieval.slots import SEARCHES
from svq_site.palette.items import Group, Item, excerpt, marked, plain
from text.search.very_words import pattern_for_postgres
from text.stems import stem

LIMIT = 6  # of each group
COMPARED = 1000  # rows with all the words, of which the best are shown
READ = 5000  # passages with all the words in which the phrase is looked for
ENOUGH = 100  # passages with the phrase, of which the best are shown
STEM = 4  # characters, at least, of a word that is found by its stem


def entities(places: Collection[int], words: list[str], here: Datasource | None) -> Group:
    """Those of the datasources `places` with all the words in one of their names: those called just so first,
    then the most mentioned.
    """
    exact = " ".join(words)
    own = holding(Entity.objects.filter(datasource__in=places), "name", words)
    named = holding(EntityName.objects.filter(datasource__in=places), "name", words)
    ids = set(own.order_by(elsewhere(here), "-mention_count").values_list("pk", flat=True)[:COMPARED])
    ids |= set(named.order_by(elsewhere(here), "-count").values_list("entity", flat=True)[:COMPARED])
    ids |= set(own.filter(name__iexact=exact).values_list("pk", flat=True)[:COMPARED])
    shown = Entity.objects.filter(pk__in=ids, hidden=False, mention_count__gt=0)
    return Group(
        name=_("Names in the graph"),
        items=[
            Item(
                name=marked(entity.name, words, begins=True),
                address=f"{reverse('graph', args=[entity.datasource_id])}?entity={entity.pk}",
                icon="waypoints",
                note=joined([*(type_style(key).label for key in entity.types[:1]), entity.datasource.name]),
            )
            for entity in shown.select_related("datasource").order_by(
                Case(When(name__iexact=exact, then=0), default=1), elsewhere(here), "-mention_count", "pk"
            )[:LIMIT]
        ],
    )


def passages(places: Collection[int], words: list[str], here: Datasource | None) -> Group:
    """Those of the datasources `places` with all the words, else all their stems; the phrase itself first."""
    chunks = best(places, words, here)
    if not chunks and (stems := [stem_of(word) for word in words]) != words:
        words = stems
        chunks = best(places, words, here)
    pages = pages_of(chunks)
    return Group(
        name=_("Passages"),
        items=[
            Item(
                name=excerpt(chunk.text, words),
                address=address(chunk, pages, words),
                icon="quote",
                note=_("Page {page_of}, {title}").format(
                    page_of=page_of(chunk, pages, words), title=chunk.document.title
                ),
                quoted=True,
            )
            for chunk in chunks
        ],
    )


def closest(person: User, typed: str, here: Datasource) -> Group:
    """The passages that a search of the datasource lists, for words that no passage has as they are typed."""
    asked = Asked(words=typed[:LONGEST])
    try:
        with SEARCHES.taken_by(person.pk, patience=0):  # the rest of the palette does not wait for it
            found = find(asked, [here], person.pk)
    except Busy:
        return Group(name=_("Passages"), items=[])
    first = replace(found, passages=found.passages[:LIMIT])
    return Group(
        name=_("Passages"),
        items=[
            Item(
                name=list(hit.stretches),
                address=hit.address,
                icon="quote",
                note=_("Page {page}, {title}").format(page=hit.page, title=group.document.title),
                quoted=True,
            )
            for group in results.of_found(first, asked, explained=False)
            for hit in group.hits
        ],
    )


def all_of_them(typed: str, here: Datasource | None) -> Group:
    """The way to the search page."""
    page = reverse("search", args=[here.pk]) if here else reverse("search_all")
    every = Item(
        name=plain(_("All passages for “{typed}”").format(typed=typed)),
        address=f"{page}?{urlencode({'q': typed[:LONGEST]})}",
        icon="search",
        note=here.name if here else _("All datasources"),
    )
    return Group(name=_("Search"), items=[every])


def best(places: Collection[int], words: list[str], here: Datasource | None) -> list[Chunk]:
    """Those with the very phrase, then those with the whole words, then those with words that begin so; of
    each, first those of the datasource that one is in.
    """
    everywhere = [places] if here is None else [[here.pk], [place for place in places if place != here.pk]]
    chunks: list[Chunk] = []
    for phrase in (" ".join(words), "") if len(words) > 1 else ("",):
        for datasources in everywhere:
            if len(chunks) < LIMIT:
                known = [chunk.pk for chunk in chunks]
                chunks += _best_of(datasources, words, phrase).exclude(pk__in=known)[: LIMIT - len(chunks)]
    return chunks


def _best_of(places: Collection[int], words: list[str], phrase: str) -> QuerySet[Chunk]:
    compared = holding(Chunk.objects.searchable().filter(datasource__in=places), "text", words)
    if phrase:
        one_line = Func(Lower("text"), Value("\n\t"), Value("  "), function="TRANSLATE")
        read = Chunk.objects.filter(pk__in=compared.values("pk")[:READ])
        compared = read.annotate(place=StrIndex(one_line, Value(phrase.lower()))).filter(place__gt=0)
    whole = Q(*(Q(text__iregex=pattern_for_postgres(word)) for word in words))
    best = Chunk.objects.filter(pk__in=compared.values("pk")[: ENOUGH if phrase else COMPARED])
    return best.select_related("document").order_by(Case(When(whole, then=0), default=1), "-quality", "pk")


def holding(rows: QuerySet[Any], field: str, words: list[str]) -> QuerySet[Any]:
    """Rows with a word that begins so, for each of the words; the index of the field's words finds them."""
    quoted = (word.replace("\\", "\\\\").replace("'", "''") for word in words)
    query = SearchQuery(" & ".join(f"'{word}':*" for word in quoted), config="simple", search_type="raw")
    return rows.annotate(words_of_field=SearchVector(field, config="simple")).filter(words_of_field=query)


def elsewhere(here: Datasource | None) -> Case:
    """To sort by: what is in this datasource, then the rest."""
    return Case(When(datasource=here, then=0), default=1) if here else Case(default=1)


def stem_of(word: str) -> str:
    """The word's stem, where the word begins with it and it is long enough to mean something."""
    short = stem(word)
    return short if len(short) >= STEM and word.lower().startswith(short) else word


def pages_of(chunks: list[Chunk]) -> dict[int, list[Page]]:
    """The pages of each chunk by its id, last one first."""
    of_any = Q(pk__in=[])
    for chunk in chunks:
        of_any |= Q(document=chunk.document_id, number__range=(chunk.first_page, chunk.last_page))
    pages = list(Page.objects.filter(of_any).only("document_id", "number", "start").order_by("-number"))
    return {
        chunk.pk: [
            page
            for page in pages
            if page.document_id == chunk.document_id and chunk.first_page <= page.number <= chunk.last_page
        ]
        for chunk in chunks
    }


def page_of(chunk: Chunk, pages: dict[int, list[Page]], words: list[str]) -> int:
    """The page that the first of the words is on."""
    text = chunk.text.lower()
    place = chunk.start + max(min((text.find(word.lower()) for word in words), default=0), 0)
    return next((page.number for page in pages[chunk.pk] if page.start <= place), chunk.first_page)


def address(chunk: Chunk, pages: dict[int, list[Page]], words: list[str]) -> str:
    """The reader's page with the words marked, else with the passage marked."""
    phrase = " ".join(words)
    together = phrase.lower() in " ".join(chunk.text.lower().split())
    marks: tuple[str, str | int] = ("q", phrase) if together else ("chunk", chunk.pk)
    reader = reverse("reader", args=[chunk.datasource_id, chunk.document_id])
    return f"{reader}?{urlencode([('page', page_of(chunk, pages, words)), marks])}"

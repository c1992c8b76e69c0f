"""The home page."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.models import User
from datasources.counts import document_counts
from datasources.in_use.models import everything_is_local
from datasources.models import Datasource, DatasourceQuerySet, Document, Matter, Role
from datasources.web.pages import signed_in
from svq_site.dashboard.cards import cards, recent_conversations, worth_asking
from svq_site.dashboard.folders import folders, with_words
from svq_site.dashboard.welcome import first_page_of

PAGE = 23  # cards: with the tile for a new datasource they fill rows of two and of three

FOLDERS = 12  # matters; all of them have a page of their own


@login_required
@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """The person's matters as folders and the other datasources as cards, page by page; with the words of
    ?find= all datasources that have them. What to go on with.
    """
    person, words = signed_in(request), request.GET.get("find", "").strip()[:100]
    visible, matters = Datasource.objects.listed_for(person, Role.ASKER), Matter.objects.visible_to(person)
    shown = _with(words, visible, person) if words else visible.exclude(matter__in=matters)
    found = shown.select_related("owner", "introduction").order_by("name", "pk")
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    in_folders = (
        [] if page.number > 1 else list(with_words(words, matters.filter(archived=None))[: FOLDERS + 1])
    )
    first = None if words or page.number > 1 else first_page_of(person)
    context = {
        "tab": "home",
        "first": first,
        "folders": folders(person, in_folders[:FOLDERS]),
        "has_more_matters": len(in_folders) > FOLDERS,
        "has_archive": matters.filter(archived__isnull=False).exists(),
        "cards": cards(person, list(page)),
        "page": page,
        "words": words,
        "datasources": visible.count(),
        "counts": document_counts(Document.objects.filter(datasource__in=visible)),
        "is_local": everything_is_local(),
        "worth_asking": [] if first else worth_asking(person),
        "recent": recent_conversations(person),
    }
    return render(request, "datasources/home.html", context)


def _with(words: str, datasources: DatasourceQuerySet, person: User) -> DatasourceQuerySet:
    """Those with each word in the name or in the description that is shown to the person."""
    read = Datasource.objects.visible_to(person)
    for word in words.split():
        made = Q(description="", introduction__description__icontains=word, pk__in=read)
        datasources = datasources.filter(Q(name__icontains=word) | Q(description__icontains=word) | made)
    return datasources

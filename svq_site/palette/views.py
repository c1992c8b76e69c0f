"""The command palette: find a place, a name or a passage in all that one may see, or ask what was typed."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.models import User
from datasources.models import Datasource, Role
from datasources.numbers import number_in
from datasources.web.pages import signed_in
from svq_site.palette import contents, places
from svq_site.palette.items import Group

WORDS = 8
LONGEST = 100  # characters of a word that are looked for
SHORTEST = 2  # characters of the longest word: one letter begins a word of nearly every passage
SWITCHER_LIMIT = 50


@login_required
@require_safe
def palette(request: HttpRequest) -> HttpResponse:
    """?q= beginnings of words; ?datasource= puts that one first; ?only=datasources."""
    person = signed_in(request)
    typed = " ".join(request.GET.get("q", "").replace("\0", "").split())
    words = [word[:LONGEST] for word in typed.split()[:WORDS]]
    here = current(person, number_in(request.GET.get("datasource", "")))
    if request.GET.get("only") == "datasources":
        groups = [places.datasources(person, words, SWITCHER_LIMIT)]
    else:
        groups = everything(person, typed, words, here)
    groups = [group for group in groups if group.items]
    found = any(group.name != places.ASK for group in groups)
    context = {"groups": groups, "found": found, "typed": typed}
    if not found:
        may_ask = Datasource.objects.visible_to(person, Role.ASKER).exists()
        context["only_asks"] = may_ask and not Datasource.objects.listed_for(person).exists()
    return render(request, "palette/results.html", context)


def everything(person: User, typed: str, words: list[str], here: Datasource | None) -> list[Group]:
    by_name = [
        places.datasources(person, words),
        places.documents(person, words, here),
        places.conversations(person, words, here),
    ]
    if not words:
        return [places.pages(here, words, person), *by_name]
    inside = []
    if max(map(len, words)) >= SHORTEST and not (here and here.only_asked):
        visible = list(Datasource.objects.listed_for(person).values_list("pk", flat=True))
        passages = contents.passages(visible, words, here)
        if here and not passages.items:
            passages = contents.closest(person, typed, here)
        inside = [contents.entities(visible, words, here), passages]
        if passages.items:
            inside.append(contents.all_of_them(typed, here))
    return [
        places.asking(person, typed, here),
        *by_name,
        *inside,
        places.settings(here, words, person),
        places.pages(here, words, person),
    ]


def current(person: User, number: int | None) -> Datasource | None:
    """The datasource whose page the palette was opened on."""
    if number is None:
        return None
    found = Datasource.objects.visible_to(person, Role.ASKER).filter(pk=number).first()
    if found is not None:
        found.seen_as = found.role_of(person)
    return found

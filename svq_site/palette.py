"""The command palette: jump to a datasource, a document, a conversation or a page, by a part of its name."""

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.models import User
from chat.models import Conversation
from datasources.models import Datasource, Document
from datasources.numbers import number_in
from datasources.pages import signed_in
from datasources.tabs import tabs_of

LIMIT = 6  # of each group
SWITCHER_LIMIT = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One place to go: `note` says where it belongs."""

    name: str
    address: str
    icon: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    name: str
    items: list[Item]


@login_required
@require_safe
def palette(request: HttpRequest) -> HttpResponse:
    """?q= words that must all be in the name; ?datasource= puts that one first; ?only=datasources."""
    person = signed_in(request)
    words = request.GET.get("q", "").split()[:8]
    here = current(person, number_in(request.GET.get("datasource", "")))
    if request.GET.get("only") == "datasources":
        groups = [datasources(person, words, SWITCHER_LIMIT)]
    else:
        groups = [
            pages(here, words, person),
            datasources(person, words, LIMIT),
            documents(person, words, here),
            conversations(person, words, here),
        ]
    groups = [group for group in groups if group.items]
    return render(request, "palette/results.html", {"groups": groups, "words": " ".join(words)})


def current(person: User, number: int | None) -> Datasource | None:
    """The datasource whose page the palette was opened on."""
    if number is None:
        return None
    return Datasource.objects.visible_to(person).filter(pk=number).first()


def named(rows: QuerySet[Any], field: str, words: list[str]) -> QuerySet[Any]:
    """Rows whose name holds all the words, in any order and case."""
    for word in words:
        rows = rows.filter(**{f"{field}__icontains": word})
    return rows


def nearest(rows: QuerySet[Any], here: Datasource | None) -> list[Model]:
    """The first few, those of this datasource before the others."""
    if here is None:
        return list(rows[:LIMIT])
    found = list(rows.filter(datasource=here)[:LIMIT])
    return found + list(rows.exclude(datasource=here)[: LIMIT - len(found)])


def datasources(person: User, words: list[str], limit: int) -> Group:
    rows = named(Datasource.objects.visible_to(person), "name", words).order_by("-updated")[:limit]
    return Group(
        name="Datasources",
        items=[
            Item(name=one.name, address=reverse("documents", args=[one.pk]), icon="layers") for one in rows
        ],
    )


def documents(person: User, words: list[str], here: Datasource | None) -> Group:
    """Found by words alone: without any, the newest files say nothing."""
    if not words:
        return Group(name="Documents", items=[])
    rows = Document.objects.visible_to(person).current().select_related("datasource")
    return Group(
        name="Documents",
        items=[
            Item(
                name=one.title,
                address=reverse("reader", args=[one.datasource_id, one.pk]),
                icon="file-text",
                note=one.datasource.name,
            )
            for one in nearest(named(rows, "title", words), here)
            if isinstance(one, Document)
        ],
    )


def conversations(person: User, words: list[str], here: Datasource | None) -> Group:
    rows = Conversation.objects.visible_to(person).select_related("datasource")
    return Group(
        name="Conversations",
        items=[
            Item(
                name=str(one),
                address=reverse("conversation", args=[one.datasource_id, one.pk]),
                icon="message-square-text",
                note=one.datasource.name,
            )
            for one in nearest(named(rows, "title", words), here)
            if isinstance(one, Conversation)
        ],
    )


def pages(here: Datasource | None, words: list[str], person: User) -> Group:
    """The pages of this datasource and of the site."""
    items = [Item(name="Your settings", address=reverse("account_settings"), icon="user")]
    if here:
        items = [
            Item(
                name=tab.palette_label or tab.label,
                address=reverse(tab.url, args=[here.pk]),
                icon=tab.icon,
                note=here.name,
            )
            for tab in tabs_of(here)
        ] + items
    if person.is_staff:
        items.append(Item(name="Administration", address=reverse("admin:index"), icon="server"))
    shown = [one for one in items if all(word.lower() in one.name.lower() for word in words)]
    return Group(name="Pages", items=shown)

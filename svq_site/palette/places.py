"""What is found by a part of its name: datasources, documents, conversations, pages; and where to ask."""

from typing import Any

from django.db.models import Model, Q, QuerySet
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from accounts.models import User
from accounts.sections import settings_of_account, settings_of_server
from chat.models import Conversation, Turn
from chat.services import MAX_QUESTION
from datasources.models import Datasource, Document, Role, is_at_least
from datasources.settings.views import settings_of
from datasources.web.tabs import tabs_of
from settings_pages.search import Setting, find_settings
from svq_site.palette.items import Group, Item, marked, plain

LIMIT = 6  # of each group
ASK = pgettext_lazy("verb", "Ask")  # the group that is offered whatever was found
ASKED = 3  # datasources in which the typed words can be asked


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


def asking(person: User, typed: str, here: Datasource | None) -> Group:
    """The typed words as a question: to this datasource, else to the last ones in use."""
    asked = (
        [here]
        if here
        else list(Datasource.objects.listed_for(person, Role.ASKER).order_by("-updated")[:ASKED])
    )
    question = urlencode({"q": typed[:MAX_QUESTION]})
    return Group(
        name=str(ASK),
        items=[
            Item(
                name=plain(_("Ask {name}: “{typed}”").format(name=datasource.name, typed=typed)),
                address=f"{reverse('chat', args=[datasource.pk])}?{question}",
                icon="message-square-text",
            )
            for datasource in asked
        ],
    )


def datasources(person: User, words: list[str], limit: int = LIMIT) -> Group:
    rows = named(Datasource.objects.listed_for(person, Role.ASKER), "name", words).order_by("-updated")[
        :limit
    ]
    return Group(
        name=_("Datasources"),
        items=[
            Item(
                name=marked(datasource.name, words),
                address=reverse("documents", args=[datasource.pk]),
                icon="layers",
            )
            for datasource in rows
        ],
    )


def documents(person: User, words: list[str], here: Datasource | None) -> Group:
    """Only found by words: without any, the newest files would say nothing."""
    if not words:
        return Group(name=_("Documents"), items=[])
    rows = Document.objects.listed_for(person, Role.ASKER).current().select_related("datasource")
    read = set(Datasource.objects.listed_for(person).values_list("pk", flat=True))
    return Group(
        name=_("Documents"),
        items=[
            Item(
                name=marked(document.title, words),
                address=_read(document) if document.datasource_id in read else _asked_about(document),
                icon="file-text",
                note=document.datasource.name,
            )
            for document in nearest(named(rows, "title", words), here)
            if isinstance(document, Document)
        ],
    )


def _read(document: Document) -> str:
    return reverse("reader", args=[document.datasource_id, document.pk])


def _asked_about(document: Document) -> str:
    """For whoever may only ask."""
    return f"{reverse('chat', args=[document.datasource_id])}?{urlencode({'documents': document.pk})}"


def conversations(person: User, words: list[str], here: Datasource | None) -> Group:
    """One's own, by their titles and by their questions."""
    rows = (
        Conversation.objects.visible_to(person).filter(datasource__archived=None).select_related("datasource")
    )
    asked = named(Turn.objects.all(), "question", words).values("conversation")
    if words:
        rows = rows.filter(Q(pk__in=named(rows, "title", words).values("pk")) | Q(pk__in=asked))
    return Group(
        name=_("Conversations"),
        items=[
            Item(
                name=marked(str(conversation), words),
                address=reverse("conversation", args=[conversation.datasource_id, conversation.pk]),
                icon="messages-square",
                note=conversation.datasource.name,
            )
            for conversation in nearest(rows, here)
            if isinstance(conversation, Conversation)
        ],
    )


def settings(here: Datasource | None, words: list[str], person: User) -> Group:
    """What can be set, here, in the account and on the server; only found by words."""
    role = here.role_of(person) if here else None
    of_here = settings_of(here, role) if here and role and is_at_least(role, Role.VIEWER) else []
    of_server = settings_of_server(person)
    found = find_settings([*of_here, *settings_of_account(), *of_server], " ".join(words))

    def note(one: Setting) -> str:
        if one in of_server:
            return one.place
        where = here if one in of_here else _("your account")
        return f"{one.place}, {where}"

    return Group(
        name=_("Settings"),
        items=[
            Item(
                name=marked(one.name, words),
                address=one.address,
                icon="sliders-horizontal" if one in of_here else "server" if one in of_server else "user",
                note=note(one),
            )
            for one in found[:LIMIT]
        ],
    )


def pages(here: Datasource | None, words: list[str], person: User) -> Group:
    """The pages of this datasource and of the site."""
    links = [
        (_("Your settings"), reverse("account_settings"), "user", ""),
        (_("Usage and cost"), reverse("usage"), "coins", ""),
    ]
    if here:
        links = [
            (str(tab.palette_label or tab.label), reverse(tab.url, args=[here.pk]), tab.icon, here.name)
            for tab in tabs_of(here)
        ] + links
    if person.is_staff:
        links.append((_("Administration"), reverse("admin:index"), "server", ""))
    return Group(
        name=_("Pages"),
        items=[
            Item(name=marked(name, words), address=address, icon=icon, note=note)
            for name, address, icon, note in links
            if all(word.lower() in name.lower() for word in words)
        ],
    )

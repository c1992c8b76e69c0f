"""Pages for whoever shares: a dialog at the answer, the list of one's links, and the way to end one."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from chat.models import Conversation, Turn
from chat.web.answers.rendering import turn_address
from chat.web.lookup import find_conversation, find_turn
from datasources.models import Role
from datasources.web.forms import refuse
from datasources.web.pages import HtmxRequest, bar, signed_in
from exchange.shares.models import ShareLink
from exchange.shares.services import end_link, forbidden, make_link, may_share, remove_link, resting
from exchange.shares.web.forms import ShareForm
from exchange.shares.web.settings_section import SECTION
from localization.promises import StrOrPromise

NEW = "new_share_link"  # in the session, from the form to the list that shows its address once
SHOWN_WITH = ("conversation__datasource", "turn", "maker")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def share_answer(request: HtmxRequest, turn: UUID) -> HttpResponse:
    found = find_turn(request, turn, Role.VIEWER)
    address = reverse("share_answer", args=[found.pk])
    return _share(request, found, found.conversation, address, turn_address(found))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def share_conversation(request: HtmxRequest, pk: int, conversation: UUID) -> HttpResponse:
    found = find_conversation(request, pk, conversation, Role.VIEWER)
    address = reverse("share_conversation", args=[pk, found.pk])
    return _share(request, found, found, address, reverse("conversation", args=[pk, found.pk]))


@login_required
@require_safe
def share_links(request: HtmxRequest) -> HttpResponse:
    """One's own; the first time after one was made, with its address, which is kept nowhere from then on."""
    mine = _own(request)
    new = request.session.pop(NEW, None) if request.method == "GET" else None
    made = mine.filter(pk=new["link"]).first() if new else None
    address = new["address"] if new and made else ""
    links = list(mine)
    seen = Conversation.objects.visible_to(signed_in(request))
    seen = seen.filter(pk__in=[link.conversation_id for link in links])
    context = {
        "links": links,
        "resting": resting(links),
        "seen": set(seen.values_list("pk", flat=True)),
        "made": made,
        "address": address,
        "tab": "account",
    }
    return render(request, "shares/links.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def end_share_link(request: HtmxRequest, link: int) -> HttpResponse:
    """The question whether to, then the list. One's own that is over leaves the list; owners end those of
    others.
    """
    person = signed_in(request)
    found = get_object_or_404(ShareLink.objects.endable_by(person).select_related(*SHOWN_WITH), pk=link)
    is_own = found.maker_id == person.pk
    back = reverse("share_links") if is_own else SECTION(found.conversation.datasource_id)
    if request.method == "POST":
        removes = "remove" in request.POST and found.is_over and is_own
        (remove_link if removes else end_link)(found, person)
        messages.success(request, _whose(found, is_own, *(REMOVED if removes else ENDED)))
        return redirect(back)
    removes = found.is_over and is_own
    question = _whose(found, is_own, *(REMOVE if removes else END))
    context = {"link": found, "question": question, "removes": removes, "back": back}
    return render(request, "shares/end.html", context | {"tab": "account"})


# What is asked and said of a link: of one's own, and of somebody else's.
END = gettext_lazy("End the link for {name}?"), gettext_lazy("End the share link of {name}?")
REMOVE = gettext_lazy("Remove the link for {name}?"), gettext_lazy("Remove the share link of {name}?")
ENDED = gettext_lazy("The link for {name} was ended"), gettext_lazy("The share link of {name} was ended")
REMOVED = (
    gettext_lazy("The link for {name} is off the list"),
    gettext_lazy("The share link of {name} is off the list"),
)


def _whose(link: ShareLink, is_own: bool, own: StrOrPromise, others: StrOrPromise) -> str:
    if is_own:
        return str(own).format(name=link.recipient)
    return str(others).format(name=link.maker.get_full_name())


def _share(
    request: HtmxRequest, shared: Turn | Conversation, conversation: Conversation, address: str, back: str
) -> HttpResponse:
    """A dialog with the form and the links that there are; then with the new link's address, once."""
    person = signed_in(request)
    form = ShareForm(request.POST or None)
    context: dict[str, Any] = bar(conversation.datasource, "chat")
    if not may_share(person, conversation.datasource):
        context["forbidden"] = forbidden(conversation.datasource)
    context |= {"form": form, "address": address, "back": back, "of_answer": isinstance(shared, Turn)}
    if request.method == "POST" and form.is_valid():
        try:
            made, token = make_link(person, shared, **form.arguments())
        except ValidationError as refusal:
            refuse(form, refusal)
        else:
            shown_at = request.build_absolute_uri(reverse("shared", args=[token]))
            if request.htmx:
                return render(request, "shares/made.html", context | {"made": made, "shown_at": shown_at})
            request.session[NEW] = {"link": made.pk, "address": shown_at}
            return redirect("share_links")
    turn = shared if isinstance(shared, Turn) else None
    context["links"] = list(_own(request).filter(conversation=conversation, turn=turn, ended=None))
    return render(request, "shares/share.html", context, status=422 if form.errors else 200)


def _own(request: HtmxRequest) -> QuerySet[ShareLink]:
    return ShareLink.objects.made_by(signed_in(request)).select_related(*SHOWN_WITH)

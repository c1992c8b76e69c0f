"""People, for administrators: everybody with an account, and a page for each with what can be done."""

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts import standing
from accounts.invitations import invite_to_account, withdraw
from accounts.models import AccountInvitation, User
from accounts.sessions import sessions_of
from datasources.forms import refuse
from datasources.numbers import limited
from datasources.pages import signed_in
from providers.web.administrators import administrators_only
from svq_site.people import listing
from svq_site.people.forms import InviteForm, PersonForm
from svq_site.people.handing_over import hand_over, owned_by
from text.counted import counted

AT_ONCE = 100  # people on a page


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def people(request: HttpRequest) -> HttpResponse:
    """?q= finds a part of a name or an address. POST invites somebody, and shows the link where it is not
    mailed.
    """
    form, shown = InviteForm(), {}
    if request.method == "POST":
        form = InviteForm(request.POST)
        if form.is_valid():
            try:
                address, mailed = invite_to_account(form.cleaned_data["email"], by=signed_in(request))
            except ValidationError as refusal:
                form.add_error("email", refusal)
            else:
                if mailed:
                    messages.success(
                        request, f"The invitation is on its way to {form.cleaned_data['email']}."
                    )
                    return redirect("people")
                shown = {"address": address, "invited": form.cleaned_data["email"]}
    words = request.GET.get("q", "")
    page = Paginator(listing.people(words), AT_ONCE).get_page(limited(request.GET.get("page"), 1, 10**6))
    sessions = sessions_of(one.pk for one in page)
    rows = [(one, sessions[one.pk]) for one in page]
    context = {
        "page": page, "rows": rows, "words": words, "form": form, **shown, "here": "people", "tab": "account",
        "invitations": AccountInvitation.objects.filter(used=None),
    }  # fmt: skip
    return render(request, "people/list.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def withdraw_account_invitation(request: HttpRequest, invitation: int) -> HttpResponse:
    """It opens nothing from now on."""
    if request.method == "POST":
        link = get_object_or_404(AccountInvitation, pk=invitation, used=None)
        withdraw(link, by=signed_in(request))
        messages.success(request, f"{link.email} is no longer invited.")
    return redirect("people")


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def person(request: HttpRequest, person: int) -> HttpResponse:
    """What is known of an account; POST does what `action` names."""
    shown = get_object_or_404(listing.people(), pk=person)
    form = PersonForm()
    if request.method == "POST":
        action = request.POST.get("action", "")
        if action == "hand_over":
            form = PersonForm(request.POST)
            if form.is_valid() and _handed_over(request, shown, form):
                return redirect("person", person)
        elif done := STANDING.get(action):
            return _standing(request, shown, *done)
        else:
            return HttpResponseBadRequest("There is no such action.", content_type="text/plain")
    context = {
        "person": shown, "sessions": sessions_of([shown.pk])[shown.pk], "owned": owned_by(shown),
        "form": form, "is_oneself": shown == request.user, "here": "people", "tab": "account",
    }  # fmt: skip
    return render(request, "people/person.html", context, status=422 if form.errors else 200)


# What an action does, and what is said once it is done.
STANDING: dict[str, tuple[Callable[..., None], str]] = {
    "sign_out": (standing.sign_out_everywhere, "{} is signed out everywhere."),
    "shut_off": (standing.shut_off, "The account of {} is shut off."),
    "open_again": (standing.open_again, "{} may sign in again."),
}


def _standing(request: HttpRequest, shown: User, act: Callable[..., None], said: str) -> HttpResponse:
    by = signed_in(request)
    try:
        act(shown, by=by)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    else:
        messages.success(request, said.format(shown.email))
    # Whoever has signed themselves out would be sent to the sign-in page and from there to here.
    return redirect(reverse("account_login") if shown == by else reverse("person", args=[shown.pk]))


def _handed_over(request: HttpRequest, shown: User, form: PersonForm) -> bool:
    taker = form.cleaned_data["email"]
    try:
        handed = hand_over(shown, taker, by=signed_in(request))
    except ValidationError as refusal:
        refuse(form, refusal, {"taker": "email"})
        return False
    said = f"{taker.email} owns them now: {handed.owned}."
    if handed.schedules_left:
        left = counted(handed.schedules_left, "scheduled evaluation")
        said += f" Not handed over: {left}, of datasources that {taker.email} may not edit."
    messages.success(request, said)
    return True

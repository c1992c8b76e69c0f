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
from accounts.invitations import Invited, invite_to_account, withdraw
from accounts.models import AccountInvitation, User
from accounts.sessions import sessions_of
from datasources.numbers import limited
from datasources.web.forms import refuse
from datasources.web.pages import signed_in
from providers.web.administrators import administrators_only
from settings_pages.asking import Question, ask
from svq_site.people import listing
from svq_site.people.forms import InviteForm, PersonForm
from svq_site.people.handing_over import hand_over, owned_by
from text.counted import counted

AT_ONCE = 100  # people on a page, and invitations
NEW = "new_account_invitation"  # in the session, from the form to the page that shows the link


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def people(request: HttpRequest) -> HttpResponse:
    """?q= finds a part of a name or an address. POST invites somebody; then the page shows the link once,
    where it was not mailed.
    """
    form, shown = InviteForm(), {}
    if request.method == "POST":
        form = InviteForm(request.POST)
        if form.is_valid():
            try:
                invited = invite_to_account(form.cleaned_data["email"], by=signed_in(request))
            except ValidationError as refusal:
                form.add_error("email", refusal)
            else:
                _say_invited(request, form.cleaned_data["email"], invited)
                return redirect("people")
    elif request.method == "GET":
        shown = request.session.pop(NEW, {})
    words = request.GET.get("q", "")
    page = Paginator(listing.people(words), AT_ONCE).get_page(limited(request.GET.get("page"), 1, 10**6))
    sessions = sessions_of(one.pk for one in page)
    rows = [(one, sessions[one.pk]) for one in page]
    context = {
        "page": page,
        "rows": rows,
        "words": words,
        "form": form,
        **shown,
        "here": "people",
        "tab": "account",
        "invitations": AccountInvitation.objects.filter(used=None)[:AT_ONCE],
        "at_once": AT_ONCE,
    }
    return render(request, "people/list.html", context, status=422 if form.errors else 200)


def _say_invited(request: HttpRequest, email: str, invited: Invited) -> None:
    if invited.mailed:
        messages.success(request, f"The invitation is on its way to {email}.")
    else:
        request.session[NEW] = {"address": invited.shown(request), "invited": email}
    if invited.ended_another:
        messages.info(request, f"The earlier link for {email} opens nothing any more.")


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
    """What is known of an account; POST does what `action` names, ?ask= the question whether to. What is
    handed over is asked about once it is known to whom.
    """
    shown = get_object_or_404(listing.people(), pk=person)
    form, address = PersonForm(), reverse("person", args=[person])
    if request.method != "POST" and (asked := request.GET.get("ask", "")) in QUESTIONS:
        question = QUESTIONS[asked](shown)
        return ask(request, question, address=address, back=address, fields={"action": asked})
    if request.method == "POST":
        action = request.POST.get("action", "")
        if action == "ask_hand_over":
            form = PersonForm(request.POST)
            if form.is_valid():
                taker = form.cleaned_data["email"].email
                fields = {"action": "hand_over", "email": taker}
                question = _whether_to_hand_over(shown, taker)
                return ask(request, question, address=address, back=address, fields=fields)
        elif action == "hand_over":
            form = PersonForm(request.POST)
            if form.is_valid() and _handed_over(request, shown, form):
                return redirect("person", person)
        elif done := STANDING.get(action):
            return _standing(request, shown, *done)
        else:
            return HttpResponseBadRequest("There is no such action.", content_type="text/plain")
    context = {
        "person": shown,
        "sessions": sessions_of([shown.pk])[shown.pk],
        "owned": owned_by(shown),
        "form": form,
        "is_oneself": shown == request.user,
        "here": "people",
        "tab": "account",
    }
    return render(request, "people/person.html", context, status=422 if form.errors else 200)


def _whether_to_sign_out(person: User) -> Question:
    return Question(
        heading=f"Sign {person.email} out everywhere?",
        consequence="All browsers and programs are signed out at once, and all API tokens are revoked: "
        "programs that use them need new ones.",
        button="Sign out everywhere",
    )


def _whether_to_shut_off(person: User) -> Question:
    return Question(
        heading=f"Shut off the account of {person.email}?",
        consequence="They are signed out at once, their API tokens are revoked, and they can't sign in until "
        "the account is opened again. What they own and wrote stays.",
        button="Shut it off",
    )


def _whether_to_hand_over(person: User, taker: str) -> Question:
    return Question(
        heading=f"Hand over to {taker}?",
        consequence=f"{taker} becomes the owner of what {person.email} owns: {owned_by(person)}. "
        f"{person.email} stays an editor of the datasources. Only {taker} can give it back.",
        button="Hand over",
    )


QUESTIONS: dict[str, Callable[[User], Question]] = {
    "sign_out": _whether_to_sign_out,
    "shut_off": _whether_to_shut_off,
}
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

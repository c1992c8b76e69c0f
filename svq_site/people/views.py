"""People, for administrators: everybody with an account, and a page for each with what can be done."""

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from accounts import standing
from accounts.invitations import Invited, invite_to_account, withdraw
from accounts.models import AccountInvitation, User
from accounts.sessions import sessions_of
from datasources.numbers import limited
from datasources.templatetags.amounts import counted
from datasources.web.forms import refuse
from datasources.web.pages import signed_in
from localization.promises import StrOrPromise
from providers.web.administrators import administrators_only
from settings_pages.asking import Question, ask
from svq_site.people import listing
from svq_site.people.forms import InviteForm, PersonForm
from svq_site.people.handing_over import hand_over, owned_by

AT_ONCE = 100  # people on a page, and invitations
FEW = 10  # are found without a search
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
    page = Paginator(listing.people(words).prefetch_related("group_members__group"), AT_ONCE).get_page(
        limited(request.GET.get("page"), 1, 10**6)
    )
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
        "few": FEW,
    }
    return render(request, "people/list.html", context, status=422 if form.errors else 200)


def _say_invited(request: HttpRequest, email: str, invited: Invited) -> None:
    if invited.mailed:
        messages.success(request, _("The invitation is on its way to {email}.").format(email=email))
    else:
        request.session[NEW] = {"address": invited.shown(request), "invited": email}
    if invited.ended_another:
        messages.info(request, _("The earlier link for {email} opens nothing any more.").format(email=email))


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def withdraw_account_invitation(request: HttpRequest, invitation: int) -> HttpResponse:
    """It opens nothing from now on."""
    if request.method == "POST":
        link = get_object_or_404(AccountInvitation, pk=invitation, used=None)
        withdraw(link, by=signed_in(request))
        messages.success(request, _("{email} is no longer invited.").format(email=link.email))
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
            return HttpResponseBadRequest(_("There is no such action."), content_type="text/plain")
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
        heading=_("Sign {email} out everywhere?").format(email=person.email),
        consequence=_(
            "All browsers and programs are signed out at once, and all API tokens are revoked: "
            "programs that use them need new ones."
        ),
        button=_("Sign out everywhere"),
    )


def _whether_to_shut_off(person: User) -> Question:
    return Question(
        heading=_("Shut off the account of {email}?").format(email=person.email),
        consequence=_(
            "They are signed out at once, their API tokens are revoked, and they can't sign in "
            "until the account is opened again. What they own and wrote stays."
        ),
        button=_("Shut it off"),
    )


def _whether_to_hand_over(person: User, taker: str) -> Question:
    return Question(
        heading=_("Hand over to {taker}?").format(taker=taker),
        consequence=_(
            "{taker} becomes the owner of what {email} owns: {owned_by}. {email} stays an editor "
            "of the datasources. Only {taker} can give it back."
        ).format(taker=taker, email=person.email, owned_by=owned_by(person)),
        button=_("Hand over"),
    )


def _whether_to_take_second_factor(person: User) -> Question:
    return Question(
        heading=_("Take the second factor of {email} away?").format(email=person.email),
        consequence=_(
            "Their codes, passkeys and recovery codes no longer count, and their browsers are signed out. "
            "At the next sign-in the password is enough, or a new second factor is set up. Make sure that it "
            "is really them who asks."
        ),
        button=_("Take it away"),
    )


QUESTIONS: dict[str, Callable[[User], Question]] = {
    "sign_out": _whether_to_sign_out,
    "shut_off": _whether_to_shut_off,
    "second_factor": _whether_to_take_second_factor,
}
# What an action does, and what is said once it is done.
STANDING: dict[str, tuple[Callable[..., None], StrOrPromise]] = {
    "sign_out": (standing.sign_out_everywhere, gettext_lazy("{} is signed out everywhere.")),
    "shut_off": (standing.shut_off, gettext_lazy("The account of {} is shut off.")),
    "open_again": (standing.open_again, gettext_lazy("{} may sign in again.")),
    "second_factor": (
        standing.take_second_factor_away,
        gettext_lazy("The second factor of {} is taken away."),
    ),
}


def _standing(
    request: HttpRequest, shown: User, act: Callable[..., None], said: StrOrPromise
) -> HttpResponse:
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
    said = _("{email} owns them now: {owned}.").format(email=taker.email, owned=handed.owned)
    if handed.schedules_left:
        left = counted(handed.schedules_left, "scheduled evaluation")
        said += " " + _("Not handed over: {left}, of datasources that {email} may not edit.").format(
            left=left, email=taker.email
        )
    messages.success(request, said)
    return True

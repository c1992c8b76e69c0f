"""Pages of one's API tokens: the list, a new one, which is shown once, and the way to revoke one."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.api_tokens import make_token, password_mark
from accounts.models import ApiToken, User
from accounts.programs.tokens import end_all
from datasources.models import Datasource, Role
from datasources.web.connecting import address, programs
from datasources.web.forms import refuse
from datasources.web.pages import HtmxRequest, signed_in
from datasources.web.token_forms import TokenForm

NEW = "new_api_token"  # in the session, from the form to the page that shows it


@login_required
@require_safe
def api_tokens(request: HtmxRequest) -> HttpResponse:
    """The list; the first time after one was made, with its text, which is kept nowhere from then on."""
    person = signed_in(request)
    context = listing(person)
    new = request.session.pop(NEW, None) if request.method == "GET" else None
    if new and (made := person.api_tokens.filter(pk=new["token"]).first()):
        context |= {"made": made, "secret": new["secret"], "programs": programs(new["secret"])}
    return render(request, "datasources/tokens.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_api_token(request: HtmxRequest) -> HttpResponse:
    """A dialog on the list, or a page of its own. Then the list shows the token's text, once: a reload of
    that page sends no form again.
    """
    person = signed_in(request)
    form = TokenForm(person, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made, secret = make_token(person, **form.arguments())
        except ValidationError as refusal:
            refuse(form, refusal)
        else:
            request.session[NEW] = {"token": made.pk, "secret": secret}
            return redirect("api_tokens")
    status = 422 if form.errors else 200
    return render(request, "datasources/new_token.html", {"form": form, "tab": "account"}, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def revoke_api_token(request: HtmxRequest, token: int) -> HttpResponse:
    """The question whether to, then the list without it."""
    mine = get_object_or_404(ApiToken, pk=token, user=signed_in(request), grant=None)
    if request.method == "POST":
        mine.delete()
        messages.success(request, _("“{name}” revoked").format(name=mine.name))
        return redirect("api_tokens")
    return render(request, "datasources/revoke_token.html", {"token": mine, "tab": "account"})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def revoke_api_tokens(request: HtmxRequest) -> HttpResponse:
    """The same of all at once, with the programs that were let in."""
    person = signed_in(request)
    if request.method == "POST":
        end_all(person)
        messages.success(request, _("All tokens revoked"))
        return redirect("api_tokens")
    context = {"tokens": person.api_tokens.all(), "tab": "account"}
    return render(request, "datasources/revoke_tokens.html", context)


def listing(person: User) -> dict[str, Any]:
    """The person's tokens, each with the names of what it reaches and why it has ended, if it has."""
    tokens = list(person.api_tokens.filter(grant=None))
    name_reached(tokens, person)
    for token in tokens:
        token.ended = ended(token, person)  # type: ignore[attr-defined]
    return {
        "tokens": tokens,
        "has_several": person.api_tokens.count() > 1,  # with those of programs
        "tab": "account",
        "address": address(),
        "programs": programs(),
    }


def name_reached(tokens: Iterable[ApiToken], person: User) -> None:
    """Put the names of what it reaches on each; None: everything."""
    names = dict(Datasource.objects.visible_to(person, Role.ASKER).values_list("pk", "name"))
    for token in tokens:
        ids = token.datasource_ids
        reached = None if ids is None else [names[pk] for pk in ids if pk in names]
        token.reached = reached  # type: ignore[attr-defined]


def ended(token: ApiToken, person: User) -> str:
    if token.is_expired:
        return _("Expired")
    return _("Ended by your new password") if token.password_mark != password_mark(person) else ""

"""One's own settings and theme; what the sign-in pages do differently from allauth's own."""

import time
from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.views import LoginView, logout, password_reset, signup
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_safe

from accounts.devices import remember_device
from accounts.forms import SettingsForm, ThemeForm
from accounts.identity import sessions
from accounts.identity.pages import leaving
from accounts.identity.services import connections_of, offered
from accounts.identity.web.leaving import way_out
from accounts.models import User
from accounts.quotas import quotas_of
from accounts.sections import PAGE_OF_FIELD, settings_of_account, settings_of_server
from settings_pages.saving import save_fields
from settings_pages.search import find_settings

View = Callable[[HttpRequest], HttpResponseBase]
YEAR = 365 * 24 * 3600  # seconds
login = LoginView.as_view(extra_context={"providers": offered})


@login_required
@require_safe
def account_settings(request: HttpRequest) -> HttpResponse:
    """Name and sign-in; ?q= finds settings by their words."""
    typed = request.GET.get("q", "").strip()
    offered = [*settings_of_account(), *settings_of_server(_person(request))]
    found = {"typed": typed, "found_settings": find_settings(offered, typed)}
    if getattr(request, "htmx", False):
        return render(request, "settings_pages/_found.html", found)
    form = SettingsForm(instance=_person(request))
    connections = connections_of(_person(request))
    return _section(request, "account_settings", {"form": form, "connections": connections, **found})


@login_required
@require_safe
def account_appearance(request: HttpRequest) -> HttpResponse:
    """Theme, keys, how answers appear."""
    return _section(request, "account_appearance", {"form": SettingsForm(instance=_person(request))})


@login_required
@require_safe
def account_limits(request: HttpRequest) -> HttpResponse:
    """What one may add and ask within an hour."""
    return _section(request, "account_limits", {"quotas": quotas_of(_person(request))})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def save_account_setting(request: HttpRequest) -> HttpResponse:
    """One field of the account; a refused one is shown at this address, so a reload asks for it."""
    page = PAGE_OF_FIELD.get(request.POST.get("field", ""), "account_settings")
    if request.method != "POST":
        return redirect(page)
    person = _person(request)

    def save(**given: object) -> None:
        User.objects.filter(pk=person.pk).update(**given)

    def refused(form: BaseForm) -> HttpResponse:
        person.refresh_from_db()  # the form has written the refused values into it
        return _section(request, page, {"form": form}, status=422)

    form = SettingsForm(request.POST, instance=person)
    answer = save_fields(request, form, save, page=refused, back=reverse(page))
    named = () if form.errors else request.POST.getlist("field")
    if "theme" in named:
        remember_theme(answer, form.cleaned_data["theme"])
    if "language" in named:
        remember_language(answer, form.cleaned_data["language"])
    return answer


def _section(request: HttpRequest, here: str, context: dict[str, Any], status: int = 200) -> HttpResponse:
    context |= {"here": here, "tab": "account"}
    return render(request, f"accounts/{here.removeprefix('account_')}.html", context, status=status)


def _person(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


@require_http_methods(["GET", "HEAD", "POST"])
def theme(request: HttpRequest) -> HttpResponse:
    """Store the theme: in the account of the signed-in person, and in this browser."""
    if request.method != "POST":
        return redirect("home")
    form = ThemeForm(request.POST)
    if not form.is_valid():
        return HttpResponseBadRequest("This theme does not exist.", content_type="text/plain")
    chosen = form.cleaned_data["theme"]
    if isinstance(request.user, User):
        request.user.theme = chosen
        request.user.save(update_fields=["theme"])
    back = request.headers.get("Referer", "")
    safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return remember_theme(redirect(back if safe else "home"), chosen)


def remember_theme(response: HttpResponse, chosen: str) -> HttpResponse:
    """So that the sign-in page has it too, from its first byte on."""
    response.set_cookie("theme", chosen, max_age=YEAR, httponly=True, samesite="Lax", secure=settings.HTTPS)
    return response


def remember_language(response: HttpResponse, chosen: str) -> None:
    """So that the sign-in page has it too. The page is asked for again: all its words change."""
    response["HX-Refresh"] = "true"
    if not chosen:
        response.delete_cookie(settings.LANGUAGE_COOKIE_NAME, samesite="Lax")
        return
    response.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        chosen,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
        secure=settings.LANGUAGE_COOKIE_SECURE,
    )


@require_safe
def account_email(request: HttpRequest) -> HttpResponse:
    return redirect("account_settings")


def sign_in(request: HttpRequest) -> HttpResponseBase:
    """Remembers the device of the person who signs in; says how long to wait after too many attempts."""
    answer: HttpResponseBase = login(request)
    if wait := getattr(request, "retry_after", 0):
        answer.status_code = 429
        answer["Retry-After"] = str(wait)
    elif request.method == "POST" and isinstance(request.user, User):
        remember_device(answer, request.user.email)
    return answer


def sign_out(request: HttpRequest) -> HttpResponseBase:
    """Here, and at the provider that the session was begun with."""
    begun = request.session.get(sessions.KEY) if request.method == "POST" else None
    answer: HttpResponseBase = logout(request)
    if begun and not request.user.is_authenticated and (address := way_out(request, begun)):
        return leaving(request, address, "", out=True)
    return answer


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """The page of `handler429`: allauth's own limits are of a minute."""
    page = render(request, "429.html", status=429)
    page["Retry-After"] = "60"
    return page


def takes_as_long(seconds: float) -> Callable[[View], View]:
    """An accepted form is answered after that time, whether or not there is an account of that address."""

    def decorate(view: View) -> View:
        @wraps(view)
        def answer(request: HttpRequest) -> HttpResponseBase:
            end = time.monotonic() + seconds
            response = view(request)
            if response.status_code == 302:
                time.sleep(max(0, end - time.monotonic()))
            return response

        return answer

    return decorate


@takes_as_long(1.0)
def sign_up(request: HttpRequest) -> HttpResponseBase:
    answer: HttpResponseBase
    try:
        answer = signup(request)
    except IntegrityError:  # another request has made this account meanwhile: now the form finds it
        answer = signup(request)
    return answer


@require_http_methods(["GET", "HEAD", "POST"])
@takes_as_long(0.5)
def reset_password(request: HttpRequest) -> HttpResponseBase:
    """Mail a link; without a mail server, say who can help."""
    if not settings.EMAIL_URL:
        return render(request, "account/password_reset_no_mail.html")
    return password_reset(request)

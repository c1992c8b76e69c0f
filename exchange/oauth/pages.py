"""The programs that one has let in; and, for administrators, those of everybody."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from accounts.programs import rule
from accounts.programs.models import Grant
from accounts.programs.tokens import end
from datasources.numbers import limited
from datasources.web.connecting import address
from datasources.web.pages import signed_in
from datasources.web.token_views import name_reached
from providers.web.administrators import administrators_only
from settings_pages.asking import Question, ask
from settings_pages.saving import save_fields

AT_ONCE = 100  # on a page


class RuleForm(forms.Form):
    """Saved as it is switched."""

    allowed = forms.BooleanField(
        label=gettext_lazy("People may let programs in"),
        required=False,
        help_text=gettext_lazy(
            "Switched off, programs that were let in get nothing, and no other is let in. API tokens stay."
        ),
        widget=forms.CheckboxInput(attrs={"class": "switch", "role": "switch"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs["initial"] = {"allowed": rule.is_allowed()}
        super().__init__(*args, **kwargs)


@login_required
@require_safe
def programs(request: HttpRequest) -> HttpResponse:
    """One's own, each with what it may do and when it last did."""
    person = signed_in(request)
    mine = list(Grant.objects.with_names().filter(token__user=person))
    name_reached([one.token for one in mine], person)
    context = {"programs": mine, "address": address(), "is_offered": rule.is_offered()}
    return render(request, "programs/mine.html", {**context, "here": "programs", "tab": "account"})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def end_program(request: HttpRequest, program: int) -> HttpResponse:
    """The question whether to, then the list without it."""
    mine = get_object_or_404(Grant.objects.with_names(), pk=program, token__user=signed_in(request))
    if request.method == "POST":
        end(mine, by=signed_in(request))
        messages.success(request, _("{program} gets nothing from now on.").format(program=mine))
        return redirect("programs")
    back = reverse("programs")
    return ask(request, _whether_to_end(mine), address=request.path, back=back, fields={})


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def programs_of_everybody(request: HttpRequest) -> HttpResponse:
    """?ask= puts the question whether to: to end one, or all. POST does it."""
    every = Grant.objects.with_names()
    if request.method == "POST":
        chosen = request.POST.get("program", "")
        found = list(every if chosen == "all" else every.filter(pk=limited(chosen, 0, 2**63 - 1)))
        for one in found:
            end(one, by=signed_in(request))
        said = ngettext("{n} program ended.", "{n} programs ended.", len(found))
        messages.success(request, said.format(n=len(found)))
        return redirect("programs_of_everybody")
    if asked := request.GET.get("ask", ""):
        question = (
            _whether_to_end_all()
            if asked == "all"
            else _whether_to_end(get_object_or_404(every, pk=limited(asked, 0, 2**63 - 1)))
        )
        return ask(request, question, address=request.path, back=request.path, fields={"program": asked})
    return _page(request, RuleForm())


@require_http_methods(["GET", "HEAD", "POST"])
@administrators_only
def save_program_rule(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return redirect("programs_of_everybody")

    def save(allowed: bool) -> None:
        rule.allow(allowed, by=signed_in(request))

    def refused(form: forms.BaseForm) -> HttpResponse:
        return _page(request, form, status=422)

    return save_fields(
        request, RuleForm(request.POST), save, page=refused, back=reverse("programs_of_everybody")
    )


def _page(request: HttpRequest, form: forms.BaseForm, status: int = 200) -> HttpResponse:
    page = Paginator(Grant.objects.with_names(), AT_ONCE).get_page(limited(request.GET.get("page"), 1, 10**6))
    context = {"page": page, "form": form, "is_possible": rule.is_possible(), "address": address()}
    context |= {"here": "programs_of_everybody", "tab": "account"}
    return render(request, "programs/of_everybody.html", context, status=status)


def _whether_to_end(one: Grant) -> Question:
    return Question(
        heading=_("End {program}?").format(program=one),
        consequence=_("It gets nothing from now on. To use it again, let it in again."),
        button=_("End it"),
    )


def _whether_to_end_all() -> Question:
    return Question(
        heading=_("End all programs?"),
        consequence=_(
            "None of the programs that people have let in gets anything from now on. API tokens stay."
        ),
        button=_("End all"),
    )

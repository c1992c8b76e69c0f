"""Pages of matters: the list of them, one with its datasources and people, and what is done with it."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from datasources import matters
from datasources.counts import document_counts
from datasources.in_use.models import everything_is_local
from datasources.matters import find_matter, may_open
from datasources.models import Datasource, Document, Matter, Role
from datasources.web.forms import GroupForm, MemberForm, RoleForm, refuse
from datasources.web.pages import HtmxRequest, datasource_for, go, posted_from, signed_in
from svq_site.dashboard.cards import cards
from svq_site.dashboard.folders import folders, with_words
from svq_site.matters.forms import MatterForm, PutInForm

PAGE = 24  # matters in the list, and datasources of one


def page_of(pk: int) -> str:
    return reverse("matter", args=[pk])


def of_matter(pk: int, **__: Any) -> str:
    """The address of the matter's page, for `posted_from`."""
    return page_of(pk)


@login_required
@require_safe
def matter_list(request: HttpRequest) -> HttpResponse:
    """?find= a part of a name; ?archived=1: those that are put away."""
    person, words = signed_in(request), request.GET.get("find", "").strip()[:100]
    is_archive = request.GET.get("archived") == "1"
    visible = Matter.objects.visible_to(person)
    found = visible.filter(archived__isnull=not is_archive)
    page = Paginator(with_words(words, found), PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "folders": folders(person, list(page)),
        "words": words,
        "is_archive": is_archive,
        "has_archived": not page.object_list and visible.exclude(archived=None).exists(),
        "tab": "home",
    }
    return render(request, "matters/list.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new_matter(request: HtmxRequest) -> HttpResponse:
    """A dialog, or a page of its own."""
    form = MatterForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = matters.make_matter(form.cleaned_data["name"], by=signed_in(request))
        except ValidationError as refusal:
            refuse(form, refusal)
        else:
            return go(request, page_of(made.pk))
    status = 422 if form.errors else 200
    return render(request, "matters/new.html", {"form": form, "tab": "home"}, status=status)


@login_required
@require_safe
def matter(request: HtmxRequest, pk: int) -> HttpResponse:
    return matter_page(request, find_matter(signed_in(request), pk))


def matter_page(request: HtmxRequest, shown: Matter, **refused: Any) -> HttpResponse:
    """refused: forms with what was wrong, in place of fresh ones."""
    person = signed_in(request)
    is_owner = shown.has_role(person, Role.OWNER)
    visible = Datasource.objects.visible_to(person, Role.ASKER).filter(matter=shown)
    found = visible.select_related("owner", "introduction").order_by("name", "pk")
    page = Paginator(found, PAGE).get_page(request.GET.get("page"))
    context = {
        "matter": shown,
        "is_owner": is_owner and not shown.archived,
        "may_put_in": not shown.archived and shown.has_role(person, Role.EDITOR),
        "may_open": shown.archived and may_open(shown, person),
        "may_delete": is_owner,
        "page": page,
        "cards": cards(person, list(page)),
        "numbers": list(visible.values_list("pk", flat=True)),
        "counts": document_counts(Document.objects.filter(datasource__in=visible)),
        "is_local": everything_is_local(),
        "shares": shared_with(shown),
        "roles": Role,
        "name_form": MatterForm(initial={"name": shown.name}),
        "member_form": MemberForm(),
        "group_form": GroupForm(besides=shown.shares.exclude(group=None).values("group")),
        "tab": "home",
    }
    status = 422 if any(form.errors for form in refused.values()) else 200
    return render(request, "matters/matter.html", {**context, **refused}, status=status)


def shared_with(shown: Matter) -> Any:
    """Its roles, those of people first."""
    return shown.shares.select_related("person", "group").order_by("email", "group__name", "person__email")


@login_required
@posted_from(of_matter)
def rename_matter(request: HtmxRequest, pk: int) -> HttpResponse:
    shown = find_matter(signed_in(request), pk, Role.OWNER)
    form = MatterForm(request.POST)
    if form.is_valid():
        try:
            matters.rename_matter(shown, form.cleaned_data["name"], by=signed_in(request))
        except ValidationError as refusal:
            refuse(form, refusal)
        else:
            messages.success(request, _("Renamed."))
            return redirect(page_of(pk))
    return matter_page(request, shown, name_form=form)


@login_required
@posted_from(of_matter)
def share_matter(request: HtmxRequest, pk: int) -> HttpResponse:
    """With an e-mail address, without telling whether it has an account."""
    shown = find_matter(signed_in(request), pk, Role.OWNER)
    form = MemberForm(request.POST)
    if form.is_valid():
        email, role = form.cleaned_data["email"], Role(form.cleaned_data["role"])
        try:
            matters.share_matter(shown, email, role, by=signed_in(request))
        except ValidationError as refusal:
            refuse(form, refusal)
        else:
            told = _("Shared with {email} as {role}. It takes effect once that address is confirmed.")
            messages.success(request, told.format(email=email, role=_(role.value)))
            return redirect(page_of(pk))
    return matter_page(request, shown, member_form=form)


@login_required
@posted_from(of_matter)
def share_matter_with_group(request: HtmxRequest, pk: int) -> HttpResponse:
    """A group that has a role already gets the new one."""
    shown = find_matter(signed_in(request), pk, Role.OWNER)
    form = GroupForm(request.POST)
    if not form.is_valid():
        return matter_page(request, shown, group_form=form)
    group, role = form.cleaned_data["group"], Role(form.cleaned_data["role"])
    return _done(
        request,
        pk,
        lambda: matters.share_matter_with_group(shown, group, role, by=signed_in(request)),
        _("Shared with {group} as {role}.").format(group=group, role=_(role.value)),
    )


@login_required
@posted_from(of_matter)
def change_matter_share(request: HtmxRequest, pk: int, share: int) -> HttpResponse:
    """Another role, or none: a button says so."""
    shown = find_matter(signed_in(request), pk, Role.OWNER)
    row = get_object_or_404(shown.shares.select_related("matter", "person", "group"), pk=share)
    by = signed_in(request)
    if "remove" in request.POST:
        told = _("{who} has no role in it any more.").format(who=row.who)
        return _done(request, pk, lambda: matters.end_share(row, by=by), told)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(OFFERED_ROLES))
        return redirect(page_of(pk))
    role = Role(form.cleaned_data["role"])
    told = _("{who} is {role} now.").format(who=row.who, role=_(role.value))
    return _done(request, pk, lambda: matters.change_share(row, role, by=by), told)


OFFERED_ROLES = gettext_lazy("Choose one of the roles that are offered.")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def put_in_matter(request: HtmxRequest, pk: int) -> HttpResponse:
    """A dialog that tells who will see the datasource, or a page of its own."""
    person = signed_in(request)
    shown = find_matter(person, pk, Role.EDITOR)
    form = PutInForm(person, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            matters.put_in(shown, form.chosen, by=person)
        except ValidationError as refusal:
            refuse(form, refusal)
        else:
            messages.success(
                request, _("“{datasource}” is in {matter} now.").format(datasource=form.chosen, matter=shown)
            )
            return go(request, page_of(pk))
    context = {"form": form, "matter": shown, "shares": shared_with(shown), "tab": "home"}
    return render(request, "matters/put_in.html", context, status=422 if form.errors else 200)


@login_required
@posted_from(of_matter)
def take_out_of_matter(request: HtmxRequest, pk: int, datasource: int) -> HttpResponse:
    """For who owns the datasource."""
    shown = find_matter(signed_in(request), pk)
    row = datasource_for(request, datasource, Role.OWNER)
    return _done(
        request,
        pk,
        lambda: matters.take_out(shown, row, by=signed_in(request)),
        _("“{datasource}” is in no matter any more.").format(datasource=row),
        back=reverse("settings_section", args=[datasource, "people"])
        if request.POST.get("from") == "settings"
        else None,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def archive_matter(request: HtmxRequest, pk: int) -> HttpResponse:
    """A dialog that says what that means, or a page of its own."""
    shown = find_matter(signed_in(request), pk, Role.OWNER)
    if request.method == "POST":
        matters.archive(shown, by=signed_in(request))
        told = _("{matter} is archived. You find it under Matters, Archived.")
        messages.success(request, told.format(matter=shown))
        return go(request, page_of(pk))
    return render(request, "matters/archive.html", _of_dialog(request, shown))


@login_required
@posted_from(of_matter)
def open_matter(request: HtmxRequest, pk: int) -> HttpResponse:
    """As it was before it was archived."""
    person = signed_in(request)
    shown = find_matter(person, pk)
    matters.require_opener(shown, person)
    told = _("{matter} is open again.").format(matter=shown)
    return _done(request, pk, lambda: matters.open_again(shown, by=person), told)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete_matter(request: HtmxRequest, pk: int) -> HttpResponse:
    """A dialog that says that its datasources stay, or a page of its own."""
    shown = find_matter(signed_in(request), pk, Role.OWNER)
    if request.method == "POST":
        name = str(shown)
        matters.delete_matter(shown, by=signed_in(request))
        told = _("{matter} is deleted. Its datasources stay with their owners.")
        messages.success(request, told.format(matter=name))
        return go(request, reverse("home"))
    return render(request, "matters/delete.html", _of_dialog(request, shown))


def _of_dialog(request: HtmxRequest, shown: Matter) -> dict[str, Any]:
    return {"matter": shown, "datasources": shown.datasources.count(), "tab": "home"}


def _done(request: HttpRequest, pk: int, act: Any, said: str, *, back: str | None = None) -> HttpResponse:
    """Does it and says so, or says why not."""
    try:
        act()
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    else:
        messages.success(request, said)
    return redirect(back or page_of(pk))

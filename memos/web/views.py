"""Memos in the browser: made on the notebook's page, edited beside a preview, taken as files."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import push_url, reswap, retarget

from chat.web.replies import conflict, done
from datasources.models import Role
from datasources.numbers import numbers_in
from datasources.refusals import too_busy
from datasources.web.downloads import saved_as
from datasources.web.pages import (
    HtmxRequest,
    bar,
    can_edit,
    datasource_for,
    page_of_datasource,
    posted_from,
    signed_in,
)
from jobs.fair_slots import Busy
from memos.files.writing import FORMS, written
from memos.models import Memo
from memos.services import GONE, add_notes, make_memo, save_memo, take_out_source
from memos.web.forms import MemoForm
from memos.web.preview import preview_of

BUSY = gettext_lazy(
    "Several files are being written for you just now. Nothing was made; try again in a few seconds."
)
PLAIN = "text/plain; charset=utf-8"


def memo_of(request: HtmxRequest, pk: int, memo: int, needed: Role = Role.VIEWER) -> Memo:
    """Raises Http404 (stranger, no such memo), PermissionDenied (low role)."""
    return get_object_or_404(_memos(request, pk, needed), pk=memo)


def _memos(request: HtmxRequest, pk: int, needed: Role) -> QuerySet[Memo]:
    """Those of the datasource. Raises as `memo_of`."""
    return datasource_for(request, pk, needed).memos.select_related("datasource", "author", "beside")


def page_of(memo: Memo) -> str:
    return reverse("memo", args=[memo.datasource_id, memo.pk])


@login_required
@posted_from(page_of_datasource("notebook", "#memos"))
def write_memo(request: HtmxRequest, pk: int) -> HttpResponse:
    """A memo of the chosen notes; with the button `add`, they are put at the end of one that there is."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    chosen = numbers_in(request.POST.getlist("note"))
    try:
        if "add" in request.POST:
            to = get_object_or_404(datasource.memos, pk__in=numbers_in([request.POST.get("memo", "")]))
            memo = add_notes(to, chosen)
        else:
            memo = make_memo(signed_in(request), datasource, chosen)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
        return redirect("notebook", pk)
    return redirect(page_of(memo))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def memo(request: HtmxRequest, pk: int, memo: int) -> HttpResponse:
    """The memo; POST saves what an editor wrote. What was saved elsewhere meanwhile stays as it is: then the
    editor goes on in a memo of their own.
    """
    if request.method != "POST":
        return _page(request, memo_of(request, pk, memo))
    row = _memos(request, pk, Role.EDITOR).filter(pk=memo).first()
    if row is None and request.htmx:
        return _not_saved(request, str(GONE))
    if row is None:
        raise Http404
    form = MemoForm(request.POST)
    if not form.is_valid():
        return HttpResponse(
            _("The memo's edition is missing. Nothing was saved."), status=400, content_type=PLAIN
        )
    try:
        saved = save_memo(signed_in(request), row, **form.cleaned_data)
    except ValidationError as refusal:
        return _refused(request, row, form, refusal.messages[0])
    if not request.htmx:
        messages.success(request, _("Saved."))
        return redirect(page_of(saved))
    if saved.pk == row.pk:
        return render(request, "memos/_saved.html", _context(request, saved))
    response = render(request, "memos/_memo.html", _context(request, saved))
    return push_url(reswap(retarget(response, "#memo"), "outerHTML"), page_of(saved))


@login_required
@posted_from(lambda pk, memo, **__: reverse("memo", args=[pk, memo]))
def take_out(request: HtmxRequest, pk: int, memo: int) -> HttpResponse:
    """Remove the source `n`, which the text does not cite."""
    row = memo_of(request, pk, memo, Role.EDITOR)
    try:
        for n in numbers_in(request.POST.getlist("n")):
            take_out_source(row, n)
    except ValidationError as refusal:
        if request.htmx:
            return conflict(refusal.messages[0])
        messages.error(request, refusal.messages[0])
    if request.htmx:
        row.refresh_from_db(fields=["sources"])
        return render(request, "memos/_changed.html", _context(request, row))
    return redirect(page_of(row))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete_memo(request: HtmxRequest, pk: int, memo: int) -> HttpResponse:
    """The question whether to, then the notebook without it."""
    row = memo_of(request, pk, memo, Role.EDITOR)
    if request.method == "POST":
        row.delete()
        return done(request, reverse("notebook", args=[pk]), _("Memo deleted"))
    return render(request, "memos/delete.html", bar(row.datasource, "chat") | {"memo": row})


@login_required
@require_safe
def memo_file(request: HtmxRequest, pk: int, memo: int, form: str) -> HttpResponse:
    """The memo to hand on. Raises Http404 for a form that there is not."""
    row = memo_of(request, pk, memo)
    if form not in FORMS:
        raise Http404
    try:
        content = written(row, form, signed_in(request).pk)
    except ValidationError as refusal:
        return HttpResponse(refusal.messages[0], status=422, content_type=PLAIN)
    except Busy as busy:
        return too_busy(str(BUSY), busy)
    disposition = saved_as(f"{row.title}.{form}")
    return HttpResponse(content, content_type=FORMS[form].mime, headers={"Content-Disposition": disposition})


def _refused(request: HtmxRequest, row: Memo, form: MemoForm, why: str) -> HttpResponse:
    """The words beside the field, which keeps what was written."""
    if request.htmx:
        return _not_saved(request, why)
    context = _context(request, row)
    row.title, row.text, row.edition = (form.cleaned_data[name] for name in ("title", "text", "edition"))
    return render(request, "memos/memo.html", context | {"refused": why}, status=422)


def _not_saved(request: HtmxRequest, why: str) -> HttpResponse:
    return render(request, "memos/_state.html", {"refused": why}, status=422)


def _page(request: HtmxRequest, row: Memo) -> HttpResponse:
    return render(request, "memos/memo.html", _context(request, row))


def _context(request: HtmxRequest, row: Memo) -> dict[str, Any]:
    files = [
        (reverse("memo_file", args=[row.datasource_id, row.pk, form]), each.name)
        for form, each in FORMS.items()
    ]
    return bar(row.datasource, "chat") | {
        "memo": row,
        "preview": preview_of(row),
        "files": files,
        "can_edit": can_edit(request, row.datasource),
    }

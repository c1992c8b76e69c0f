"""Frameworks: the list, importing, one framework with its requirements, corrections, where it is used."""

import csv
from io import BytesIO, StringIO
from typing import Any

import xlsxwriter
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language_info, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from datasources.models import Datasource, Role
from datasources.numbers import number_in
from datasources.settings.sections import page_of_section
from datasources.web.pages import HtmxRequest, datasource_for, page_of_datasource, posted_from, signed_in
from desks.compliance.checks.ready import use_list
from desks.compliance.frameworks import services, shipped
from desks.compliance.frameworks.counts import counts_of
from desks.compliance.frameworks.importing import SUFFIXES
from desks.compliance.frameworks.of_document import draft_of_document
from desks.compliance.frameworks.reading.tables import COLUMNS, EXAMPLE
from desks.compliance.frameworks.services import Correction
from desks.compliance.frameworks.text import add_text, remove_text
from desks.compliance.models import Framework, Requirement
from desks.compliance.web.find import framework_of
from desks.compliance.web.ready_views import imported
from formats.sheets.format import SHEETS
from text.languages import name_of_language

CSV = "text/csv; charset=utf-8"
FRAMEWORKS = page_of_section("general", "#frameworks")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def frameworks(request: HtmxRequest) -> HttpResponse:
    """Those that one may read; POST imports one."""
    person = signed_in(request)
    error = ""
    if request.method == "POST":
        try:
            made = imported(request)
        except ValidationError as refusal:
            error = _(refusal.messages[0])
        else:
            messages.success(request, _("“{framework}” was imported.").format(framework=made))
            return redirect("framework", made.pk)
    assessable = Count("requirements", filter=Q(requirements__is_assessable=True))
    rows = Framework.objects.visible_to(person).select_related("owner")
    rows = rows.annotate(assessable=assessable)
    context = {
        "rows": rows,
        "shipped": shipped.NAME,
        "error": error,
        "accept": ",".join(SUFFIXES),
        "name": request.POST.get("name", ""),
    }
    return render(request, "compliance/frameworks.html", context, status=422 if error else 200)


@login_required
@require_safe
def template(request: HtmxRequest, form: str) -> HttpResponse:
    """An empty table with an example, as csv or xlsx."""
    if form == "csv":
        text = StringIO()
        csv.writer(text).writerows([COLUMNS, *EXAMPLE])
        return _file(text.getvalue().encode(), CSV, "framework.csv")
    if form != "xlsx":
        raise Http404
    content = BytesIO()
    with xlsxwriter.Workbook(content) as book:
        sheet = book.add_worksheet("Framework")
        for place, row in enumerate([COLUMNS, *EXAMPLE]):
            for column, cell in enumerate(row):
                sheet.write_string(place, column, cell)
        sheet.set_column(3, 3, 70)
    return _file(content.getvalue(), SHEETS.mime, "framework.xlsx")


def _file(content: bytes, kind: str, name: str) -> HttpResponse:
    return HttpResponse(
        content, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def framework(request: HtmxRequest, framework: int) -> HttpResponse:
    """One framework; its owner POSTs `action` save or delete. ?language= shows a translation."""
    posted = request.method == "POST"
    row = framework_of(request, framework, own=posted)
    error = ""
    if posted:
        try:
            if request.POST.get("action") == "delete":
                services.delete_framework(row)
                messages.success(request, _("“{framework}” was deleted.").format(framework=row))
                return redirect("frameworks")
            services.change_framework(
                row, name=request.POST.get("name", ""), is_shared="is_shared" in request.POST
            )
        except ValidationError as refusal:
            error = _(refusal.messages[0])
        else:
            return redirect("framework", row.pk)
    counts = counts_of(row)
    language = request.GET.get("language", "")
    context = {
        "framework": row,
        "counts": counts,
        "languages": [(code, _name_of(code), count) for code, count in counts.languages.items()],
        "error": error,
        "is_own": row.owner_id == signed_in(request).pk,
        "shown_language": language if language in counts.languages else row.language or "unknown",
        "rows": [(each, *_words(each, language)) for each in row.requirements.order_by("position")],
        "datasources": _usable(request, row),
        "used_in": _used_in(request, row),
    }
    return render(request, "compliance/framework.html", context, status=422 if error else 200)


def _name_of(language: str) -> str:
    """“Czech” of “cs”; the code itself where nobody knows its name."""
    if name := name_of_language(language[:2]):
        return _(name)
    try:
        return str(get_language_info(language)["name_translated"])
    except KeyError:
        return language


def _words(row: Requirement, language: str) -> tuple[str, str]:
    """Title and text in that language, where there are such."""
    told = row.translations.get(language) or {}
    return told.get("title") or row.title, told.get("text") or row.text


def _used_in(request: HtmxRequest, row: Framework) -> list[Datasource]:
    visible = Datasource.objects.visible_to(signed_in(request))
    return list(visible.filter(pk__in=row.attachments.values("datasource")))


def _usable(request: HtmxRequest, row: Framework) -> list[Datasource]:
    """Where the person could attach it."""
    person = signed_in(request)
    if not Framework.objects.attachable_by(person).filter(pk=row.pk).exists():
        return []
    visible = Datasource.objects.listed_for(person).exclude(pk__in=row.attachments.values("datasource"))
    return [each for each in visible[:100] if each.has_role(person, Role.EDITOR)]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def requirement(request: HtmxRequest, framework: int, requirement: int) -> HttpResponse:
    """Correct one requirement. `action`: save, add (behind it), add_below, remove."""
    row = framework_of(request, framework, own=True)
    chosen = get_object_or_404(row.requirements, pk=requirement)
    error = ""
    if request.method == "POST":
        told = Correction(
            **{name: request.POST.get(name, "") for name in ("ref", "title", "text", "domain")},
            is_assessable="is_assessable" in request.POST,
        )
        try:
            opened = _corrected(row, chosen, told, request.POST.get("action", ""))
        except ValidationError as refusal:
            error = _(refusal.messages[0])
        else:
            return redirect(f"{reverse('framework', args=[row.pk])}#r{opened}")
    is_new = request.GET.get("new") if request.GET.get("new") in ("behind", "below") else ""
    context: dict[str, Any] = {"framework": row, "requirement": chosen, "error": error, "new": is_new}
    values = (
        request.POST
        if error
        else (Requirement(domain=chosen.domain, is_assessable=True) if is_new else chosen)
    )
    return render(
        request, "compliance/correct.html", context | {"values": values}, status=422 if error else 200
    )


def _corrected(row: Framework, chosen: Requirement, told: Correction, action: str) -> int:
    """The number of the requirement to show next."""
    match action:
        case "remove":
            services.remove_requirement(chosen)
            return chosen.parent_id or 0
        case "behind" | "below":
            return services.add_requirement(row, told, after=chosen, deeper=action == "below").pk
    services.correct(chosen, told)
    return chosen.pk


@login_required
@posted_from(page_of_datasource("gaps"))
def attachments(request: HtmxRequest, pk: int) -> HttpResponse:
    """`action` attach, detach or text: of the framework of that number."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    number = number_in(request.POST.get("framework")) or 0
    if request.POST.get("action") == "detach":
        row = Framework.objects.filter(pk=number, attachments__datasource=datasource).first()
        try:
            if row is not None:
                services.detach(row, datasource)
                told = _("“{framework}” is not used here any more.").format(framework=row)
                if remove_text(row, datasource, signed_in(request)):
                    gone = _("Its text was deleted from the documents; undo it there within ten seconds.")
                    told = f"{told} {gone}"
                messages.success(request, told)
        except ValidationError as refusal:
            messages.error(request, _(refusal.messages[0]))
        return redirect(FRAMEWORKS(pk))
    if request.POST.get("action") == "text":
        _put_text(request, datasource, number)
        return redirect("documents", pk)
    row = Framework.objects.attachable_by(signed_in(request)).filter(pk=number).first()
    if row is None:
        messages.error(request, _("There is no such list. Choose another one."))
        return redirect("gaps", pk)
    use_list(row, datasource, signed_in(request))
    return redirect(f"{reverse('gaps', args=[pk])}?framework={row.pk}")


def _put_text(request: HtmxRequest, datasource: Datasource, number: int) -> None:
    """Among the documents, so that answers can quote it; or again, after corrections."""
    row = Framework.objects.filter(pk=number, attachments__datasource=datasource).first()
    try:
        if row is not None:
            count = add_text(row, datasource, signed_in(request))
            told = ngettext(
                "The text of “{framework}” is being read as one document.",
                "The text of “{framework}” is being read as {n} documents, one for each domain.",
                count,
            )
            messages.success(request, told.format(framework=row, n=count))
    except ValidationError as refusal:
        messages.error(request, _(refusal.messages[0]))


@login_required
@posted_from(page_of_datasource("gaps"))
def cut_document(request: HtmxRequest, pk: int) -> HttpResponse:
    """Make a framework of the numbered text of a document, and use it here."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    person = signed_in(request)
    number = number_in(request.POST.get("document")) or 0
    document = datasource.documents.ready().filter(pk=number).first()
    if document is None:
        gone = _("There is no such document, or it is not read yet. Choose another one.")
        messages.error(request, gone)
        return redirect(FRAMEWORKS(pk))
    try:
        made = services.store(person, draft_of_document(document), request.POST.get("name", ""))
    except ValidationError as refusal:
        messages.error(request, _(refusal.messages[0]))
        return redirect("frameworks")
    services.attach(made, datasource, person)
    told = _("Please read it through, and correct what its numbering does not show.")
    messages.success(request, told)
    return redirect("framework", made.pk)

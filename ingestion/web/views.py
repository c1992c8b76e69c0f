"""The documents page and everything on it that changes documents; deleting a datasource with its files."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods
from django_htmx.http import reswap, trigger_client_event

from accounts.audit import made_in_audit_log
from accounts.quotas import with_retry_after
from datasources.models import Datasource, Document, Role
from datasources.models.tags import folder_tag
from datasources.numbers import numbers_in
from datasources.services import loss_of
from datasources.web.pages import (
    HtmxRequest,
    bar,
    can_edit,
    datasource_for,
    go,
    page_of_datasource,
    posted_from,
    signed_in,
)
from events import log
from formats.registry import SUFFIXES
from ingestion import progress
from ingestion.adding.kinds_of_files import uploadable
from ingestion.adding.upload import UPLOAD_SUFFIXES, Accepted, accept_upload
from ingestion.lifecycle import deletion, retrying, unlocking
from ingestion.lifecycle.purging import purge_datasource
from ingestion.web.contributions import contributions
from ingestion.web.deletion_notice import notice
from ingestion.web.listing import SORTS, DocumentsQuery, page_of, state_counts
from ingestion.web.names import names_page
from ingestion.web.progress_card import reading_progress
from ingestion.web.rows import row
from localization.numbers import numeral

ACCEPT = ",".join(UPLOAD_SUFFIXES)
ACCEPT_VERSION = ",".join(SUFFIXES)  # ready passages replace no document
DOCUMENTS = page_of_datasource("documents")
NOTHING_TO_RETRY = gettext_lazy(
    "None of these was cancelled or failed in a way that another attempt can help. "
    "Replace what is damaged, empty or protected."
)
TOLD = 20  # refused files that are named after an upload without JavaScript


@login_required
@require_GET
def documents(request: HtmxRequest, pk: int) -> HttpResponse:
    """The page, or just its rows when a filter asks for them."""
    datasource = datasource_for(request, pk, Role.ASKER)
    if datasource.only_asked:
        return names_page(request, datasource)
    asked = DocumentsQuery.from_query(request.GET)
    channel = progress.channel(pk)
    seen = log.last_seq(channel)  # before anything is counted: what comes later is heard of
    page, rows = page_of(datasource, asked)
    context: dict[str, Any] = bar(datasource, "documents") | {
        "can_edit": can_edit(request, datasource),
        "states": state_counts(datasource, asked.words),
        "asked": asked,
        "page": page,
        "rows": rows,
        "reading": reading_progress(datasource),
        "deletions": notice(datasource),
    }
    for part in contributions():
        context |= part.notice_context(datasource)
    context |= {
        "columns": [part.column for part in contributions() if part.column],
        "ways_in": [way for part in contributions() for way in part.ways_in(datasource)],
        "notices": [part.notice for part in contributions() if part.notice],
    }
    if request.htmx:
        return render(request, "ingestion/_list.html", context)
    limit = settings.MAX_UPLOAD_BYTES
    context |= {
        "channel": channel,
        "seen": seen,
        "sorts": [(key, label) for key, (label, _order) in SORTS.items()],
        "accept": ACCEPT,
        "uploadable": uploadable(),
        "max_bytes": limit,
        "max_megabytes": limit // 2**20,
    }
    return render(request, "ingestion/documents.html", context)


# --- files in --------------------------------------------------------------------------------------------
@login_required
@posted_from(DOCUMENTS)
def upload(request: HtmxRequest, pk: int) -> HttpResponse:
    """One file with JavaScript, any number without, which get a summary."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    files = cast(list[UploadedFile], request.FILES.getlist("files"))
    if request.htmx:
        return upload_one(request, datasource, files)
    if not files:
        messages.error(request, _("No file was chosen. Choose one or more, then upload."))
    accepted = duplicates = 0
    refused: list[str] = []
    for file in files:
        try:
            taken = accept(request, datasource, file)
        except ValidationError as refusal:
            refused.append(refusal.messages[0])
            continue
        duplicates += sum(one.duplicate for one in taken)
        accepted += sum(not one.duplicate for one in taken)
    if accepted or duplicates:
        told = _("{added} added, {here} already here.")
        messages.success(request, told.format(added=numeral(accepted), here=numeral(duplicates)))
    for reason in refused[:TOLD]:
        messages.error(request, reason)
    return redirect("documents", pk)


def upload_one(request: HtmxRequest, datasource: Datasource, files: list[UploadedFile]) -> HttpResponse:
    """Nothing, as the list asks for itself again; a note for a file that is here already."""
    if not files:
        return refused(_("No file came with the request. Add it again."))
    try:
        taken = accept(request, datasource, files[0], tag=folder_tag(request.POST.get("path", "")))
    except ValidationError as refusal:
        return with_retry_after(refused(refusal.messages[0]), refusal)
    known = [one.document for one in taken if one.duplicate]
    if not known:
        return HttpResponse()
    context = {"file": files[0].name, "known": known, "added": len(taken) - len(known)}
    return render(request, "ingestion/_uploaded.html", context)


def accept(request: HtmxRequest, datasource: Datasource, file: UploadedFile, **more: Any) -> list[Accepted]:
    """Raises ValidationError."""
    content = cast(BinaryIO, file.file)
    taken = accept_upload(datasource, signed_in(request), file.name or "", content, **more)
    made_in_audit_log(request, "document", [one.document.pk for one in taken], datasource.pk)
    return taken


def refused(reason: str) -> HttpResponse:
    """What the page's scripts show as it is."""
    return HttpResponse(reason, status=400, content_type="text/plain; charset=utf-8")


# --- one document ----------------------------------------------------------------------------------------
def document_for(
    request: HtmxRequest, pk: int, doc: int, needed: Role = Role.EDITOR
) -> tuple[Datasource, Document]:
    """Raises Http404, PermissionDenied."""
    datasource = datasource_for(request, pk, needed)
    return datasource, get_object_or_404(datasource.documents.current(), pk=doc)


def answer(request: HtmxRequest, datasource: Datasource) -> HttpResponse:
    """The word that lets the page ask for its list again, or the page without JavaScript."""
    if not request.htmx:
        return redirect("documents", datasource.pk)
    return trigger_client_event(HttpResponse(status=204), "documents-changed")


def refusal_answer(request: HtmxRequest, datasource: Datasource, refusal: ValidationError) -> HttpResponse:
    if request.htmx:
        return refused(refusal.messages[0])
    messages.error(request, refusal.messages[0])
    return redirect("documents", datasource.pk)


@login_required
@posted_from(DOCUMENTS)
def change(request: HtmxRequest, pk: int, doc: int, act: Callable[[Document], None]) -> HttpResponse:
    """Retry or cancel: `act` is the service."""
    datasource, document = document_for(request, pk, doc)
    try:
        act(document)
    except ValidationError as refusal:
        return refusal_answer(request, datasource, refusal)
    return answer(request, datasource)


@sensitive_post_parameters("password")
@login_required
@require_http_methods(["GET", "POST"])
def unlock(request: HtmxRequest, pk: int, doc: int) -> HttpResponse:
    """Ask for the password of a protected file and open it: a dialog, or a page of its own."""
    datasource, document = document_for(request, pk, doc)
    context = {**bar(datasource, "documents"), "document": document}
    if request.method == "POST":
        try:
            unlocking.unlock(document, request.POST.get("password", ""), signed_in(request))
        except ValidationError as refusal:
            context["error"] = refusal.messages[0]
            response = render(request, "ingestion/unlock.html", context, status=422)
            # A dialog shows what is answered with 422.
            return response if request.htmx else with_retry_after(response, refusal)
        return closed_dialog(request, datasource)
    return render(request, "ingestion/unlock.html", context)


def closed_dialog(request: HtmxRequest, datasource: Datasource) -> HttpResponse:
    """After a dialog's form has done its work."""
    if not request.htmx:
        return redirect("documents", datasource.pk)
    response = HttpResponse('<div id="dialog" hx-swap-oob="innerHTML"></div>')
    return trigger_client_event(reswap(response, "none"), "documents-changed")


@login_required
@require_http_methods(["GET", "POST"])
def replace(request: HtmxRequest, pk: int, doc: int) -> HttpResponse:
    """A new version: a dialog on the documents page, or a page of its own."""
    datasource, document = document_for(request, pk, doc)
    error = ""
    if request.method == "POST":
        try:
            taken = replace_by(request, document)
        except ValidationError as refusal:
            error = refusal.messages[0]
        else:
            if taken.duplicate:
                told, name = (
                    _("That is the file of “{name}”, which is already here. Nothing was changed."),
                    taken.document.title,
                )
            else:
                told, name = (
                    _("The old version of “{name}” answers until the new one is read."),
                    document.title,
                )
            messages.success(request, told.format(name=name))
            return redirect("documents", pk)
    context = {
        **bar(datasource, "documents"),
        "document": document,
        "error": error,
        "accept": ACCEPT_VERSION,
    }
    return render(request, "ingestion/replace.html", context, status=422 if error else 200)


def replace_by(request: HtmxRequest, document: Document) -> Accepted:
    file = request.FILES.get("file")
    if file is None:
        raise ValidationError(_("No file was chosen. Choose the new version, then replace."))
    return accept(request, document.datasource, file, replaces=document)[0]


# --- several documents -----------------------------------------------------------------------------------
@login_required
@posted_from(DOCUMENTS)
def selection(request: HtmxRequest, pk: int) -> HttpResponse:
    """Ask about, retry or delete the selected documents."""
    action = request.POST.get("action", "")
    datasource = datasource_for(request, pk, Role.VIEWER if action == "ask" else Role.EDITOR)
    given = numbers_in(request.POST.getlist("documents"))
    chosen = list(datasource.documents.current().filter(pk__in=given))
    if action == "ask":
        return ask(request, pk, [document.pk for document in chosen])
    if action == "delete":
        deletion.delete_documents(datasource, given, signed_in(request))
    elif action == "retry":
        helped = [document for document in chosen if row(document, paused=False).remedy == "retry"]
        if not helped:
            return refusal_answer(request, datasource, ValidationError(NOTHING_TO_RETRY))
        for document in helped:
            with suppress(ValidationError):  # somebody else has retried or deleted it meanwhile
                retrying.retry(document)
    return answer(request, datasource)


def ask(request: HtmxRequest, pk: int, ids: list[int]) -> HttpResponse:
    """A new chat about just these."""
    address = f"{reverse('chat', args=[pk])}?{'&'.join(f'documents={one}' for one in ids)}"
    return go(request, address)


# --- the datasource --------------------------------------------------------------------------------------
@login_required
@posted_from(DOCUMENTS)
def switch(request: HtmxRequest, pk: int, act: Callable[[Datasource], None]) -> HttpResponse:
    """Pause or resume: `act` is the service."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    act(datasource)
    return answer(request, datasource)


@login_required
@require_http_methods(["GET", "POST"])
def delete_datasource(request: HtmxRequest, pk: int) -> HttpResponse:
    """Name the loss, have the name typed, delete."""
    datasource = datasource_for(request, pk, Role.OWNER)
    wrong = False
    if request.method == "POST":
        if request.POST.get("name", "").strip() == datasource.name:
            return redirect("receipt", purge_datasource(datasource, signed_in(request)).pk)
        wrong = True
    context = {**bar(datasource, "settings"), "loss": loss_of(datasource), "wrong": wrong}
    return render(request, "ingestion/delete.html", context, status=422 if wrong else 200)

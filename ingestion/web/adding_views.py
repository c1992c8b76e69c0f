"""Documents that come without a file: pasted text, and web pages that the server fetches."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts.audit import made_in_audit_log
from datasources.models import Datasource, Role
from datasources.web.pages import HtmxRequest, bar, datasource_for, page_of_datasource, posted_from, signed_in
from ingestion.adding.pasting import LONGEST, add_text
from ingestion.adding.upload import Accepted
from ingestion.web.views import closed_dialog, document_for
from ingestion.web_pages.adding import OFF, OFF_ADVICE, add_web_page
from ingestion.web_pages.refetching import fetch_again

DOCUMENTS = page_of_datasource("documents")


@login_required
@require_http_methods(["GET", "POST"])
def paste(request: HtmxRequest, pk: int) -> HttpResponse:
    """A dialog on the documents page, or a page of its own."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    title, text, error = request.POST.get("title", ""), request.POST.get("text", ""), ""
    if request.method == "POST":
        try:
            return added(request, datasource, add_text(datasource, signed_in(request), title, text))
        except ValidationError as refusal:
            error = refusal.messages[0]
    context = {
        **bar(datasource, "documents"),
        "given": title,
        "text": text,
        "longest": LONGEST,
        "error": error,
    }
    return render(request, "ingestion/paste.html", context, status=422 if error else 200)


@login_required
@require_http_methods(["GET", "POST"])
def web_page(request: HtmxRequest, pk: int) -> HttpResponse:
    """The same for an address. Where the server fetches nothing, it says so."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    address, error = request.POST.get("address", ""), ""
    if request.method == "POST":
        try:
            return added(request, datasource, add_web_page(datasource, signed_in(request), address))
        except ValidationError as refusal:
            error = refusal.messages[0]
    context = {
        **bar(datasource, "documents"),
        "address": address,
        "error": error,
        "off": "" if settings.FETCH_WEB_PAGES else f"{_(OFF)} {_(OFF_ADVICE)}",
    }
    return render(request, "ingestion/web_page.html", context, status=422 if error else 200)


def added(request: HtmxRequest, datasource: Datasource, accepted: Accepted) -> HttpResponse:
    """Raises ValidationError for what is here already: the dialog says where."""
    if accepted.duplicate:
        raise ValidationError(
            _("Already here as “{title}”. It was not added again.").format(title=accepted.document.title),
            code="duplicate",
        )
    made_in_audit_log(request, "document", [accepted.document.pk], datasource.pk)
    return closed_dialog(request, datasource)


@login_required
@posted_from(DOCUMENTS)
def fetch(request: HtmxRequest, pk: int, doc: int) -> HttpResponse:
    """Ask for a web page again, from the page of its document."""
    _datasource, document = document_for(request, pk, doc)
    try:
        fetch_again(document)
    except ValidationError as refusal:
        messages.error(request, refusal.messages[0])
    return redirect("reader", pk, doc)

"""Deleting a document, undoing it, and the receipts of what was deleted."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from datasources.models import Deletion, Role
from datasources.numbers import limited, number_in, numbers_in, uuid_in
from datasources.web.pages import HtmxRequest, datasource_for, posted_from, signed_in
from ingestion.lifecycle import deletion
from ingestion.web.views import DOCUMENTS, answer, document_for, refusal_answer

RECEIPTS = 50  # on a page
PLACE = {"tab": "account", "here": "receipts"}  # among the pages of one's account


@login_required
@posted_from(DOCUMENTS)
def remove(request: HtmxRequest, pk: int, doc: int) -> HttpResponse:
    """Hide the document; it can be brought back for a moment."""
    datasource, document = document_for(request, pk, doc)
    deletion.delete(document, signed_in(request))
    return answer(request, datasource)


@login_required
@posted_from(DOCUMENTS)
def undo(request: HtmxRequest, pk: int) -> HttpResponse:
    """Bring removed documents back: those of whole batches, or those named."""
    datasource = datasource_for(request, pk, Role.EDITOR)
    given = numbers_in(request.POST.getlist("documents"))
    batches = [batch for text in request.POST.getlist("batches") if (batch := uuid_in(text))]
    in_batches = Deletion.objects.undoable().filter(datasource=pk, batch__in=batches)
    ids = {*given, *in_batches.values_list("document", flat=True)}
    refused = deletion.restore_documents(datasource, [number for number in ids if number]).refused
    for refusal in refused.values():
        return refusal_answer(request, datasource, refusal)
    return answer(request, datasource)


@login_required
@require_GET
def receipts(request: HtmxRequest) -> HttpResponse:
    """What was deleted, the newest first; `?datasource=` keeps one datasource's."""
    deletions = Deletion.objects.visible_to(signed_in(request)).select_related("deleted_by")
    number = number_in(request.GET.get("datasource"))
    if number is not None:
        deletions = deletions.filter(datasource=number)
    page = Paginator(deletions, RECEIPTS).get_page(limited(request.GET.get("page"), 1, 10**6))
    return render(request, "ingestion/deletions.html", {"page": page, "number": number, **PLACE})


@login_required
@require_GET
def receipt(request: HtmxRequest, deletion: UUID) -> HttpResponse:
    """One receipt; the page asks again until it is complete."""
    mine = Deletion.objects.visible_to(signed_in(request)).select_related("deleted_by")
    return render(
        request, "ingestion/deletion.html", {"deletion": get_object_or_404(mine, pk=deletion), **PLACE}
    )

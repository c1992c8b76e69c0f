"""A document beside another one, or beside the version before it."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from datasources.models import Document
from datasources.numbers import number_in
from datasources.pages import bar, find_document
from digest.side_by_side import MOST_PAGES, SideBySide

CHOICES = 300  # documents to choose from; more are found by the address alone
SHOWN = 300  # changes at once


@login_required
@require_safe
def compare(request: HttpRequest, pk: int, doc: int) -> HttpResponse:
    """?with= is the number of the other document; without it, it is the version before. ?only=meaning leaves
    out what changes no value and no duty.
    """
    document = find_document(request, pk, doc)
    visible = Document.objects.filter(datasource=pk).visible_to(request.user)  # type: ignore[arg-type]
    number = number_in(request.GET.get("with"))
    other = get_object_or_404(visible, pk=number) if number else _nearest_version(document)
    meaning_alone = request.GET.get("only") == "meaning"
    context = bar(document.datasource, "documents") | {
        "document": document,
        "other": other,
        "choices": visible.ready().exclude(pk=document.pk).order_by("title", "pk")[:CHOICES],
        "meaning_alone": meaning_alone,
        "most_pages": MOST_PAGES,
    }
    if other is not None:
        sides = SideBySide(*sorted((document, other), key=lambda each: (each.created, each.pk)))
        shown = sides.shown(meaning_alone=meaning_alone)
        context |= {"sides": sides, "shown": shown[:SHOWN], "more": len(shown[SHOWN:])}
    return render(request, "digest/compare.html", context)


def _nearest_version(document: Document) -> Document | None:
    """The version before it, else the one after it."""
    if document.replaces and document.replaces.pages.exists():
        return document.replaces
    return document.replacements.order_by("pk").first()

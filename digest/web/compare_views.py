"""A document beside another one, or beside the version before it."""

from collections import Counter

from django.contrib.auth.decorators import login_required
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from datasources.models import Document, DocumentQuerySet
from datasources.numbers import number_in
from datasources.web.pages import bar, find_document, signed_in
from digest.comparing import Became
from digest.side_by_side import MOST_PAGES, SideBySide, amended_or_amending, in_order
from digest.slots import READING
from ingestion.models import Page
from jobs.fair_slots import Busy

CHOICES = 300  # documents to choose from; more are found by the address alone
SHOWN = 300  # changes at once


@login_required
@require_safe
def compare(request: HttpRequest, pk: int, doc: int) -> HttpResponse:
    """?with= is the number of the other document; without it, it is the version before. ?only=meaning leaves
    out what changes no value and no duty.
    """
    document = find_document(request, pk, doc)
    others = _comparable(request, document)
    number = number_in(request.GET.get("with"))
    other = get_object_or_404(others, pk=number) if number else _nearest(document, others)
    meaning_alone = request.GET.get("only") == "meaning"
    context = bar(document.datasource, "documents") | {
        "document": document,
        "other": other,
        "choices": others.current().order_by("title", "pk")[:CHOICES],
        "meaning_alone": meaning_alone,
        "most_pages": MOST_PAGES,
    }
    if other is None or not document.pages.exists():
        return render(request, "digest/compare.html", context)
    try:
        with READING.taken_by(signed_in(request).pk):
            sides = SideBySide(*in_order(document, other))
            shown = sides.shown(meaning_alone=meaning_alone)
    except Busy:
        return render(request, "digest/compare.html", context | {"busy": True}, status=503)
    # What became of something comes first; then what only one of the two has.
    listed = sorted(shown, key=lambda row: (not row.is_pair, row.change.before is None))[:SHOWN]
    before, after = sides.names
    context |= {
        "sides": sides,
        "names": sides.names,
        "listed": listed,
        "pairs": [row for row in listed if row.is_pair],
        "alone": [
            (before, sides.before, [row for row in listed if row.change.after is None]),
            (after, sides.after, [row for row in listed if row.change.before is None]),
        ],
        "more": len(shown[SHOWN:]),
        "counts": Counter(row.change.became for row in shown),
        "in_words_alone": sides.counts.total() - sides.counts[Became.SAME] - len(shown),
    }
    return render(request, "digest/compare.html", context)


def _comparable(request: HttpRequest, document: Document) -> DocumentQuerySet:
    """The other documents of the datasource that have a text: older versions too, none that is deleted."""
    visible = Document.objects.visible_to(signed_in(request)).filter(datasource=document.datasource_id)
    return visible.filter(Exists(Page.objects.filter(document=OuterRef("pk")))).exclude(pk=document.pk)


def _nearest(document: Document, others: DocumentQuerySet) -> Document | None:
    """The version before it, else the one after it, else what it amends, or the last one that amends it."""
    before = others.filter(pk=document.replaces_id).first() if document.replaces_id else None
    version = before or others.filter(replaces=document).order_by("pk").first()
    return version or amended_or_amending(document, others.current().order_by("-pk")[:CHOICES])

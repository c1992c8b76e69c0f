"""The reader: a document's pages as images and text, words found in it, its chunks."""

from collections import Counter
from dataclasses import replace
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from datasources.models import GONE, Document, WebPage
from datasources.numbers import limited
from datasources.web.pages import bar, can_edit, find_document, signed_in
from english.contracts.instrument_days import day_made
from formats.base.layout import Layout
from formats.ocr.certainty import doubtful_words
from formats.surroundings import text_column
from ingestion.models import Page
from ingestion.recognition import offer
from jobs.fair_slots import Busy
from reader import annotations, doubts, original_look, outline, page_images, word_search
from reader.beginnings import beginning_of
from reader.changed_clauses import ChangedClauses
from reader.from_file import from_file
from reader.page_boxes import blocks, lines
from reader.search.asked import Asked
from reader.search.matching import spans_in
from reader.web.pictures import page_picture, picture

LONGEST_SEARCH = 4000  # characters of the query of a search


@login_required
@require_safe
def reader(request: HttpRequest, pk: int, doc: int) -> HttpResponse:
    """One page of the document, with the words of ?q= or the chunk ?chunk= marked.

    ?search= is the query of the search that gave the chunk: its words are marked within the chunk. ?near=1
    gives what that search shows of the page beside its results. ?note= is the position of a comment or a
    tracked change on the page: the words that it is on are marked.
    """
    document = find_document(request, pk, doc)
    words = " ".join(request.GET.get("q", "").split())[:200]
    count = document.pages.count()
    number = limited(request.GET.get("page"), 1, max(count, 1))
    hits = word_search.find(document, words)
    if hits and "page" not in request.GET:
        number = hits[0].number
    context = bar(document.datasource, "documents") | {
        "document": document,
        "words": words,
        "hits": hits,
        "hits_of_page": sorted(Counter(hit.number for hit in hits).items()),
        "number": number,
        "page_count": count,
        "page_addresses": document.pages.order_by("number").values_list("number", "address"),
        "attachments": document.attachments.select_related("document"),
        "mail": document.part_of if document.part_of and document.part_of.status not in GONE else None,
        "web_page": WebPage.objects.filter(document=document).first(),
        "newer": document.replacements.current().first(),
        "ocr_offer": offer(document),
        "from_file": from_file(document),
        "dated": day_made(beginning_of(document.pk)),
        "outline": outline.of(document, number),
        "markup": annotations.markup_of(document),
        "doubts": doubts.doubts_of(document),
        "can_edit": document.status not in GONE and can_edit(request, document.datasource),
    }
    near = request.GET.get("near") == "1"
    asked = Asked.from_query(QueryDict(request.GET.get("search", "")[:LONGEST_SEARCH]))
    if asked.text:
        search = reverse("search_all") if asked.everywhere else reverse("search", args=[pk])
        context["asked"] = asked
        context["back"] = f"{search}?{replace(asked, everywhere=False, strict=False).query}"
    page = document.pages.filter(number=number).first()
    if page:
        note = annotations.find(page, request.GET.get("note"))
        hits = hits or (annotations.place(page, note) if note else [])
        context |= of_page(document, page, hits, request.GET.get("chunk"), asked)
        context |= {"annotations": [] if near else annotations.listed_on(page), "note": note}
        context |= {"doubts_here": doubts.listed_on(page)}
        context["changed_here"] = ChangedClauses(pk).on(page)
        context["drawn"] = page_images.can_draw(document, page.number, asker=signed_in(request).pk)
    return render(request, "reader/_near.html" if near else "reader/reader.html", context)


def of_page(
    document: Document, page: Page, hits: list[word_search.Hit], chunk: str | None, asked: Asked
) -> dict[str, Any]:
    """The page, its marks, and the chunks that have a part on it."""
    chunks = list(document.chunks.filter(first_page__lte=page.number, last_page__gte=page.number))
    chosen = next((each for each in chunks if str(each.pk) == chunk), None)
    if chosen and asked.text and not hits:
        hits = word_search.within(page, chosen.start, chosen.end, spans_in(asked))
    here = [hit for hit in hits if hit.number == page.number]
    return {
        "page": page,
        "runs": word_search.marked(page.text, here),
        "marks": [
            {"place": place, "boxes": lines(page, hit.start, hit.end)}
            for place, hit in enumerate(hits, start=1)
            if hit.number == page.number
        ],
        "chunks": chunks,
        "chosen": chosen,
        "blocks": blocks(page, chosen) if chosen else [],
        "has_pages": page_images.has_pages(document),
        "margin": round((text_column(page.text, bytes(page.boxes)) or (0.0, 0.0))[0] / 1000, 3),
        "said_of_pages": page_images.said_of_pages(document),
        "has_original_look": original_look.is_offered(document),
        "doubtful": doubtful_words(page.text, bytes(page.certainty)),
        "filled_in": [page.text[each.start : each.end] for each in Layout.from_json(page.layout).filled_in],
    }


@login_required
@require_safe
def page_image(request: HttpRequest, pk: int, doc: int, number: int) -> HttpResponse:
    """A whole page without marks, as WebP."""
    return page_picture(find_document(request, pk, doc), number, asker=signed_in(request).pk)


@login_required
@require_safe
def original(request: HttpRequest, pk: int, doc: int) -> HttpResponse:
    """A page of the file as LibreOffice draws it, without marks."""
    document = find_document(request, pk, doc)
    context = bar(document.datasource, "documents") | {"document": document}
    if not original_look.is_offered(document):
        return render(request, "reader/original_look.html", context | {"absent": True})
    try:
        look = original_look.look_of(document, asker=signed_in(request).pk)
    except Busy:
        return render(request, "reader/original_look.html", context | {"busy": True}, status=503)
    except OSError:
        raise Http404 from None
    number = limited(request.GET.get("page"), 1, max(look.pages, 1))
    return render(request, "reader/original_look.html", context | {"look": look, "number": number})


@login_required
@require_safe
def original_image(request: HttpRequest, pk: int, doc: int, number: int) -> HttpResponse:
    """WebP of a page as LibreOffice draws it; 409 where it draws no such files."""
    document = find_document(request, pk, doc)
    if not original_look.is_offered(document):
        return HttpResponse(status=409)
    return picture(lambda: original_look.page_image(document, number, asker=signed_in(request).pk))

"""REST: the proof behind each citation, as places, images and a PDF of its pages."""

from dataclasses import asdict
from functools import partial
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.audit import named_in_audit_log
from accounts.models import TokenScope
from chat.api.serializers import PlacedCitationSerializer
from chat.api.turns import find_turn
from chat.citation_rows import proof
from chat.citation_rows.recognised import recognised
from chat.exports import citation_json
from chat.models import Citation
from datasources.api.negotiation import AnyAccept
from datasources.api.views import find_document
from datasources.models import Document, Role
from datasources.web.downloads import saved_as
from reader import page_images
from reader.api.files import kept

WEBP, PDF = "image/webp", "application/pdf"


def find_citation(request: Request, pk: UUID, n: int, needed: Role) -> Citation:
    """A citation of one's own turn. Raises Http404, PermissionDenied."""
    citations = find_turn(request, pk, needed).citations.select_related("document")
    citation = get_object_or_404(citations, n=n)
    named_in_audit_log(request, [citation.document_id])
    return citation


class CitationDetail(APIView):
    """A citation and where its words stand."""

    token_scope = TokenScope.ASK

    @extend_schema(responses=PlacedCitationSerializer)
    def get(self, request: Request, pk: UUID, n: int) -> Response:
        citation = find_citation(request, pk, n, Role.ASKER)
        shown = citation.pages if page_images.has_pages(citation.document) else []
        address = partial(self.address, pk, n)
        return Response(
            {
                **citation_json(citation),
                "ocr": asdict(ocr) if (ocr := recognised(citation)) else None,
                "boxes": citation.boxes,
                "images": {str(p): address("api-citation-image", p) for p in shown},
                "crops": {
                    str(p): address("api-citation-crop", p) for p in shown if citation.boxes.get(str(p))
                },
                "pdf": address("api-citation-pdf") if shown else None,
            }
        )

    def address(self, pk: UUID, n: int, name: str, *page: int) -> str:
        return reverse(name, args=[pk, n, *page])


class CitationFile(APIView):
    """Base of the views that show a citation's place."""

    token_scope = TokenScope.ASK
    content_negotiation_class = AnyAccept

    needed = Role.ASKER

    def find(self, request: Request, pk: UUID, n: int, page: int | None = None) -> tuple[Citation, Document]:
        citation = find_citation(request, pk, n, self.needed)
        if not page_images.has_pages(citation.document) or not citation.pages:
            raise NotFound("This citation has no page to show. Read its quote in the citation.", "no_page")
        if page is not None and page not in citation.pages:
            raise NotFound("The quote is not on that page. Take one of the citation's pages.", "other_page")
        assert citation.document is not None
        return citation, find_document(request, citation.document.pk, self.needed)  # it may be on its way out


class CitationImage(CitationFile):
    """A page that the quote overlaps, its words highlighted."""

    @extend_schema(responses={(200, WEBP): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: UUID, n: int, page: int) -> HttpResponse:
        citation, document = self.find(request, pk, n, page)
        boxes, asker = citation.boxes_on(page), signed_in(request).pk
        make = partial(page_images.marked_page, document, page, boxes, asker=asker)
        return kept(request, make, WEBP)


class CitationCrop(CitationFile):
    """The lines around the quote: its words highlighted, the rest of its sentence underlined."""

    @extend_schema(responses={(200, WEBP): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: UUID, n: int, page: int) -> HttpResponse:
        citation, _ = self.find(request, pk, n, page)
        if not citation.boxes_on(page):
            raise NotFound("The words' place on this page is not known. Take the whole page.", "no_place")
        return kept(request, partial(proof.crop, citation, page), WEBP)


class CitationPdf(CitationFile):
    """A PDF of just the pages that the quote overlaps."""

    needed = Role.VIEWER  # it is a part of the original

    @extend_schema(responses={(200, PDF): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: UUID, n: int) -> HttpResponse:
        citation, document = self.find(request, pk, n)
        name = f"{citation.document_title}, p. {'-'.join(map(str, citation.pages))}.pdf"
        response = kept(
            request, partial(page_images.cut_pdf, document, citation.pages, asker=signed_in(request).pk), PDF
        )
        response["Content-Disposition"] = saved_as(name)
        return response

"""REST: the pages of a document as images."""

from functools import partial

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.views import APIView

from accounts.api import signed_in
from accounts.api_tokens import BY_METHOD
from datasources.api.negotiation import AnyAccept
from datasources.api.views import find_document
from reader import page_images
from reader.api.files import kept

WEBP = "image/webp"


class PageImage(APIView):
    """A whole page of a document, without marks."""

    token_scope = BY_METHOD
    content_negotiation_class = AnyAccept

    @extend_schema(responses={(200, WEBP): OpenApiTypes.BINARY})
    def get(self, request: Request, pk: int, page: int) -> HttpResponse:
        document = find_document(request, pk)
        if not page_images.has_pages(document):
            raise NotFound("A passage has no page to show. Its text is the page's text.", "no_page")
        return kept(
            request, partial(page_images.page_image, document, page, asker=signed_in(request).pk), WEBP
        )

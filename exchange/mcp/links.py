"""Addresses that go out with results: of pages for people, of resources for programs."""

from uuid import UUID

from django.conf import settings
from django.urls import reverse

DOCUMENT = "svq://documents/{document}"
PAGE = "svq://documents/{document}/pages/{page}"


def reader(datasource: int, document: int, page: int, chunk: int | None = None) -> str:
    """The page in the reader, the passage marked."""
    marked = f"&chunk={chunk}" if chunk else ""
    return f"{settings.SITE_URL}{reverse('reader', args=[datasource, document])}?page={page}{marked}"


def datasource_page(datasource: int) -> str:
    return settings.SITE_URL + reverse("documents", args=[datasource])


def conversation(datasource: int, number: UUID) -> str:
    return settings.SITE_URL + reverse("conversation", args=[datasource, number])


def source(turn: UUID, n: int) -> str:
    """A citation with its page, the words marked."""
    return settings.SITE_URL + reverse("source", args=[turn, n])

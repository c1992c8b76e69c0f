"""Quotes on their pages as PNG pictures, for files that leave SVQ."""

import io
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from django.utils.translation import ngettext
from PIL import Image

from chat.citation_rows import proof
from chat.models import Citation
from datasources.models import Document
from formats.base.errors import ExtractionError
from ingestion.models import Page
from jobs.fair_slots import Busy
from localization.numbers import numeral
from reader.page_images import SHARPNESS, has_pages
from text.personal.personal_data import find

DRAWING_SECONDS = 20.0  # after which no further page is begun
PALETTE = 256  # colours of a small PNG


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """The words on one of their pages; width and height in CSS pixels."""

    page: int
    width: int
    height: int
    png: bytes


class Pictures(Protocol):
    """Where the pictures of quotes come from.

    left_out: quotes that have a place but could not be drawn. hidden: those whose page may show what is
    masked.
    """

    @property
    def left_out(self) -> int: ...

    @property
    def hidden(self) -> int: ...

    def of(self, citation: Citation) -> Sequence[Picture]: ...


def not_shown(pictures: Pictures) -> list[str]:
    """Why some quotes have no picture of their page, in a sentence for each reason."""
    undrawn = ngettext(
        "{n} quote is shown without the page, which could not be drawn here. The words are there as text.",
        "{n} quotes are shown without the page, which could not be drawn here. The words are there as text.",
        pictures.left_out,
    )
    hidden = ngettext(
        "{n} quote is shown without the page, as there may be personal data on it. The words are there as "
        "text.",
        "{n} quotes are shown without the page, as there may be personal data on it. The words are there as "
        "text.",
        pictures.hidden,
    )
    reasons = ((pictures.left_out, undrawn), (pictures.hidden, hidden))
    return [told.format(n=numeral(quotes)) for quotes, told in reasons if quotes]


class QuotePictures:
    """Draws the quotes of one file, within limits; counts the others as `Pictures` says."""

    def __init__(self, most: int, most_bytes: int | None = None, asker: int | None = None) -> None:
        """most: pictures. most_bytes: of all together; None is no limit. asker: as `proof.crop` takes it."""
        self.left_out = self.hidden = 0
        self._asker = asker
        self._most = most
        self._bytes_left = most_bytes
        self._deadline = time.monotonic() + DRAWING_SECONDS

    def of(self, citation: Citation) -> Sequence[Picture]:
        """One for each page on which the quote's place is known. Nothing for what is masked or deleted."""
        if citation.masked and citation.boxes and has_pages(citation.document):
            self.hidden += 1
        pages = proof.drawn_on(citation)
        if pages and not self.may_draw:
            self.left_out += 1
            return []
        made: list[Picture] = []
        for page in pages:
            try:
                made.append(_picture(page, proof.crop(citation, page, self._asker)))
            except Busy:
                self._deadline = 0.0  # others are waiting: no further page is asked for
                self.left_out += 1
                break
            except (ExtractionError, Page.DoesNotExist, OSError):
                self.left_out += 1
                continue
            self._most -= 1
            if self._bytes_left is not None:
                self._bytes_left -= len(made[-1].png)
        return made

    @property
    def may_draw(self) -> bool:
        """Whether the limits allow another picture."""
        has_room = self._bytes_left is None or self._bytes_left > 0
        return self._most > 0 and has_room and time.monotonic() <= self._deadline


def may_show_personal_data(document: Document, pages: Collection[int]) -> bool:
    """Whether a picture of these pages could show what is masked in words."""
    texts = Page.objects.filter(document=document, number__in=pages).values_list("text", flat=True)
    return any(find(text) for text in texts)


def _picture(page: int, crop: bytes) -> Picture:
    """The crop in at most 256 colours: most have few, and a photograph is still recognised."""
    picture = Image.open(io.BytesIO(crop)).convert("RGB")
    file = io.BytesIO()
    picture.quantize(PALETTE, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG")
    width, height = (round(pixels / SHARPNESS) for pixels in picture.size)
    return Picture(page=page, width=width, height=height, png=file.getvalue())

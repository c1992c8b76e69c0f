"""Quotes on their pages as PNG pictures, for files that leave SVQ."""

import io
import time
from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image

from chat.citations import proof
from chat.models import Citation
from formats.base.errors import ExtractionError
from ingestion.models import Page
from jobs.fair_slots import Busy
from reader.page_images import SHARPNESS

DRAWING_SECONDS = 20.0  # after which no further page is begun
PALETTE = 256  # colours of a small PNG


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """The words on one of their pages; width and height in CSS pixels."""

    page: int
    width: int
    height: int
    png: bytes


class QuotePictures:
    """Draws the quotes of one file, within limits. left_out: quotes that have a place, but no picture."""

    def __init__(self, most: int, most_bytes: int | None = None) -> None:
        """most: pictures. most_bytes: of all together; None is no limit."""
        self.left_out = 0
        self._most = most
        self._bytes_left = most_bytes
        self._deadline = time.monotonic() + DRAWING_SECONDS

    def of(self, citation: Citation) -> Sequence[Picture]:
        """One for each page on which the quote's place is known. Nothing for what is masked or deleted."""
        if not self._may_draw:
            self.left_out += bool(citation.boxes)
            return []
        made: list[Picture] = []
        for page in proof.drawn_on(citation):
            try:
                made.append(_picture(page, proof.crop(citation, page)))
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
    def _may_draw(self) -> bool:
        has_room = self._bytes_left is None or self._bytes_left > 0
        return self._most > 0 and has_room and time.monotonic() <= self._deadline


def _picture(page: int, crop: bytes) -> Picture:
    """The crop in at most 256 colours: most have few, and a photograph is still recognised."""
    picture = Image.open(io.BytesIO(crop)).convert("RGB")
    file = io.BytesIO()
    picture.quantize(PALETTE, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG")
    width, height = (round(pixels / SHARPNESS) for pixels in picture.size)
    return Picture(page=page, width=width, height=height, png=file.getvalue())

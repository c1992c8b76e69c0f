"""The drawing of a datasource as a shelf: one spine a document, as high as it has pages."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from datasources.models import UNFINISHED, Datasource, Document, DocumentStatus

WIDTH, HEIGHT = 330.0, 34.0  # of components/shelf.html
GAP = 2.0
MOST = 66  # spines; a larger datasource shows its newest
LOWEST, PAGES_OF_HIGHEST = 12.0, 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Spine:
    x: float
    y: float
    width: float
    height: float
    tone: str


def spines_of(datasources: Sequence[Datasource]) -> dict[int, list[Spine]]:
    """By the datasource's number, in one statement; one without documents is left out."""
    newest = Window(RowNumber(), partition_by=F("datasource"), order_by=["-created", "-pk"])
    documents = Document.objects.filter(datasource__in=datasources).current().annotate(place=newest)
    shelves: dict[int, list[tuple[int, str, int | None]]] = {}
    rows = (
        documents.filter(place__lte=MOST).order_by().values_list("datasource", "pk", "status", "page_count")
    )
    for datasource, number, status, pages in rows:
        shelves.setdefault(datasource, []).append((number, status, pages))
    return {datasource: _drawn(shelf) for datasource, shelf in shelves.items()}


def _drawn(rows: list[tuple[int, str, int | None]]) -> list[Spine]:
    """Oldest first, failed and unfinished ones at the end."""
    rows.sort(key=lambda row: (_tone(row[0], row[1]) in {"bad", "busy"}, row[0]))
    widths = [4.0 + pk * 7 % 5 for pk, _, _ in rows]
    scale = min(1.0, (WIDTH - GAP * len(rows)) / sum(widths))
    drawn, x = [], 0.0
    for (pk, status, pages), width in zip(rows, widths, strict=True):
        height = LOWEST + (HEIGHT - 1 - LOWEST) * min(1.0, log(1 + (pages or 1)) / log(PAGES_OF_HIGHEST))
        drawn.append(
            Spine(
                x=round(x, 1),
                y=round(HEIGHT - height, 1),
                width=round(width * scale, 1),
                height=round(height, 1),
                tone=_tone(pk, status),
            )
        )
        x += width * scale + GAP
    return drawn


def _tone(pk: int, status: str) -> str:
    if status == DocumentStatus.FAILED:
        return "bad"
    return "busy" if status in UNFINISHED else f"s{pk * 5 % 7 % 4 + 1}"

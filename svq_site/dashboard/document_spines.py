"""The drawing of a datasource as a shelf: one spine a document, as high as it has pages."""

from dataclasses import dataclass
from math import log

from datasources.models import UNFINISHED, Datasource, DocumentStatus

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


def spines(datasource: Datasource) -> list[Spine]:
    """Oldest first, failed and unfinished ones at the end."""
    rows = list(datasource.documents.current().values_list("pk", "status", "page_count")[:MOST])
    rows.sort(key=lambda row: (_tone(row[0], row[1]) in {"bad", "busy"}, row[0]))
    widths = [4.0 + pk * 7 % 5 for pk, _, _ in rows]
    scale = min(1.0, (WIDTH - GAP * len(rows)) / sum(widths)) if rows else 1.0
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

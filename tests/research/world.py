"""Five papers of the project's own making, and an arXiv that has them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from desks.research import queue
from desks.research.arxiv_api import client
from tests.formats.pdfs import make_pdf
from tests.research.arxiv_server import Arxiv, Held

TITLES = {
    "2401.00001": "LanternSort: Sorting Lanterns by Their Light",
    "2401.00002": "A Survey of Lantern Retrieval",
    "2401.00003": "Dim Lights and How to Count Them",
    "2401.00004": "WickNet: Graph Neural Networks for Wicks",
    "2401.00005": "Harbour Lights at Night",
}
ABSTRACTS = {
    "2401.00001": "We propose LanternSort, which outperforms WickNet on the HarbourLights dataset.",
    "2401.00002": "This survey compares retrieval of lanterns by meaning and by words.",
    "2401.00003": "Counting dim lights is hard. LanternSort uses WickNet and is measured by the F1 score.",
    "2401.00004": "WickNet is based on BERT. It is evaluated on HarbourLights.",
    "2401.00005": "HarbourLights is a benchmark of 900 pictures of lights.",
}


def papers(folder: Path) -> list[Held]:
    """Each with a PDF of two pages; the second lists references to the others."""
    held = []
    for place, (number, title) in enumerate(TITLES.items()):
        references = [
            "References",
            "[1] A. Byron. Attention is all you need. 2017. arXiv:1706.03762.",
            f"[2] C. Gauss. {TITLES['2401.00005']}. arXiv preprint arXiv:2401.00005, 2024.",
            f"[3] E. Noether. {TITLES['2401.00004'].upper()}. In Wicks, 2023.",
        ]
        body = [
            title,
            "Ada Byron, Carl Gauss, Emmy Noether",
            "Abstract",
            ABSTRACTS[number],
            f"It was measured {place} times.",
        ]
        path = make_pdf(
            folder / f"{number}.pdf", [body, ["5 Discussion", "All lanterns are sorted.", *references]]
        )
        held.append(
            Held(
                number=number,
                title=title,
                abstract=ABSTRACTS[number],
                pdf=path.read_bytes(),
                categories=("cs.CL", "cs.IR") if place % 2 else ("cs.LG",),
                published=f"{2020 + place}-01-0{place + 1}T10:00:00Z",
            )
        )
    return held


@contextmanager
def arxiv_here(settings: Any, monkeypatch: Any, folder: Path, *, pause: float = 0.0) -> Iterator[Arxiv]:
    """SVQ asks this arXiv, and waits hundredths of seconds where it would wait seconds."""
    with Arxiv(papers=papers(folder)) as arxiv:
        settings.ARXIV_API_URL, settings.ARXIV_PDF_URL = f"{arxiv.url}/api/query", f"{arxiv.url}/pdf"
        settings.ARXIV_PAUSE = pause
        monkeypatch.setattr(queue, "PAUSES", (0.05, 0.1, 0.15))
        monkeypatch.setattr(client, "REDIRECTS", 2)
        yield arxiv

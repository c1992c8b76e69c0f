"""Quarterly reports, with the questions whose page code can tell: by the figures of their answers."""

import csv
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datasources.models import Datasource
    from retrieval.evidence import Evidence

FOLDER = Path("sec-10-q/data/v1")
MOST_PAGES = 4  # an answer whose figures are on more is on none in particular

_FIGURE = re.compile(r"\d[\d,]*\.?\d*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`pages` are those of the document with most figures of the answer."""

    text: str
    document: int
    pages: frozenset[int]

    def is_on(self, passage: "Evidence") -> bool:
        """Whether the passage is on one of the pages."""
        on = range(passage.first_page, passage.last_page + 1)
        return passage.document_id == self.document and not self.pages.isdisjoint(on)


def read(collection: Path) -> "tuple[Datasource, list[Question]]":
    """Read the reports as people's files are read, into a datasource of their own."""
    from django.core.management import call_command

    from accounts.models import User
    from datasources.models import Datasource

    owner = User.objects.filter(is_superuser=True).first() or User.objects.create_superuser(
        "filings@example.org", "none", name="Filings"
    )
    with open(os.devnull, "w") as nowhere:
        call_command(
            "ingest",
            "Filings",
            str(collection / FOLDER / "docs"),
            user=owner.email,
            json=True,
            stdout=nowhere,
        )
    datasource = Datasource.objects.get(owner=owner, name="Filings")
    return datasource, list(_questions(datasource, collection / FOLDER / "qna_data.csv"))


def _questions(datasource: "Datasource", file: Path) -> Iterator[Question]:
    """Those about one document whose answer has figures that are on few pages."""
    from ingestion.models import Page

    documents = dict(datasource.documents.values_list("title", "pk"))
    with file.open(encoding="utf-8-sig") as rows:
        for row in csv.DictReader(rows):
            document = documents.get(row["Source Docs"].strip().strip("*"))
            if document is None or "Single-Doc" not in row["Question Type"]:
                continue
            figures = set(_telling(row["Answer"].partition("SOURCE")[0]))
            counts = Counter(
                {
                    page.number: sum(_has(page.text, figure) for figure in figures)
                    for page in Page.objects.filter(document=document)
                }
            )
            most = max(counts.values(), default=0)
            pages = frozenset(number for number, count in counts.items() if count == most)
            if most and len(pages) <= MOST_PAGES:
                yield Question(text=row["Question"], document=document, pages=pages)


def _telling(answer: str) -> Iterator[str]:
    """Figures that do not stand on every page."""
    for written in _FIGURE.findall(answer):
        figure = written.rstrip(".,")
        digits = sum(map(str.isdigit, figure))
        if "." in figure or ("," in figure and digits >= 4):
            yield figure


def _has(text: str, figure: str) -> bool:
    return bool(re.search(rf"(?<![\d.,]){re.escape(figure)}(?!\d)(?!,\d)", text))

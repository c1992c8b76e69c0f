"""Quarterly reports, with the questions whose page code can tell: by the figures of their answers."""

import csv
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datasources.models import Datasource
    from retrieval.evidence import Evidence

FOLDER = Path("sec-10-q/data/v1")


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


def read(collection: Path, chunking: str = "recursive") -> "tuple[Datasource, list[Question]]":
    """Read the reports as people's files are read, into a datasource of their own, split that way."""
    from django.core.management import call_command

    from accounts.models import User
    from datasources.services import create_datasource

    owner = User.objects.filter(is_superuser=True).first() or User.objects.create_superuser(
        "filings@example.org", "none", name="Filings"
    )
    datasource = create_datasource(owner, f"Filings, {chunking}", chunking=chunking)
    with open(os.devnull, "w") as nowhere:
        call_command(
            "ingest",
            datasource.name,
            str(collection / FOLDER / "docs"),
            user=owner.email,
            json=True,
            stdout=nowhere,
        )
    return datasource, list(_questions(datasource, collection / FOLDER / "qna_data.csv"))


def _questions(datasource: "Datasource", file: Path) -> Iterator[Question]:
    """Those about one document whose answer has figures that are on few pages."""
    from desks.evaluation.questions.answer_pages import AnswerPages

    answer_pages = AnswerPages()
    documents = dict(datasource.documents.values_list("title", "pk"))
    with file.open(encoding="utf-8-sig") as rows:
        for row in csv.DictReader(rows):
            document = documents.get(row["Source Docs"].strip().strip("*"))
            if document is None or "Single-Doc" not in row["Question Type"]:
                continue
            pages = answer_pages.of(document, row["Answer"].partition("SOURCE")[0])
            if pages:
                yield Question(text=row["Question"], document=document, pages=frozenset(pages))

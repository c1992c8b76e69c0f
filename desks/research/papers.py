"""What is kept of a paper with its document: its row, its title, and what searches may be filtered by."""

from collections.abc import Collection, Iterable
from datetime import datetime
from io import BytesIO
from typing import TYPE_CHECKING

from django.db import transaction

from datasources.models import Datasource, Document
from desks.research.arxiv_api.feed import ArxivPaper, last_name
from desks.research.models import Paper
from ingestion.adding.upload import accept_upload

if TYPE_CHECKING:
    from accounts.models import User

MOST_FILTERED = 50  # authors by whom a paper is found; collaborations have thousands


def abstract_text(told: ArxivPaper) -> str:
    """The paper as a text, which is read within a second and is used until the PDF has been read."""
    parts = [told.title, ", ".join(told.authors[:MOST_FILTERED]), f"arXiv:{told.id}, {told.published[:10]}"]
    return "\n\n".join([*filter(None, parts), "Abstract", told.abstract]) + "\n"


def keep_abstract(
    datasource: Datasource, person: "User | None", told: ArxivPaper, *, counted: bool = True
) -> Document:
    """As a document, which is queued to be read; counted in the person's quota. Raises ValidationError."""
    name = f"{told.number.replace('/', '-')} abstract.txt"
    with transaction.atomic():
        text = BytesIO(abstract_text(told).encode())
        document = accept_upload(datasource, person, name, text, counted=counted)[0].document
        describe(document, told, has_full_text=False)
    return document


def describe(document: Document, told: ArxivPaper, *, has_full_text: bool, renamed: bool = True) -> None:
    """Tie what arXiv says to a document; joins the caller's transaction."""
    metadata = {**document.metadata, **_filters(told)}
    document.write(metadata=metadata, **({"title": told.title[:300]} if renamed else {}))
    Paper.objects.update_or_create(
        document=document,
        defaults={
            "number": told.number,
            "version": told.version,
            "newest": told.version,
            "has_full_text": has_full_text,
            "withdrawn": told.is_withdrawn,
            "title": told.title,
            "authors": list(told.authors),
            "abstract": told.abstract,
            "published": datetime.fromisoformat(told.published),
            "updated": datetime.fromisoformat(told.updated),
            "categories": list(told.categories),
            "doi": told.doi,
            "journal": told.journal,
            "comment": told.comment,
        },
    )


def _filters(told: ArxivPaper) -> dict[str, object]:
    """By full and by last name, so that both find the paper."""
    names = [name for full in told.authors[:MOST_FILTERED] for name in (full, last_name(full))]
    values = {
        "author": list(dict.fromkeys(names)),
        "year": told.year,
        "category": list(told.categories),
        "arxiv": told.number,
        "doi": told.doi,
    }
    return {name: value for name, value in values.items() if value}


def here(datasource: Datasource, numbers: Collection[str]) -> dict[str, Paper]:
    """The papers of these numbers that the datasource has, the best of each: also one that is being read."""
    documents = datasource.documents.current()
    rows = Paper.objects.filter(document__in=documents, number__in=numbers).select_related("document")
    return {paper.number: paper for paper in rows.order_by("version", "has_full_text", "document")}


def heard_of(person: "User | None", papers: Iterable[ArxivPaper]) -> None:
    """Keep which newer versions there are of papers in the person's datasources, and what was withdrawn."""
    if person is None:
        return
    told = {paper.number: paper for paper in papers}
    mine = Paper.objects.current().filter(document__datasource__in=Datasource.objects.visible_to(person))
    for paper in mine.filter(number__in=told):
        newer = told[paper.number]
        if newer.version > paper.newest:
            Paper.objects.filter(pk=paper.pk).update(newest=newer.version)
        if newer.is_withdrawn and newer.version >= paper.version and not paper.withdrawn:
            Paper.objects.filter(pk=paper.pk).update(withdrawn=True)


def short_name(paper: Paper) -> str:
    """As researchers cite it: “Vaswani et al. 2017”, “Edge and Trinh 2024”."""
    names = [last_name(name) for name in paper.authors[:3]]
    if not names:
        return f"{paper.title[:60]} {paper.published.year}"
    by = f"{names[0]} et al." if len(names) > 2 else " and ".join(names)
    return f"{by} {paper.published.year}"


def short_names(document_ids: Collection[int]) -> dict[int, str]:
    """Those of documents that are papers, by document (settings.SHORT_NAMES)."""
    return {paper.pk: short_name(paper) for paper in Paper.objects.filter(pk__in=document_ids)}

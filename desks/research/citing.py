"""What an answer cites, and what a datasource holds, as a bibliography."""

from collections.abc import Iterable

from django.http import HttpResponse

from chat.models import Turn
from citations.choices import OnPage
from datasources.web.downloads import saved_as
from desks.research.arxiv_api.bibliography import Cited, as_bibtex, as_ris
from desks.research.models import Paper

FORMS = {
    "bib": (as_bibtex, "application/x-bibtex; charset=utf-8"),
    "ris": (as_ris, "application/x-research-info-systems; charset=utf-8"),
}


def cited_by(turn: Turn) -> list[Cited]:
    """The documents that an answer cites, in its order, each once; what is not a paper only by its name."""
    citations = turn.citations.exclude(on_page=OnPage.ABSENT).select_related("document__paper").order_by("n")
    found: dict[object, Cited] = {}
    for citation in citations:
        paper = getattr(citation.document, "paper", None)
        if paper is not None:
            found.setdefault(paper.number, of_paper(paper))
        elif citation.document_title:
            found.setdefault(
                citation.document_id or citation.document_title, Cited(title=citation.document_title)
            )
    return list(found.values())


def of_paper(paper: Paper) -> Cited:
    return Cited(title=paper.title, paper=paper.as_arxiv_paper)


def bibliography(cited: Iterable[Cited], form: str, name: str) -> HttpResponse:
    """A file to keep, in one of FORMS."""
    write, kind = FORMS[form]
    disposition = saved_as(f"{name[:60]}.{form}")
    return HttpResponse(write(cited), content_type=kind, headers={"Content-Disposition": disposition})

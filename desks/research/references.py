"""The lists of references in documents: read entry by entry, and tied to papers of the same datasource.

An entry points to a paper by its number at arXiv, by its DOI, or by its title. Only what entries say is
stored; which paper that is, is looked up, so papers that come and go need no care.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils.translation import gettext_noop

from datasources.models import Document
from desks.research.arxiv_api.identifiers import ids_within
from desks.research.models import Paper, Reference
from ingestion.models import Page
from text.normal_forms.normal_form import fold

MOST = 1_000  # entries of a document
LONGEST = 600  # characters of an entry
SHORTEST_TITLE = 12  # letters and digits; a shorter title stands by chance in other entries
_HEADING = re.compile(
    r"(?im)^[ \t]*(?:(?:\d{1,2}|[IVX]+)\.?[ \t]+)?(?:references(?:[ \t]+cited)?|bibliography|works cited|"
    r"literature cited|literatur(?:verzeichnis)?|références|bibliograf[ií]a)[ \t]*:?[ \t]*$"
)
_AFTER = re.compile(
    r"(?m)^[ \t]*(?:(?:[A-Z]|\d{1,2})\.?[ \t]+)?(?:Appendix\b|Appendices\b|Supplementary\b|"
    r"Acknowledge?ments?\b|"
    r"APPENDIX\b|[A-Z][ \t]+[A-Z][a-z]+[^.\d]{0,60}$)"
)
_NUMBERED = re.compile(
    r"(?m)^[ \t]*(?:\[\d{1,3}\]|\[[A-Z][A-Za-z+]{1,9}\d{2}[a-z]?\]|\(\d{1,3}\)|\d{1,3}\.)[ \t]+(?=\S)"
)
_NAMED = re.compile(  # “Vaswani, A., ...”, “Ashish Vaswani, Noam Shazeer, ...” at the beginning of a line
    r"(?m)^(?=[A-Z][\w'’-]+,? (?:[A-Z][\w.'’-]*,? ?){1,4}(?:and |& |et al|[A-Z(]))"
)
_END = re.compile(r"(?:\.|\)|\d|/\S+)[ \t]*$")
_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]{3,150}")
_OFF = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """`start`: offset in the text that was read."""

    text: str
    start: int
    number: str = ""
    doi: str = ""


def entries(text: str) -> list[Entry]:
    """The entries of the last list of references in a text."""
    heading = next(reversed(list(_HEADING.finditer(text))), None)
    if heading is None:
        return []
    first = heading.end()
    after = _AFTER.search(text, first)
    body = text[first : after.start() if after else len(text)]
    return [_entry(part, first + start) for start, part in _divided(body)][:MOST]


def _divided(body: str) -> Iterator[tuple[int, str]]:
    """By the numbers before entries; without those, by lines that begin with a name after one that ended."""
    starts = [match.start() for match in _NUMBERED.finditer(body)]
    if len(starts) < 2:
        starts = [match.start() for match in _NAMED.finditer(body) if _is_fresh(body, match.start())]
    if not starts and body.strip():
        starts = [0]
    for start, end in zip(starts, [*starts[1:], len(body)], strict=True):
        if part := " ".join(_unbroken(body[start:end]).split()):
            yield start, part


def _is_fresh(body: str, start: int) -> bool:
    before = body[:start].rstrip()
    return not before or bool(_END.search(before[-40:]))


def _unbroken(text: str) -> str:
    """Without the hyphens at which words and numbers were parted."""
    joined = re.sub(r"(?<=[a-z])-\n(?=[a-z])", "", text)
    return re.sub(r"(?<=[\d./])\n(?=\d)", "", joined)


def _entry(text: str, start: int) -> Entry:
    named = ids_within(text)
    doi = _DOI.search(text)
    return Entry(
        text=text[:LONGEST],
        start=start,
        number=named[0][0].number if named else "",
        doi=doi[0].rstrip(".,;)").lower()[:200] if doi else "",
    )


def title_key(title: str) -> str:
    """The title by its letters and digits alone, as they stand in an entry however it is set."""
    return _OFF.sub("", fold(title))


# --- storing ---------------------------------------------------------------------------------------------
def read_references(document_id: int) -> None:
    """Store the references of a ready document, in place of those that were there."""
    pages = list(Page.objects.filter(document=document_id).order_by("number").values_list("number", "text"))
    text, starts = "", []
    for number, words in pages:
        starts.append((len(text), number))
        text += f"{words}\n"
    found = entries(text)
    with transaction.atomic():
        document = Document.objects.ready().select_for_update(no_key=True).filter(pk=document_id).first()
        if document is None:
            return
        Reference.objects.filter(document=document).delete()
        Reference.objects.bulk_create(
            Reference(
                document=document,
                index=index,
                text=entry.text,
                key=title_key(entry.text),
                doi=entry.doi,
                number=entry.number,
                page=max((n for at, n in starts if at <= entry.start), default=1),
            )
            for index, entry in enumerate(found)
        )


# --- looking up ------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A paper of the datasource cites another one; `by`: what told so, `page`: where it does."""

    citing: Paper
    cited: Paper
    by: str
    page: int
    text: str


def links(papers: Sequence[Paper]) -> list[Link]:
    """Which of these papers, all of one datasource, cite each other; each pair once."""
    by_number = {paper.number: paper for paper in papers}
    by_doi = {paper.doi.lower(): paper for paper in papers if paper.doi}
    by_title = {key: paper for paper in papers if len(key := title_key(paper.title)) >= SHORTEST_TITLE}
    by_document = {paper.pk: paper for paper in papers}
    pairs: dict[tuple[int, int], Link] = {}
    for entry in Reference.objects.filter(document__in=by_document).order_by("document", "index"):
        cited, by = _cited(entry, by_number, by_doi, by_title)
        if cited is not None and cited.pk != entry.document_id:
            link = Link(
                citing=by_document[entry.document_id], cited=cited, by=by, page=entry.page, text=entry.text
            )
            pairs.setdefault((entry.document_id, cited.pk), link)
    return list(pairs.values())


def _cited(
    entry: Reference, by_number: dict[str, Paper], by_doi: dict[str, Paper], by_title: dict[str, Paper]
) -> tuple[Paper | None, str]:
    if entry.number:
        return by_number.get(entry.number), gettext_noop("number")
    if entry.doi in by_doi:
        return by_doi[entry.doi], "DOI"
    found = [key for key in by_title if key in entry.key]
    return (by_title[max(found, key=len)], gettext_noop("title")) if found else (None, "")

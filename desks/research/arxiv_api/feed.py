"""Reading arXiv's Atom: what comes is treated as hostile, and a bad entry only costs itself."""

import logging
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Self

from arxiv import Result, _feed
from lxml import etree

from desks.research.arxiv_api.identifiers import ArxivId, arxiv_id

logger = logging.getLogger(__name__)

MOST_ENTRIES = 500  # ten times what is ever asked for
MOST_AUTHORS = 3_000  # collaborations of physicists have thousands
_ATOM = "{http://www.w3.org/2005/Atom}"
_TOTAL = "{http://a9.com/-/spec/opensearch/1.1/}totalResults"
_WITHDRAWN = re.compile(
    r"\b(?:this|the) (?:paper|article|submission|manuscript|preprint|version|work) (?:has been|is|was) "
    r"(?:\w+ )?withdrawn\b|^\W*(?:paper |article |submission )?withdrawn\b|"
    r"\bwithdrawn by (?:the )?(?:arxiv|authors?)\b",
    re.IGNORECASE,
)


class NotAtom(Exception):
    """The answer is no feed at all."""


class Complaint(Exception):
    """arXiv's own words about a query that it does not understand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArxivPaper:
    """What arXiv says about one version of a paper. No address is taken from the feed, only numbers."""

    number: str
    version: int
    title: str
    authors: tuple[str, ...] = ()
    abstract: str = ""
    published: str = ""  # ISO, as all days and times here
    updated: str = ""
    categories: tuple[str, ...] = ()
    doi: str = ""
    journal: str = ""
    comment: str = ""

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """From `as_json`."""
        known = {field.name: values[field.name] for field in fields(cls) if field.name in values}
        return cls(**known | {name: tuple(known.get(name) or ()) for name in ("authors", "categories")})

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"authors": list(self.authors), "categories": list(self.categories)}

    @property
    def id(self) -> ArxivId:
        return ArxivId(number=self.number, version=self.version)

    @property
    def is_withdrawn(self) -> bool:
        return bool(_WITHDRAWN.search(self.comment) or _WITHDRAWN.search(self.abstract[:300]))

    @property
    def year(self) -> str:
        return self.published[:4]

    @property
    def link(self) -> str:
        return f"https://arxiv.org/abs/{self.id}"

    @property
    def byline(self) -> str:
        """“Edge, Trinh, Cheng and others”."""
        names = [last_name(name) for name in self.authors]
        return ", ".join(names[:3]) + " and others" if len(names) > 4 else ", ".join(names)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultPage:
    """`total`: how many papers there are in all, as arXiv says; `unreadable`: entries that made no sense."""

    total: int
    papers: tuple[ArxivPaper, ...]
    unreadable: int = 0


def last_name(name: str) -> str:
    """“Vaswani” of “Ashish Vaswani”, “van der Maaten” of “Laurens van der Maaten”."""
    parts = name.split()
    small = next((i for i, part in enumerate(parts[1:-1], 1) if part[0].islower()), None)
    if small is not None:
        return " ".join(parts[small:])
    if len(parts) > 2 and re.fullmatch(r"(?:jr|sr|i{2,3}|iv)\.?", parts[-1], re.IGNORECASE):
        return parts[-2]
    return parts[-1] if parts else ""


def read_feed(content: bytes) -> ResultPage:
    """Raises NotAtom, and Complaint where arXiv answers with an error in place of papers."""
    root = _root(content)
    total = (root.findtext(_TOTAL) or "").strip()
    papers: list[ArxivPaper] = []
    unreadable = 0
    for entry in islice(root.iterfind(f"{_ATOM}entry"), MOST_ENTRIES):
        if "/api/errors" in (entry.findtext(f"{_ATOM}id") or ""):
            raise Complaint(_line(entry.findtext(f"{_ATOM}summary") or "")[:300])
        paper = _paper(entry)
        if paper is None:
            unreadable += 1
        else:
            papers.append(paper)
    if unreadable:
        logger.warning("%d entries of a feed from arXiv made no sense", unreadable)
    number = int(total) if total.isascii() and total.isdecimal() and len(total) < 9 else len(papers)
    return ResultPage(total=max(number, len(papers)), papers=tuple(papers), unreadable=unreadable)


def _root(content: bytes) -> Any:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise NotAtom from error
    if not content.rstrip().endswith(b"feed>"):
        raise NotAtom  # it broke off
    if root is None or root.tag != f"{_ATOM}feed":
        raise NotAtom
    if root.getroottree().docinfo.internalDTD is not None:  # arXiv has none, an attack does
        raise NotAtom
    return root


def _paper(entry: Any) -> ArxivPaper | None:
    try:
        result: Result | None = _feed._build_result(entry)
    except (ValueError, TypeError, OverflowError):  # a date that is none
        return None
    found = arxiv_id(result.entry_id) if result else None
    title = _line(result.title) if result else ""
    if result is None or found is None or not title:
        return None
    return ArxivPaper(
        number=found.number,
        version=found.version or 1,
        title=title[:1000],
        authors=tuple(name for each in result.authors[:MOST_AUTHORS] if (name := _line(each.name)[:200])),
        abstract=_line(result.summary)[:20_000],
        published=_iso(result.published),
        updated=_iso(result.updated),
        categories=tuple(dict.fromkeys([*filter(None, [result.primary_category]), *result.categories]))[:20],
        doi=_line(result.doi or "")[:200],
        journal=_line(result.journal_ref or "")[:500],
        comment=_line(result.comment or "")[:1000],
    )


def _iso(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="seconds")


def _line(text: str) -> str:
    """On one line, without characters that a database does not keep."""
    return " ".join("".join(c for c in text if c >= " " or c in "\n\t").split())

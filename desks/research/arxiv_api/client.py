"""Single requests to arXiv: a search, papers by number, the PDF of one. Callers wait for their turn first."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from typing import BinaryIO
from urllib.parse import quote, urlsplit

import httpx
from arxiv import Search
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext_noop

from desks.research.arxiv_api.errors import BadContent, NotThere, Offline, Refused, SwitchedOff
from desks.research.arxiv_api.feed import ArxivPaper, Complaint, NotAtom, ResultPage, read_feed
from desks.research.arxiv_api.identifiers import ArxivId
from desks.research.arxiv_api.query import PAGE, PaperQuery, parameters
from localization.stored import said

AT_ONCE = 50  # papers asked for by number in one request
LONGEST_FEED = 20_000_000  # bytes
FEED_SECONDS, PDF_SECONDS = 90, 600  # for a whole answer
REDIRECTS = 3
PART = 4096  # bytes at least that are handed on together, but for the last ones
USER_AGENT = "SVQ (self-hosted; one request every 3 seconds)"
CHANGE = gettext_noop("Change the search.")
OTHER_VERSION = gettext_noop("It may be there in another version.")
_TIMEOUT = httpx.Timeout(30, connect=10)

Progress = Callable[[int, int], None]  # bytes so far, bytes in all or 0
Keep = Callable[[], None]  # called while an answer comes in: it is under way still


def search(query: PaperQuery, keep: Keep) -> ResultPage:
    """A page of results. Raises ArxivError and Refused, like all functions here."""
    ids = query.ids
    page = _feed(keep, query.search, query.start, min(len(ids), PAGE) if ids else PAGE)
    if not page.papers and not page.unreadable and page.total > query.start:
        raise Refused(said("arXiv promised {n} papers and sent none of them.", n=page.total))
    return page


def by_ids(ids: Sequence[ArxivId], keep: Keep) -> list[ArxivPaper]:
    """What arXiv knows of these, at most AT_ONCE; unknown ones are missing."""
    page = _feed(keep, Search(id_list=[str(each) for each in ids]), 0, len(ids))
    if not page.papers and page.total > page.unreadable:
        raise Refused(said("arXiv promised {n} papers and sent none of them.", n=page.total))
    return list(page.papers)


def pdf(paper: ArxivId, into: BinaryIO, keep: Keep, progress: Progress) -> None:
    """Write the PDF of that version into the file; `progress` may raise to end the download."""
    address = f"{settings.ARXIV_PDF_URL.rstrip('/')}/{quote(str(paper))}"
    with _answer(address, PDF_SECONDS, keep) as parts:
        done = 0
        for part, total in parts:
            if not done and not part.lstrip()[:1024].startswith(b"%PDF-"):
                raise _no_pdf(paper)
            done += len(part)
            if max(done, total) > settings.MAX_UPLOAD_BYTES:
                limit = settings.MAX_UPLOAD_BYTES // 2**20
                raise BadContent(
                    said("The PDF of {paper} has more than {n} MB.", paper=str(paper), n=limit),
                    gettext_noop("A higher limit can be set."),
                )
            into.write(part)
            progress(done, total)
        if not done:
            raise _no_pdf(paper)


def _no_pdf(paper: ArxivId) -> BadContent:
    return BadContent(said("arXiv has no PDF for {paper}.", paper=str(paper)), OTHER_VERSION)


def _feed(keep: Keep, search: Search, start: int, count: int) -> ResultPage:
    address = f"{settings.ARXIV_API_URL}?{parameters(search, start, count)}"
    content = bytearray()
    with _answer(address, FEED_SECONDS, keep) as parts:
        for part, _ in parts:
            content += part
            if len(content) > LONGEST_FEED:
                raise BadContent(
                    gettext_noop("arXiv's answer never ends."), gettext_noop("Narrow the search.")
                )
    try:
        return read_feed(bytes(content))
    except NotAtom:
        raise Refused(gettext_noop("arXiv's answer is not a list of papers.")) from None
    except Complaint as complaint:
        raise BadContent(
            said("arXiv does not understand this: {complaint}", complaint=str(complaint)), CHANGE
        ) from None


@contextmanager
def _answer(address: str, seconds: float, keep: Keep) -> Iterator[Iterator[tuple[bytes, int]]]:
    """The body in parts, each with the size of the whole, 0 where that is not told."""
    if not settings.ARXIV:
        raise SwitchedOff
    until = time.monotonic() + seconds
    headers = {"User-Agent": USER_AGENT}
    try:
        with httpx.Client(timeout=_TIMEOUT, proxy=settings.ARXIV_PROXY or None, headers=headers) as http:
            for _ in range(REDIRECTS + 1):
                with http.stream("GET", address) as response:
                    if (target := response.next_request) is not None:
                        address = _allowed(str(target.url), address)
                        continue
                    _check(response)
                    yield _parts(response, until, keep)
                    return
            raise BadContent(gettext_noop("arXiv redirects the request too many times."))
    except (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError, httpx.UnsupportedProtocol):
        raise Offline from None
    except httpx.TimeoutException:
        raise Refused(gettext_noop("arXiv did not answer in time.")) from None
    except (httpx.HTTPError, httpx.InvalidURL):
        raise Refused(gettext_noop("arXiv's answer broke off.")) from None


def _parts(response: httpx.Response, until: float, keep: Keep) -> Iterator[tuple[bytes, int]]:
    told = response.headers.get("content-length", "")
    total = int(told) if told.isascii() and told.isdecimal() and len(told) < 16 else 0
    part = b""
    for came in response.iter_bytes():  # as it comes in: an answer that only trickles is looked at too
        if time.monotonic() > until:
            raise Refused(gettext_noop("arXiv's answer takes too long."))
        keep()
        part += came
        if len(part) >= PART:
            yield part, total
            part = b""
    if part:
        yield part, total


def _allowed(target: str, before: str) -> str:
    """A redirection leads to the same host or to arXiv, never anywhere else, such as into this network."""
    host, first = urlsplit(target).hostname or "", urlsplit(before).hostname
    if host == first or (
        target.startswith("https://") and (host == "arxiv.org" or host.endswith(".arxiv.org"))
    ):
        return target
    raise BadContent(
        gettext_noop("arXiv redirects the request to another server."),
        gettext_noop("SVQ does not follow it."),
    )


def _check(response: httpx.Response) -> None:
    status = response.status_code
    if status == 200:
        return
    if status in (429, 500, 502, 503, 504):
        raise Refused(
            said("arXiv asked SVQ to wait (status {status}).", status=status), _retry_after(response)
        )
    if status in (404, 410):
        raise NotThere(gettext_noop("arXiv has no such paper, or no PDF of it."), OTHER_VERSION)
    raise BadContent(said("arXiv refused the request (status {status}).", status=status), CHANGE)


def _retry_after(response: httpx.Response) -> float:
    """Seconds; as a number or as a date."""
    told = response.headers.get("retry-after", "").strip()
    if told.isascii() and told.isdecimal() and len(told) < 10:
        return float(told)
    try:
        return max(0.0, (parsedate_to_datetime(told) - timezone.now()).total_seconds())
    except (ValueError, TypeError, IndexError):
        return 0.0

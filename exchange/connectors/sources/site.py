"""A web site: the pages that its sitemap names, else those that its start page links to.

Of what a site says only paths are used, so that nothing leads to another one. It is asked gently, as its
robots.txt says, and for each page only whether it has changed since. Without a whole sitemap nobody knows
what is gone: then a page goes when the site says so of that page.
"""

import re
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from io import BytesIO
from typing import BinaryIO
from urllib.parse import urljoin, urlsplit

import httpx
from django.utils import timezone
from django.utils.translation import gettext as _

from exchange.connectors.sources.robots import Robots, TooManyRules, normal, parsed
from exchange.connectors.sources.site_pages import links_of, name_of_page, read_sitemap
from exchange.connectors.sources.source import (
    UNREACHABLE,
    Entry,
    FileGone,
    FileRefused,
    NotGiven,
    SourceError,
    Unchanged,
)
from exchange.connectors.sources.web import (
    BUSY,
    FILE_SECONDS,
    LIST_SECONDS,
    LONGEST,
    Web,
    busy,
    receive,
    whole,
)
from formats.html.format import HTML
from ingestion.web_pages.snapshot import with_charset
from localization.numbers import numeral
from localization.stored import said

CALLED = "svq"  # in robots.txt
AGENT = {"User-Agent": "SVQ/0.2.0 (keeps copies of a site's pages up to date)"}
GAP, LONGEST_GAP = 1.0, 60.0  # seconds from one request to the next
STEP = 0.2  # seconds of a wait until it is asked whether anybody still waits
MOST_PAGES = 20_000
MOST_SITEMAPS, DEEPEST = 100, 3  # an index may name further ones
MOST_LINKS, LARGEST_PAGE = 500, 20 * 2**20  # of the start page; bytes of a page
LONGEST_ROBOTS = 512 * 2**10  # bytes; what comes after is not read, as the standard has it
MOST_HOPS = 5
ABSENT = (404, 410)


class SiteSource:
    """place: the address where the site, or the part of it that is followed, begins, or a sitemap. known:
    paths of pages that are here. looked: when the last look came to its end, the same in all parts of a look.
    """

    def __init__(
        self, place: str, known: Collection[str], looked: datetime | None, should_stop: Callable[[], bool]
    ) -> None:
        parts = urlsplit(place)
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._host = parts.netloc.lower()
        self._start = normal(parts.path or "/")
        self._is_sitemap = self._start.endswith((".xml", ".xml.gz"))
        self._below = self._start.rpartition("/")[0] if self._is_sitemap else self._start.rstrip("/")
        self._known, self._looked, self._should_stop = known, looked, should_stop
        self._robots: Robots | None = None
        self._not_given = NotGiven()
        self._begun, self._asked = time.monotonic(), 0.0
        self._web = Web(None, should_stop, AGENT)

    def entries(self) -> Iterator[Entry]:
        pages, is_whole = self._from_sitemaps()
        if not pages and not is_whole:
            pages = dict.fromkeys(self._linked(), "")
        if not is_whole:
            pages |= {path: pages.get(path, "") for path in self._known}
        robots = self._rules()
        for path, changed in pages.items():
            self._check_time()
            yield self._entry(path, changed, is_allowed=robots.allow(path))

    def fetch(self, entry: Entry, file: BinaryIO, most: int) -> str:
        """A page that the site does not give now is left out; the look ends when several in a row are."""
        with self._not_given.counting():
            return self._fetched(entry, file, most)

    def _fetched(self, entry: Entry, file: BinaryIO, most: int) -> str:
        circle = FileRefused(said("Its address redirects too often, more than {n} times.", n=MOST_HOPS))
        headers = _conditions(entry.remembered)
        with self._at_its_end(entry.path, self._led_to, circle, headers) as (_end, answer):
            return self._kept(entry, answer, file, most)

    def try_it(self) -> None:
        """Its rules, and then a sitemap or the page that it begins with."""
        named = [self._path(address) for address in self._rules().sitemaps]
        first = self._start if self._is_sitemap else next((path for path in named if path), "/sitemap.xml")
        body = self._listed(first)
        if body is not None and read_sitemap(body) is not None:
            return
        if self._is_sitemap:
            raise SourceError("not_there", _("There is no sitemap at this address."))
        next(self._linked())

    def close(self) -> None:
        self._web.close()

    def _entry(self, path: str, changed: str, *, is_allowed: bool) -> Entry:
        """Each look asks for a page anew; where the sitemap says when it has changed, only then and once a
        day, as not all sitemaps are right. So do looks that never come to their end.
        """
        asked = changed or (self._looked.isoformat() if self._looked else "")
        return Entry(
            path=path,
            version=f"{asked} {_today()}",
            refusal="" if is_allowed else _("The site asks programs not to read it (robots.txt)."),
            name=name_of_page(path, str(urlsplit(self._origin).hostname)),
            address=f"{self._origin}{path}",
        )

    # --- one page ----------------------------------------------------------------------------------------
    def _kept(self, entry: Entry, answer: httpx.Response, file: BinaryIO, most: int) -> str:
        status = answer.status_code
        if status == 304 and entry.remembered:
            raise Unchanged
        if status in ABSENT:
            raise FileGone(said("The site says that it is gone (HTTP {status}).", status=status))
        if status != 200:
            raise FileRefused(said("The site does not give it (HTTP {status}).", status=status))
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        is_page = entry.called.suffix.lower() in HTML.suffixes
        if is_page != (kind in ("text/html", "application/xhtml+xml")) and kind:
            raise FileRefused(_("The site sends something of another kind than its address says."))
        if not is_page:
            receive(answer, file, most)
        else:
            content = BytesIO()
            receive(answer, content, min(most, LARGEST_PAGE))
            file.write(with_charset(content.getvalue(), entry.called.suffix, answer.charset_encoding or ""))
        return _remembered(answer)

    def _led_to(self, path: str, answer: httpx.Response) -> str:
        """Raises FileRefused where that is another site, or not to be read."""
        given = answer.headers.get("location", "")
        led = self._path(given, path) if given else None
        if led is None:
            raise FileRefused(_("Its address leads to another site, which is not followed."))
        if not self._rules().allow(led):
            raise FileRefused(_("Its address leads to one that the site asks programs not to read."))
        return led

    @contextmanager
    def _page(self, path: str, headers: dict[str, str] | None = None) -> Iterator[httpx.Response]:
        """An answer, whatever it is, in its turn. Raises SourceError."""
        self._wait(self._robots.delay if self._robots else 0.0)
        seconds = FILE_SECONDS if headers is not None else LIST_SECONDS
        with self._web.answering("GET", f"{self._origin}{path}", seconds, headers) as answer:
            if answer.status_code in BUSY:
                raise busy(answer)
            yield answer

    @contextmanager
    def _at_its_end(
        self,
        path: str,
        leads: Callable[[str, httpx.Response], str],
        circle: Exception,
        headers: dict[str, str] | None = None,
    ) -> Iterator[tuple[str, httpx.Response]]:
        """The path that redirects lead to, and what is answered there. leads: the path that one of them leads
        to; it may raise. circle: what is raised where there are too many.
        """
        for _hop in range(MOST_HOPS + 1):
            with self._page(path, headers) as answer:
                if not 300 <= answer.status_code < 400 or answer.status_code == 304:
                    yield path, answer
                    return
                path = leads(path, answer)
            if headers is None:
                self._check_time()
        raise circle

    def _wait(self, delay: float) -> None:
        end = self._asked + max(GAP, delay)
        while (left := end - time.monotonic()) > 0:
            if self._should_stop():
                raise SourceError("stopped", _("Nobody is waiting for it any more."))
            time.sleep(min(left, STEP))
        self._asked = time.monotonic()

    # --- which pages there are ---------------------------------------------------------------------------
    def _rules(self) -> Robots:
        """Those of robots.txt; without one all may be read. Raises SourceError."""
        if self._robots is None:
            text = self._listed("/robots.txt", LONGEST_ROBOTS) or b""
            try:
                self._robots = parsed(text.decode("utf-8", "replace"), CALLED)
            except TooManyRules:
                raise SourceError(
                    "robots", _("The site's robots.txt has more rules than SVQ keeps.")
                ) from None
            if self._robots.delay > LONGEST_GAP:
                raise SourceError(
                    "robots",
                    said(
                        "The site asks programs to wait {n} seconds from one page to the next (robots.txt); "
                        "SVQ follows sites that ask for {most} at most.",
                        n=numeral(self._robots.delay),
                        most=round(LONGEST_GAP),
                    ),
                    _("Ask whoever runs the site for another way to its pages."),
                )
        return self._robots

    def _from_sitemaps(self) -> tuple[dict[str, str], bool]:
        """The pages, each with when it has changed, as far as that is told; and whether these are all: not
        where a sitemap could not be read, or lies at another site.
        """
        rules, is_whole = self._rules(), True
        if self._is_sitemap:
            first = [self._start]
        else:
            named = [self._path(address) for address in rules.sitemaps]
            is_whole = None not in named
            first = [path for path in named if path] or ["/sitemap.xml"]
        pages: dict[str, str] = {}
        waiting, seen = [(path, 0) for path in first], set(first)
        elsewhere, has_own = "", False
        while waiting:
            path, depth = waiting.pop()
            body = self._listed(path)
            given = None if body is None else read_sitemap(body)
            if given is None:
                is_whole = False
                continue
            kind, rows = given
            for address, changed in rows:
                inner = self._path(address)
                if inner is None:
                    elsewhere = address
                    is_whole = is_whole and kind == "urlset"
                    continue
                if kind == "urlset":
                    has_own = True
                    if self._is_followed(inner):
                        pages[inner] = changed
                elif inner not in seen:
                    if depth >= DEEPEST:
                        raise _many_sitemaps()
                    seen.add(inner)
                    waiting.append((inner, depth + 1))
            if len(pages) > MOST_PAGES:
                raise _many_pages()
            if len(seen) > MOST_SITEMAPS:
                raise _many_sitemaps()
        if elsewhere and is_whole and not has_own:
            raise _others_alone(elsewhere)
        return pages, is_whole

    def _linked(self) -> Iterator[str]:
        """The start page, and what it links to within the part that is followed. Raises SourceError."""
        self._check_may_read(self._start)
        with self._at_its_end(self._start, self._led_to_start, _circle()) as (path, answer):
            if answer.status_code != 200:
                raise SourceError(
                    "not_there",
                    said("There is no such page at the site (HTTP {status}).", status=answer.status_code),
                )
            links = links_of(whole(answer), f"{self._origin}{path}")
        inner = (self._path(link) for link in links)
        found = [each for each in inner if each and self._is_followed(each)]
        yield from list(dict.fromkeys([path, *found]))[: MOST_LINKS + 1]

    def _listed(self, path: str, most: int | None = None) -> bytes | None:
        """What stands there, or as much of it as is read; None where there is nothing. Raises SourceError."""
        self._check_time()
        with self._at_its_end(path, self._led_on, _circle()) as (_end, answer):
            status = answer.status_code
            if status == 200:
                return whole(answer) if most is None else _beginning(answer, most)
            if 400 <= status < 500:
                return None
            raise SourceError(UNREACHABLE, said("The site answered with HTTP {status}.", status=status))

    def _check_may_read(self, path: str) -> None:
        """Raises SourceError."""
        if not self._rules().allow(path):
            raise SourceError("robots", _("The site asks programs not to read this page (robots.txt)."))

    def _led_to_start(self, path: str, answer: httpx.Response) -> str:
        led = self._led_on(path, answer)
        self._check_may_read(led)
        return led

    def _check_time(self) -> None:
        """Raises SourceError."""
        if time.monotonic() - self._begun > LONGEST:
            raise SourceError(
                "slow",
                said(
                    "The site's list of pages could not be read within {minutes} minutes.",
                    minutes=LONGEST // 60,
                ),
            )

    def _led_on(self, path: str, answer: httpx.Response) -> str:
        """Raises SourceError."""
        given, led = answer.headers.get("location", ""), None
        with suppress(ValueError):  # what is no address leads nowhere
            given = urljoin(f"{self._origin}{path}", given)
            led = self._path(given)
        if led is None or (led == path and not given.startswith(f"{self._origin}/")):
            raise SourceError(
                "moved",
                said(
                    "The site leads on to another one, {site}, which is not followed.", site=_site_of(given)
                ),
                _("If that is the one that you mean, connect its address."),
            )
        return led

    def _path(self, address: str, beside: str = "") -> str | None:
        """Path and question of an address of this site, else None. beside: the page that has it."""
        try:
            parts = urlsplit(urljoin(f"{self._origin}{beside or self._start}", address.strip()))
            is_here = parts.scheme in ("http", "https") and self._is_host(parts.netloc.lower())
        except ValueError:
            return None
        path = normal(parts.path or "/") + (f"?{normal(parts.query)}" if parts.query else "")
        is_fit = path.startswith("/") and "/../" not in f"{path}/" and "%00" not in path
        return path if is_here and is_fit else None

    def _is_host(self, host: str) -> bool:
        """Some sites still name themselves with http://, or with the usual port."""
        return re.sub(r":(80|443)$", "", host) == re.sub(r":(80|443)$", "", self._host)

    def _is_followed(self, path: str) -> bool:
        return path == self._below or path.startswith((f"{self._below}/", f"{self._below}?"))


def _today() -> str:
    return timezone.now().date().isoformat()


def _beginning(answer: httpx.Response, most: int) -> bytes:
    body = bytearray()
    for block in answer.iter_bytes():
        body += block
        if len(body) >= most:
            break
    return bytes(body[:most])


def _remembered(answer: httpx.Response) -> str:
    """What the site is told when it is asked again: in two lines, each may be empty."""
    given = [answer.headers.get(name, "") for name in ("etag", "last-modified")]
    fit = [each if each.isascii() and each.isprintable() and len(each) <= 200 else "" for each in given]
    return "\n".join(fit) if any(fit) else ""


def _conditions(remembered: str) -> dict[str, str]:
    etag, _, modified = remembered.partition("\n")
    given = {"If-None-Match": etag, "If-Modified-Since": modified}
    return {name: value for name, value in given.items() if value}


def _circle() -> SourceError:
    return SourceError("moved", _("The address redirects too often."))


def _site_of(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return address[:200]
    return f"{parts.scheme}://{parts.netloc}"[:200]


def _others_alone(address: str) -> SourceError:
    return SourceError(
        "elsewhere",
        said(
            "The site's sitemap names pages of other sites alone, such as {site}.",
            site=_site_of(address.strip()),
        ),
        _("Nothing was changed. If that is the one that you mean, connect its address."),
    )


def _many_pages() -> SourceError:
    return SourceError(
        "many_files",
        said("The site has more than {n} pages.", n=MOST_PAGES),
        _(
            "Nothing was changed. Connect a part of it: the address of a folder in it, or one of its "
            "sitemaps."
        ),
    )


def _many_sitemaps() -> SourceError:
    return SourceError(
        "many_sitemaps",
        said(
            "The site's sitemap names more than {n} others, or they name each other without an end.",
            n=MOST_SITEMAPS,
        ),
        _("Nothing was changed. Connect one of its sitemaps, or a part of the site."),
    )

"""A web site: the pages that its sitemap names, else those that its start page links to.

Of what a site says only paths are used, so that nothing leads to another one. It is asked gently, as its
robots.txt says, and for each page only whether it has changed since. Without a whole sitemap nobody knows
what is gone: then a page goes when the site says so of that page.
"""

import re
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from io import BytesIO
from typing import BinaryIO
from urllib.parse import urljoin, urlsplit

import httpx
from django.utils import timezone

from connectors.sources.robots import Robots, TooManyRules, normal, parsed
from connectors.sources.site_pages import links_of, name_of_page, read_sitemap
from connectors.sources.source import (
    UNREACHABLE,
    Entry,
    FileGone,
    FileRefused,
    NotGiven,
    SourceError,
    Unchanged,
)
from connectors.sources.web import (
    FILE_SECONDS,
    LIST_SECONDS,
    LONGEST,
    Web,
    receive,
    whole,
)
from formats.html.format import HTML
from ingestion.web_pages.snapshot import with_charset

CALLED = "svq"  # in robots.txt
AGENT = {"User-Agent": "SVQ/0.1.0 (keeps copies of a site's pages up to date)"}
GAP, LONGEST_GAP = 1.0, 60.0  # seconds from one request to the next
STEP = 0.2  # seconds of a wait until it is asked whether anybody still waits
MOST_PAGES = 20_000
MOST_SITEMAPS, DEEPEST = 100, 3  # an index may name further ones
MOST_LINKS, LARGEST_PAGE = 500, 20 * 2**20  # of the start page; bytes of a page
LONGEST_ROBOTS = 512 * 2**10  # bytes; what comes after is not read, as the standard has it
MOST_HOPS = 5
USUAL_WAIT = 3_600.0  # seconds, where a site is too busy and does not say for how long
ABSENT, BUSY = (404, 410), (429, 503)


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
        path = entry.path
        for _ in range(MOST_HOPS + 1):
            with self._page(path, _conditions(entry.remembered)) as answer:
                if not 300 <= answer.status_code < 400 or answer.status_code == 304:
                    return self._kept(entry, answer, file, most)
                path = self._led_to(path, answer)
        raise FileRefused(f"Its address redirects too often, more than {MOST_HOPS} times.")

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
            refusal="" if is_allowed else "The site asks programs not to read it (robots.txt).",
            name=name_of_page(path, str(urlsplit(self._origin).hostname)),
            address=f"{self._origin}{path}",
        )

    # --- one page ----------------------------------------------------------------------------------------
    def _kept(self, entry: Entry, answer: httpx.Response, file: BinaryIO, most: int) -> str:
        status = answer.status_code
        if status == 304 and entry.remembered:
            raise Unchanged
        if status in ABSENT:
            raise FileGone(f"The site says that it is gone (HTTP {status}).")
        if status != 200:
            raise FileRefused(f"The site does not give it (HTTP {status}).")
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        is_page = entry.called.suffix.lower() in HTML.suffixes
        if is_page != (kind in ("text/html", "application/xhtml+xml")) and kind:
            raise FileRefused("The site sends something of another kind than its address says.")
        if not is_page:
            receive(answer, file, most)
        else:
            content = BytesIO()
            receive(answer, content, min(most, LARGEST_PAGE))
            file.write(with_charset(content.getvalue(), entry.called.suffix, answer.charset_encoding or ""))
        return _remembered(answer)

    def _led_to(self, path: str, answer: httpx.Response) -> str:
        """Raises FileRefused where that is another site, or not to be read."""
        told = answer.headers.get("location", "")
        led = self._path(told, path) if told else None
        if led is None:
            raise FileRefused("Its address leads to another site, which is not followed.")
        if not self._rules().allow(led):
            raise FileRefused("Its address leads to one that the site asks programs not to read.")
        return led

    @contextmanager
    def _page(self, path: str, headers: dict[str, str] | None = None) -> Iterator[httpx.Response]:
        """An answer, whatever it is, in its turn. Raises SourceError."""
        self._wait(self._robots.delay if self._robots else 0.0)
        seconds = FILE_SECONDS if headers is not None else LIST_SECONDS
        with self._web.answering("GET", f"{self._origin}{path}", seconds, headers) as answer:
            if answer.status_code in BUSY:
                raise _busy(answer)
            yield answer

    def _wait(self, delay: float) -> None:
        end = self._asked + max(GAP, delay)
        while (left := end - time.monotonic()) > 0:
            if self._should_stop():
                raise SourceError("stopped", "Nobody waits for it any more.")
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
                raise SourceError("robots", "The site's robots.txt has more rules than SVQ keeps.") from None
            if self._robots.delay > LONGEST_GAP:
                raise SourceError(
                    "robots",
                    f"The site asks programs to wait {self._robots.delay:,.0f} seconds from one page to the "
                    f"next (robots.txt); SVQ follows sites that ask for {LONGEST_GAP:.0f} at most.",
                    "Ask whoever runs the site for another way to its pages.",
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
            told = None if body is None else read_sitemap(body)
            if told is None:
                is_whole = False
                continue
            kind, rows = told
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
        path = self._start
        for _ in range(MOST_HOPS + 1):
            if not self._rules().allow(path):
                raise SourceError("robots", "The site asks programs not to read this page (robots.txt).")
            with self._page(path) as answer:
                if 300 <= answer.status_code < 400:
                    path = self._led_on(path, answer)
                    continue
                if answer.status_code != 200:
                    raise SourceError(
                        "not_there", f"There is no such page at the site (HTTP {answer.status_code})."
                    )
                links = links_of(whole(answer), f"{self._origin}{path}")
            inner = (self._path(link) for link in links)
            found = [each for each in inner if each and self._is_followed(each)]
            yield from list(dict.fromkeys([path, *found]))[: MOST_LINKS + 1]
            return
        raise SourceError("moved", "The address redirects too often.")

    def _listed(self, path: str, most: int | None = None) -> bytes | None:
        """What stands there, or as much of it as is read; None where there is nothing. Raises SourceError."""
        for _ in range(MOST_HOPS + 1):
            self._check_time()
            with self._page(path) as answer:
                status = answer.status_code
                if status == 200:
                    return whole(answer) if most is None else _beginning(answer, most)
                if 400 <= status < 500:
                    return None
                if not 300 <= status < 400:
                    raise SourceError(UNREACHABLE, f"The site answered with HTTP {status}.")
                path = self._led_on(path, answer)
        raise SourceError("moved", "The address redirects too often.")

    def _check_time(self) -> None:
        """Raises SourceError."""
        if time.monotonic() - self._begun > LONGEST:
            raise SourceError(
                "slow", f"The site's list of pages could not be read within {LONGEST // 60} minutes."
            )

    def _led_on(self, path: str, answer: httpx.Response) -> str:
        """Raises SourceError."""
        told, led = answer.headers.get("location", ""), None
        with suppress(ValueError):  # what is no address leads nowhere
            told = urljoin(f"{self._origin}{path}", told)
            led = self._path(told)
        if led is None or (led == path and not told.startswith(f"{self._origin}/")):
            raise SourceError(
                "moved",
                f"The site leads on to another one, {_site_of(told)}, which is not followed.",
                "If that is the one that you mean, connect its address.",
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
    told = [answer.headers.get(name, "") for name in ("etag", "last-modified")]
    fit = [each if each.isascii() and each.isprintable() and len(each) <= 200 else "" for each in told]
    return "\n".join(fit) if any(fit) else ""


def _conditions(remembered: str) -> dict[str, str]:
    etag, _, modified = remembered.partition("\n")
    told = {"If-None-Match": etag, "If-Modified-Since": modified}
    return {name: value for name, value in told.items() if value}


def _busy(answer: httpx.Response) -> SourceError:
    told = answer.headers.get("retry-after", "").strip()
    wait = USUAL_WAIT
    if re.fullmatch(r"[0-9]{1,9}", told):
        wait = float(told)
    elif told:
        try:
            wait = (parsedate_to_datetime(told) - datetime.now(UTC)).total_seconds()
        except (ValueError, TypeError, OverflowError):
            wait = USUAL_WAIT
    return SourceError(
        "busy",
        f"The site asks to be left alone for a while (HTTP {answer.status_code}).",
        "SVQ looks again on its own, once the site allows it.",
        retry_after=max(0.0, wait),
    )


def _site_of(address: str) -> str:
    try:
        parts = urlsplit(address)
    except ValueError:
        return address[:200]
    return f"{parts.scheme}://{parts.netloc}"[:200]


def _others_alone(address: str) -> SourceError:
    return SourceError(
        "elsewhere",
        f"The site's sitemap names pages of other sites alone, such as {_site_of(address.strip())}.",
        "Nothing was changed. If that is the one that you mean, connect its address.",
    )


def _many_pages() -> SourceError:
    return SourceError(
        "many_files",
        f"The site has more than {MOST_PAGES:,} pages.",
        "Nothing was changed. Connect a part of it: the address of a folder in it, or one of its sitemaps.",
    )


def _many_sitemaps() -> SourceError:
    return SourceError(
        "many_sitemaps",
        f"The site's sitemap names more than {MOST_SITEMAPS} others, or they name each other without an end.",
        "Nothing was changed. Connect one of its sitemaps, or a part of the site.",
    )

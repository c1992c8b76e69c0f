"""What a site says of its pages: its sitemaps, the links of a page, the names in addresses. Pure."""

import re
import zlib
from collections.abc import Iterator
from urllib.parse import unquote, urljoin, urlsplit

from django.utils.translation import gettext as _
from lxml import etree

from exchange.connectors.sources.source import LONGEST_PATH, SourceError
from exchange.connectors.sources.web import LARGEST_LIST
from formats.base.errors import ExtractionError
from formats.embedded.xml import child, children, local, parse
from formats.html.format import HTML
from formats.registry import SUFFIXES

MOST_TAGS = 1_000_000  # of a sitemap: a page has ten, and there may be 50,000
MADE_BY_PROGRAMS = (".php", ".asp", ".aspx", ".jsp", ".cgi", ".shtml")


def read_sitemap(body: bytes) -> tuple[str, list[tuple[str, str]]] | None:
    """What kind of sitemap it is, with addresses and when each has changed; None for what is none, such as a
    page to sign in. Raises SourceError.
    """
    if body.startswith(b"\x1f\x8b"):
        try:
            body = zlib.decompressobj(31).decompress(body, LARGEST_LIST + 1)
        except zlib.error:
            return None
    if len(body) > LARGEST_LIST or body.count(b"<") > MOST_TAGS:
        raise SourceError("too_large", _("The site's sitemap is larger than SVQ reads at once."))
    try:
        root = parse(body)
    except ExtractionError:
        return None
    inner = {"urlset": "url", "sitemapindex": "sitemap"}.get(local(root))
    if inner is None:
        return None
    rows = []
    for each in children(root, inner):
        place, changed = child(each, "loc"), child(each, "lastmod")
        if place is not None and place.text and len(place.text) <= LONGEST_PATH:
            given = "" if changed is None else (changed.text or "")
            rows.append((place.text, " ".join(given.split())[:40]))
    return local(root), rows


def links_of(body: bytes, address: str) -> Iterator[str]:
    """Of a page, in their order, each once. Links longer than a path may be are left out."""
    try:
        root = etree.fromstring(body, etree.HTMLParser(no_network=True, huge_tree=False))
    except (etree.XMLSyntaxError, ValueError):
        return
    if root is None:
        return
    base = _joined(address, next((each.get("href", "") for each in root.iter("base")), "")) or address
    seen = set()
    for link in root.iter("a"):
        to = _joined(base, link.get("href", ""))
        if to and to not in seen and _is_of_a_kind(to):
            seen.add(to)
            yield to


def _joined(base: str, link: str) -> str:
    """Empty where that is no address, or too long for one."""
    if len(link) > LONGEST_PATH:
        return ""
    try:
        return urljoin(base, link)
    except ValueError:
        return ""


def _is_of_a_kind(address: str) -> bool:
    """A page, or a file that SVQ reads, as far as its ending says: what else is linked is not asked for."""
    name = urlsplit(address).path.rpartition("/")[2].lower()
    suffix = re.search(r"\.[a-z][a-z0-9]{1,5}$", name)
    return suffix is None or suffix[0] in (*SUFFIXES, *MADE_BY_PROGRAMS)


def name_of_page(path: str, host: str) -> str:
    """As a file would be called: its ending says what it is, and a page needs none in its address."""
    where, _, question = path.partition("?")
    parts = [part for each in where.split("/") if (part := unquote(each).replace("/", "-").strip())]
    *folders, last = parts or [host]
    stem, dot, suffix = last.rpartition(".")
    suffix = f".{suffix.lower()}" if dot else ""
    if suffix in MADE_BY_PROGRAMS:
        last = stem
    if suffix not in SUFFIXES or question:
        last = f"{last}{f' {unquote(question)}' if question else ''}".replace("/", "-")[:200] + ".html"
    return "/".join([*folders, last.lstrip(".~$ ") or HTML.suffixes[0]])

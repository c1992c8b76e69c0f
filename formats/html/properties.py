"""What a web page says of itself. In the sandbox."""

from lxml.html import HtmlElement

from formats.base.file_properties import MOST_SENT
from formats.markup.walking import title_of

MOST_META = 500  # elements that are looked at
NAMES = {
    "author": "author",
    "article:author": "author",
    "dc.creator": "author",
    "dcterms.creator": "author",
    "date": "created",
    "article:published_time": "created",
    "dc.date": "created",
    "dcterms.created": "created",
    "dcterms.date": "created",
    "article:modified_time": "modified",
    "last-modified": "modified",
    "dcterms.modified": "modified",
}


def properties_of(root: HtmlElement) -> dict[str, str]:
    told = {"title": title_of(root)[:MOST_SENT]}
    for place, each in enumerate(root.iter("meta")):
        if place == MOST_META:
            break
        written = (each.get("name") or each.get("property") or each.get("itemprop") or "").strip().lower()
        name, value = NAMES.get(written), (each.get("content") or "").strip()
        # Where it is an address: the page of its author.
        if name and value and not value.startswith(("http://", "https://")):
            told.setdefault(name, value[:MOST_SENT])
    return told

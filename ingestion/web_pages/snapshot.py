"""What is kept of a fetched page: its bytes as they came, under a name made of its address."""

import codecs
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext_noop

from formats.registry import identify
from ingestion.web_pages.adding import OFF, OFF_ADVICE
from ingestion.web_pages.client import MOST_BYTES, fetch
from ingestion.web_pages.errors import WRONG_TYPE, FetchError
from text.word_lists import words

_NOT_IN_NAMES = re.compile(r"[^\w.-]+")
_SAID = re.compile(rb"charset\s*=|encoding\s*=", re.IGNORECASE)
BYTE_ORDER_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
# Encodings of the web (WHATWG's list), as Python calls them. It knows others: some take the square of a
# page's length, some are no encodings of text.
ENCODINGS = words(
    """ascii utf-8 utf-16 utf-16-le utf-16-be iso8859-1 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6
    iso8859-7 iso8859-8 iso8859-9 iso8859-10 iso8859-11 iso8859-13 iso8859-14 iso8859-15 iso8859-16 cp866
    cp874 cp932 cp949 cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 koi8-r koi8-u mac-roman
    mac-cyrillic tis-620 gbk gb2312 gb18030 big5 big5hkscs euc_jp iso2022_jp shift_jis euc_kr"""
)
SAID_WITHIN = 4096  # bytes in which a page says its own encoding


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """filename, mime: as of an upload. address: where the page was found in the end."""

    content: bytes
    filename: str
    mime: str
    address: str


def take_snapshot(address: str) -> Snapshot:
    """Fetch the page. Raises FetchError."""
    if not settings.FETCH_WEB_PAGES:
        raise FetchError("fetching_off", OFF, OFF_ADVICE)
    fetched = fetch(
        address,
        private_allowed=settings.FETCH_PRIVATE_ADDRESSES,
        most_bytes=min(MOST_BYTES, settings.MAX_UPLOAD_BYTES),
    )
    filename = f"{_stem(fetched.address)}{fetched.ending}"
    content = with_charset(fetched.content, fetched.ending, fetched.charset)
    form = identify(filename, content[:SAID_WITHIN])
    if form is None or not form.is_read:
        raise FetchError(
            WRONG_TYPE,
            gettext_noop("That address has a file that SVQ cannot read."),
            gettext_noop("Download it and look at it."),
        )
    return Snapshot(content=content, filename=filename, mime=form.mime, address=fetched.address)


def _stem(address: str) -> str:
    parts = urlsplit(address)
    path = parts.path.strip("/").rpartition(".")[0] or parts.path.strip("/")
    return _NOT_IN_NAMES.sub("-", f"{parts.hostname}-{path}").strip("-.")[:120] or "page"


def with_charset(content: bytes, ending: str, charset: str) -> bytes:
    """The bytes as they came. Where only the head of the answer tells an old encoding, which a file has no
    place for, they become UTF-8. An encoding that the web doesn't know is not believed.
    """
    if ending == ".pdf" or not charset or content.startswith(BYTE_ORDER_MARKS):
        return content
    try:
        name = codecs.lookup(charset).name
    except (LookupError, ValueError):
        return content
    if name not in ENCODINGS or name == "utf-8" or (ending != ".txt" and _SAID.search(content[:SAID_WITHIN])):
        return content
    return codecs.BOM_UTF8 + content.decode("cp1252" if name == "iso8859-1" else name, "replace").encode()

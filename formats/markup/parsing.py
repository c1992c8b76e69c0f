"""From the bytes of an HTML file to its elements. Runs in the sandbox; nothing is fetched."""

import codecs
import re

from lxml import etree, html

from formats.base.errors import ExtractionError
from formats.plain_text.decoding import BYTE_ORDER_MARKS, decode

DECLARED_WITHIN = 4096  # bytes in which a file says its encoding
_DECLARED = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*>", re.IGNORECASE)


def parse_html(content: bytes | str) -> html.HtmlElement:
    """The root element. Raises ExtractionError for what has no element or nests too deep."""
    text = content if isinstance(content, str) else decoded(content)
    text = _XML_DECLARATION.sub("", text).replace("\0", "")
    if not text.strip():
        raise ExtractionError("empty", "This file has no text: there is nothing to read in it.")
    parser = html.HTMLParser(
        recover=True, no_network=True, huge_tree=False, remove_comments=True, remove_pis=True
    )
    try:
        root = html.document_fromstring(text, parser=parser)
    except (etree.ParserError, ValueError):
        raise ExtractionError("empty", "This file has no text: there is nothing to read in it.") from None
    except etree.XMLSyntaxError:
        raise ExtractionError("corrupt") from None
    if any("depth" in str(error.message).lower() for error in parser.error_log):
        raise ExtractionError("too_large", "This file has elements that are nested too deep.")
    return root


def decoded(content: bytes) -> str:
    """By its byte order mark or what it declares, if that fits; else by its letters."""
    if not content.startswith(tuple(BYTE_ORDER_MARKS)):
        declared = _DECLARED.search(content[:DECLARED_WITHIN])
        if declared:
            name = declared[1].decode("ascii", "replace")
            try:
                return content.decode("cp1252" if _is_western(name) else codecs.lookup(name).name)
            except (LookupError, UnicodeDecodeError, ValueError):
                pass
    return decode(content)


def _is_western(name: str) -> bool:
    """Browsers read these as Windows-1252, and so do those who write them."""
    return name.lower() in ("iso-8859-1", "latin1", "latin-1", "us-ascii", "ascii")

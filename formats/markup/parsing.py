"""From the bytes of an HTML file to its elements. Runs in the sandbox; nothing is fetched."""

import re
from contextlib import suppress

from lxml import etree, html

from formats.base.errors import ExtractionError, gettext_noop
from formats.plain_text.decoding import BYTE_ORDER_MARKS, decode_as, encoding_called

DEEPEST = 256  # elements in elements
DECLARED_WITHIN = 4096  # bytes in which a file says its encoding
_DECLARED = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]+)", re.IGNORECASE)
# With declarations of its own, of which parsers of HTML would take the end for text.
_DOCTYPE = re.compile(r"\A\s*<!DOCTYPE[^>\[]*\[[^\]]*\]\s*>", re.IGNORECASE)
_XML_DECLARATION = re.compile(r"^\s*<\?xml[^>]*>", re.IGNORECASE)


def parse_html(content: bytes | str) -> html.HtmlElement:
    """The root element. Raises ExtractionError for what has no element or nests too deep."""
    text = content if isinstance(content, str) else decoded(content)
    text = _DOCTYPE.sub("", _XML_DECLARATION.sub("", text).replace("\0", ""))
    if not text.strip():
        raise ExtractionError("empty", gettext_noop("This file has no text: there is nothing to read in it."))
    root, refused = _parsed(text, is_huge=False)
    if refused and "depth" not in refused:  # more than 10 MB in one text or value, such as a picture
        root, refused = _parsed(text, is_huge=True)
    if "depth" in refused or _depth(root) > DEEPEST:
        raise ExtractionError("too_large", gettext_noop("This file has elements that are nested too deep."))
    if refused:
        raise ExtractionError("too_large", gettext_noop("A text or value in this file is too long to read."))
    return root


def _parsed(text: str, *, is_huge: bool) -> tuple[html.HtmlElement, str]:
    """The root, and the limit at which the parser stopped, "" if it read all."""
    parser = html.HTMLParser(
        recover=True, no_network=True, huge_tree=is_huge, remove_comments=True, remove_pis=True
    )
    try:
        root = html.document_fromstring(text, parser=parser)
    except (etree.ParserError, ValueError):
        raise ExtractionError(
            "empty", gettext_noop("This file has no text: there is nothing to read in it.")
        ) from None
    except etree.XMLSyntaxError:
        raise ExtractionError("corrupt") from None
    refused = (error for error in parser.error_log if error.type_name == "ERR_RESOURCE_LIMIT")
    return root, next((str(error.message).lower() for error in refused), "")


def _depth(root: html.HtmlElement) -> int:
    deepest = depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        deepest = max(deepest, depth)
    return deepest


def decoded(content: bytes) -> str:
    """By its byte order mark or what it declares, if that fits; else by its letters."""
    if not content.startswith(tuple(BYTE_ORDER_MARKS)):
        declared = _DECLARED.search(content[:DECLARED_WITHIN])
        if declared and (encoding := encoding_called(declared[1].decode("ascii", "replace"))):
            with suppress(UnicodeError):
                return content.decode(encoding)
    return decode_as(content)[0]

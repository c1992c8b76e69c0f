"""What the Info dictionary of a PDF says of it. In the sandbox."""

import ctypes
import re
from typing import Any

import pypdfium2.raw as pdfium

LONGEST = 4_000  # bytes; what is longer is no title
_DATE = re.compile(r"(?:D:)?(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?)?(?:(Z)|([+-]\d\d)'?(\d\d)?)?")


def properties_of(document: Any) -> dict[str, str]:
    return {
        "title": _property_text(document, b"Title"),
        "author": _property_text(document, b"Author"),
        "created": iso_moment(_property_text(document, b"CreationDate")),
        "modified": iso_moment(_property_text(document, b"ModDate")),
    }


def _property_text(document: Any, key: bytes) -> str:
    size = pdfium.FPDF_GetMetaText(document, key + b"\0", None, 0)
    if not 2 < size <= LONGEST:
        return ""
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDF_GetMetaText(document, key + b"\0", buffer, size)
    return buffer.raw[:-2].decode("utf-16-le", "replace")


def iso_moment(text: str) -> str:
    """D:20250203101500+01'00' as ISO 8601."""
    found = _DATE.match(text.strip())
    if not found:
        return ""
    year, month, day, hour, minute, second, utc, hours, minutes = found.groups()
    date = f"{year}-{month}-{day}"
    if hour is None:
        return date
    offset = "+00:00" if utc else f"{hours}:{minutes or '00'}" if hours else ""
    return f"{date}T{hour}:{minute}:{second or '00'}{offset}"

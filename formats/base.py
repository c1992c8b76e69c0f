"""What every reader gives back: a document's facts, its pages, or one error with a code and a next step."""

from dataclasses import dataclass

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInfo:
    """pages: how many the file has. title: from the file's metadata, None when it has none."""

    pages: int
    title: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """One page as it is displayed (rotation applied).

    number: counts from 1. text: clean, lines end with "\\n".
    boxes: zlib-compressed little-endian uint16 array of shape (len(text), 4): x0, y0, x1, y1 in 1/65535 of
    the page's width and height, origin top left; all four are 0 for a character without ink (space, line
    end). width, height: in points, 0 when the page could not be opened.
    readable: False when the page's text could not be read; text is then empty.
    """

    number: int
    text: str
    boxes: bytes
    width: float
    height: float
    readable: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one document may cost. Only time spent waiting for the reader counts, not the caller's own
    work.
    """

    file_bytes: int = 1024 * MEGABYTE
    pages: int = 20_000
    memory_bytes: int = 1024 * MEGABYTE
    page_seconds: float = 30.0
    document_seconds: float = 60.0
    document_seconds_per_page: float = 1.0
    lost_pages: int = 3


_FAILURES = {
    "encrypted": (
        "This PDF is password protected, so its text could not be read.",
        "Save a copy without the password and add that copy.",
    ),
    "corrupt": (
        "This file is damaged and could not be opened.",
        "Download or export the file again, then add the new copy.",
    ),
    "empty": (
        "This file is empty: there is nothing to read in it.",
        "Check that the file was saved or uploaded completely, then add it again.",
    ),
    "timeout": (
        "Reading this file took too long and was stopped.",
        "Print the file to a new PDF, or split it into smaller files, then add those.",
    ),
    "memory": (
        "Reading this file needed more memory than is allowed and was stopped.",
        "Print the file to a new PDF, or split it into smaller files, then add those.",
    ),
    "unsupported": (
        "This file is not of a kind that can be read here.",
        "Convert it to PDF and add the PDF.",
    ),
    "needs_ocr": (
        "No page of this file has any text: the pages are pictures.",
        "Run the file through text recognition (OCR) and add the result.",
    ),
    "too_large": (
        "This file is larger than is allowed.",
        "Split it into smaller files and add those.",
    ),
}


class ExtractionError(Exception):
    """A document that cannot be read. code: a key of the table above; message: what happened; hint: what
    to do next.
    """

    def __init__(self, code: str, message: str = "", hint: str = "") -> None:
        usual_message, usual_hint = _FAILURES[code]
        self.code = code
        self.message = message or usual_message
        self.hint = hint or usual_hint
        super().__init__(f"{self.message} {self.hint}")

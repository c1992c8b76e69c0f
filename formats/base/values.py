"""What reading a file gives back, and what it may cost."""

from dataclasses import dataclass
from pathlib import Path

from formats.base.annotations import Annotation
from formats.base.doubts import Doubt
from formats.base.file_properties import NOTHING_TOLD, FileProperties
from formats.base.layout import NOTHING_SAID, Layout

MEGABYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A file on this machine. derived: the folder that keeps what is made from its content; it need not
    exist yet.
    """

    path: Path
    derived: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentInfo:
    """pages: how many the file has. properties: what it says of itself."""

    pages: int
    properties: FileProperties = NOTHING_TOLD


@dataclass(frozen=True, slots=True, kw_only=True)
class PageText:
    """One page as it is displayed (rotation applied).

    number: counts from 1. text: clean, lines end with "\\n".
    boxes: zlib-compressed little-endian uint16 array of shape (len(text), 4): x0, y0, x1, y1 in 1/65535 of
    the page's width and height, origin top left; all four are 0 for a character without ink (space, line
    end). width, height: in points, 0 when the page could not be opened.
    readable: False when the page's text could not be read; text is then empty.
    picture: most of the page is a picture beside a line or two of text: a photographed page, whose print
    was not read. address: what the page's content is called in the file, such as "Slide 7".
    pictured: a picture large enough to have print stands beside its text.
    suspect: its text is likely to be other than what the page shows, as its encoding is broken.
    layout: what the file says of its lines. annotations: comments and tracked changes on the page; only words
    that were inserted are in the text as well. doubts: where the page and its text disagree.
    """

    number: int
    text: str
    boxes: bytes
    width: float
    height: float
    readable: bool = True
    picture: bool = False
    pictured: bool = False
    address: str = ""
    suspect: bool = False
    layout: Layout = NOTHING_SAID
    annotations: tuple[Annotation, ...] = ()
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachedFile:
    """A file within a file, under the name that it has there. content: None when it is larger than asked for.
    size: in bytes. left_out: of the last one that is told: how many more there are.
    """

    name: str
    size: int
    content: bytes | None
    left_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Pixels:
    """A drawn page. rgb: three bytes a pixel, rows from the top, without padding."""

    width: int
    height: int
    rgb: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Rect:
    """In 1/1000 of the displayed page's width and height, origin top left."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one document may cost. Only time spent waiting for the reader counts, not the caller's own
    work.
    """

    file_bytes: int = 1024 * MEGABYTE
    pages: int = 20_000
    memory_bytes: int = 768 * MEGABYTE
    page_characters: int = 100_000
    page_seconds: float = 30.0
    typesetting_seconds: float = 600.0  # of a processor, for all pages
    document_seconds: float = 60.0
    document_seconds_per_page: float = 1.0
    lost_pages: int = 3

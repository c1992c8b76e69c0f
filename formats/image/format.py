"""Pictures as formats: PNG, JPEG, TIFF, WebP, BMP, GIF, HEIC."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from formats.base import sandbox
from formats.base.errors import ExtractionError
from formats.base.made_once import made_once
from formats.base.values import Limits, SourceFile
from formats.pdf.shown import ShownAsPdf

LAYOUT = 1  # of the pages: a change moves what has been cited
SECONDS = 600.0  # of a processor, for all pages
_CHILD = Path(__file__).with_name("child_process.py")
_HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
_BMP_HEADERS = (12, 40, 52, 56, 64, 108, 124)  # bytes of the header that follows the first one


@dataclass(frozen=True, slots=True, kw_only=True)
class Image(ShownAsPdf):
    """begins: whether a file begins as this kind does. Its pages have no text until they are read by OCR."""

    begins: Callable[[bytes], bool]

    def sniff(self, start: bytes) -> bool:
        return self.begins(start)

    def as_pdf(self, file: SourceFile, limits: Limits | None = None) -> Path:
        path = file.derived / f"picture-{LAYOUT}.pdf"
        return made_once(path, partial(_as_pdf, file.path, limits or Limits()))


def _as_pdf(path: Path, limits: Limits) -> bytes:
    if path.stat().st_size == 0:
        raise ExtractionError("empty")
    *_, last = sandbox.frames(
        _CHILD,
        {"path": str(path), "pages": limits.pages},
        memory_bytes=limits.memory_bytes,
        frame_seconds=limits.page_seconds,
        cpu_seconds=SECONDS,
    )
    return last.body


def _is_webp(start: bytes) -> bool:
    return start[:4] == b"RIFF" and start[8:12] == b"WEBP"


def _is_bmp(start: bytes) -> bool:
    return start[:2] == b"BM" and int.from_bytes(start[14:18], "little") in _BMP_HEADERS


def _is_heic(start: bytes) -> bool:
    return start[4:8] == b"ftyp" and start[8:12] in _HEIC_BRANDS


def _begins_with(*magic: bytes) -> Callable[[bytes], bool]:
    return lambda start: start.startswith(magic)


IMAGES = (
    Image(label="PNG", mime="image/png", suffixes=(".png",), begins=_begins_with(b"\x89PNG\r\n\x1a\n")),
    Image(label="JPEG", mime="image/jpeg", suffixes=(".jpg", ".jpeg"), begins=_begins_with(b"\xff\xd8\xff")),
    Image(
        label="TIFF",
        mime="image/tiff",
        suffixes=(".tif", ".tiff"),
        begins=_begins_with(b"II*\0", b"MM\0*", b"II+\0", b"MM\0+"),
    ),
    Image(label="WebP", mime="image/webp", suffixes=(".webp",), begins=_is_webp),
    Image(label="BMP", mime="image/bmp", suffixes=(".bmp",), begins=_is_bmp),
    Image(label="GIF", mime="image/gif", suffixes=(".gif",), begins=_begins_with(b"GIF87a", b"GIF89a")),
    Image(label="HEIC", mime="image/heic", suffixes=(".heic", ".heif"), begins=_is_heic),
)

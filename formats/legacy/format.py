"""Formats that are recognised but not read: what to save them as."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import NoReturn

from formats.base.errors import ExtractionError
from formats.base.format import Format
from formats.base.values import DocumentInfo, Limits, PageText, Pixels, Rect, SourceFile
from formats.embedded.recognition import has_stream, is_package


@dataclass(frozen=True, slots=True, kw_only=True)
class Legacy(Format):
    """message: what it is. hint: what to save it as. streams: of an OLE file; parts: of an archive."""

    message: str
    hint: str
    streams: tuple[str, ...] = ()
    parts: tuple[bytes, ...] = ()
    is_read: bool = False

    def sniff(self, start: bytes) -> bool:
        return has_stream(start, *self.streams) or (bool(self.parts) and is_package(start, *self.parts))

    def read(
        self, file: SourceFile, *, first_page: int = 1, limits: Limits | None = None
    ) -> Generator[DocumentInfo | PageText]:
        self._refuse()
        yield

    def render(
        self,
        file: SourceFile,
        number: int,
        width: int,
        *,
        part: Rect | None = None,
        limits: Limits | None = None,
    ) -> Pixels:
        self._refuse()

    def cut(self, file: SourceFile, numbers: Sequence[int]) -> bytes:
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise ExtractionError("unsupported", self.message, self.hint)


LEGACY: tuple[Format, ...] = (
    Legacy(
        label="old Word",
        mime="application/msword",
        suffixes=(".doc",),
        streams=("WordDocument",),
        message="This is a Word file in the format of before 2007.",
        hint="Open it in Word or LibreOffice, save it as .docx and add that.",
    ),
    Legacy(
        label="old PowerPoint",
        mime="application/vnd.ms-powerpoint",
        suffixes=(".ppt",),
        streams=("PowerPoint Document",),
        message="This is a PowerPoint file in the format of before 2007.",
        hint="Open it in PowerPoint or LibreOffice, save it as .pptx and add that.",
    ),
    Legacy(
        label="Outlook",
        mime="application/vnd.ms-outlook",
        suffixes=(".msg",),
        streams=("__properties_version1.0",),
        message="This is a message in Outlook's own format.",
        hint="Open it in Outlook, save it as .eml or print it to PDF, and add that.",
    ),
    Legacy(
        label="RTF",
        mime="application/rtf",
        suffixes=(".rtf",),
        magic=b"{\\rtf",
        message="This is a Rich Text file.",
        hint="Open it in Word or LibreOffice, save it as .docx and add that.",
    ),
    Legacy(
        label="OpenDocument",
        mime="application/vnd.oasis.opendocument.text",
        suffixes=(".odt", ".odp"),
        parts=(
            b"mimetypeapplication/vnd.oasis.opendocument.text",
            b"mimetypeapplication/vnd.oasis.opendocument.presentation",
        ),
        message="This is a text or presentation of LibreOffice (OpenDocument).",
        hint="Open it in LibreOffice, save it as .docx or .pptx and add that.",
    ),
)

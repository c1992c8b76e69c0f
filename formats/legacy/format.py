"""Formats that are converted where LibreOffice is installed, else refused with what to save them as."""

from codecs import BOM_UTF8
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NoReturn

from formats.base.errors import ExtractionError, gettext_noop
from formats.base.format import Format
from formats.base.made_once import made_once
from formats.base.values import DocumentInfo, Limits, PageText, Pixels, Rect, SourceFile
from formats.embedded.recognition import (
    has_stream,
    is_encrypted_presentation,
    is_encrypted_text,
    is_package,
)
from formats.legacy.office import converted, soffice
from formats.office_password.unlocking import without_password
from formats.slides.format import SLIDES
from formats.word.format import WORD

CONVERSION = 1  # of the way in which files are converted: raise it when that changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Legacy(Format):
    """message: what it is. hint: what to save it as. into: what LibreOffice makes of it, None where it
    cannot. streams: of an OLE file; parts: of an archive. is_encrypted: whether a file has a password, by its
    content; only kinds that can be opened with one tell that.
    """

    message: str
    hint: str
    into: Format | None
    streams: tuple[str, ...] = ()
    parts: tuple[bytes, ...] = ()
    is_encrypted: Callable[[bytes], bool] | None = None
    is_typeset: bool = True
    is_read: bool = False

    def sniff(self, start: bytes) -> bool:
        return has_stream(start, *self.streams) or (bool(self.parts) and is_package(start, *self.parts))

    def read(
        self, file: SourceFile, *, first_page: int = 1, limits: Limits | None = None
    ) -> Generator[DocumentInfo | PageText]:
        """When it was changed is not told: that would be when it was converted."""
        form, file = self._converted(file)
        for item in form.read(file, first_page=first_page, limits=limits):
            if isinstance(item, DocumentInfo):
                item = replace(item, properties=replace(item.properties, modified=""))
            yield item

    def render(
        self,
        file: SourceFile,
        number: int,
        width: int,
        *,
        part: Rect | None = None,
        limits: Limits | None = None,
    ) -> Pixels:
        form, file = self._converted(file)
        return form.render(file, number, width, part=part, limits=limits)

    def cut(self, file: SourceFile, numbers: Sequence[int]) -> bytes:
        form, file = self._converted(file)
        return form.cut(file, numbers)

    def scan(self, file: SourceFile, limits: Limits | None = None) -> Path | None:
        form, file = self._converted(file)
        return form.scan(file, limits)

    def unlock(self, path: Path, password: str) -> bytes:
        return without_password(path, password) if self.takes_password else super().unlock(path, password)

    def _converted(self, file: SourceFile) -> tuple[Format, SourceFile]:
        """The format that reads it, and the file in that format, made once. Raises ExtractionError."""
        into = self.into
        if into is None or soffice() is None:
            self._refuse()
        content = file.path.read_bytes()
        if not self._is_one(content):  # LibreOffice would take it for a text and read rubbish
            raise ExtractionError("corrupt")
        # Before what is kept is looked for: the same bytes may have been opened by somebody else.
        if self.is_encrypted and self.is_encrypted(content):
            raise ExtractionError("encrypted")
        ending = into.suffixes[0]
        path = made_once(
            file.derived / f"converted-{CONVERSION}{ending}",
            partial(converted, file.path, self.suffixes[0], ending),
        )
        return into, replace(file, path=path)

    def _is_one(self, content: bytes) -> bool:
        """By its content; its name may say anything."""
        begins = content.removeprefix(BOM_UTF8).lstrip()
        return begins.startswith(self.magic) if self.magic else self.sniff(content)

    def _refuse(self) -> NoReturn:
        raise ExtractionError("unsupported", self.message, self.hint)


LEGACY: tuple[Format, ...] = (
    Legacy(
        label="old Word",
        mime="application/msword",
        suffixes=(".doc",),
        streams=("WordDocument",),
        takes_password=True,
        is_encrypted=is_encrypted_text,
        into=WORD,
        message=gettext_noop("This is a Word file in the format of before 2007."),
        hint=gettext_noop("Open it in Word or LibreOffice, save it as .docx and add that."),
    ),
    Legacy(
        label="old PowerPoint",
        mime="application/vnd.ms-powerpoint",
        suffixes=(".ppt",),
        streams=("PowerPoint Document",),
        takes_password=True,
        is_encrypted=is_encrypted_presentation,
        into=SLIDES,
        names_pages=True,
        message=gettext_noop("This is a PowerPoint file in the format of before 2007."),
        hint=gettext_noop("Open it in PowerPoint or LibreOffice, save it as .pptx and add that."),
    ),
    Legacy(
        label="RTF",
        mime="application/rtf",
        suffixes=(".rtf",),
        magic=b"{\\rtf",
        into=WORD,
        message=gettext_noop("This is a Rich Text file."),
        hint=gettext_noop("Open it in Word or LibreOffice, save it as .docx and add that."),
    ),
    Legacy(
        label="OpenDocument text",
        mime="application/vnd.oasis.opendocument.text",
        suffixes=(".odt",),
        parts=(b"mimetypeapplication/vnd.oasis.opendocument.text",),
        into=WORD,
        message=gettext_noop("This is a text of LibreOffice (OpenDocument)."),
        hint=gettext_noop("Open it in LibreOffice, save it as .docx and add that."),
    ),
    Legacy(
        label="OpenDocument slides",
        mime="application/vnd.oasis.opendocument.presentation",
        suffixes=(".odp",),
        parts=(b"mimetypeapplication/vnd.oasis.opendocument.presentation",),
        into=SLIDES,
        names_pages=True,
        message=gettext_noop("This is a presentation of LibreOffice (OpenDocument)."),
        hint=gettext_noop("Open it in LibreOffice, save it as .pptx and add that."),
    ),
)

"""Presentations as a format."""

from dataclasses import dataclass
from pathlib import Path

from formats.embedded.recognition import is_encrypted_package, is_package
from formats.office_password.unlocking import without_password
from formats.rendition.format import BlockFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class Slides(BlockFormat):
    def sniff(self, start: bytes) -> bool:
        return is_package(start, b"ppt/presentation", b"ppt/slides/") or is_encrypted_package(start)

    def unlock(self, path: Path, password: str) -> bytes:
        return without_password(path, password)


SLIDES = Slides(
    label="PowerPoint",
    mime="application/vnd.openxmlformats-officedocument.presentationml.presentation",
    suffixes=(".pptx", ".pptm", ".ppsx"),
    takes_password=True,
    names_pages=True,
    program=Path(__file__).with_name("child_process.py"),
)

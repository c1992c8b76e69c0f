"""Books as a format."""

from dataclasses import dataclass
from pathlib import Path

from formats.embedded.recognition import is_package
from formats.rendition.format import BlockFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class Epub(BlockFormat):
    def sniff(self, start: bytes) -> bool:
        return is_package(start, b"mimetypeapplication/epub+zip", b"META-INF/container.xml")


EPUB = Epub(
    label="EPUB",
    mime="application/epub+zip",
    suffixes=(".epub",),
    program=Path(__file__).with_name("child_process.py"),
)

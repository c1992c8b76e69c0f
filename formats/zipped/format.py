"""Archives as a format."""

from dataclasses import dataclass
from pathlib import Path

from formats.rendition.container import ContainerFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class Zipped(ContainerFormat):
    def sniff(self, start: bytes) -> bool:
        """Not by its content: many formats are archives with something of their own inside."""
        return False


ZIPPED = Zipped(
    label="ZIP",
    mime="application/zip",
    suffixes=(".zip",),
    most_files=500,
    program=Path(__file__).with_name("child_process.py"),
)

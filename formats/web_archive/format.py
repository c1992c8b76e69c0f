"""Web archives as a format."""

import re
from dataclasses import dataclass
from pathlib import Path

from formats.mail.format import begins_with_head
from formats.rendition.format import BlockFormat

_RELATED = re.compile(rb"^Content-Type:\s*multipart/related\b", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebArchive(BlockFormat):
    def sniff(self, start: bytes) -> bool:
        """A message whose parts belong together; those that mail programs send have other names."""
        return begins_with_head(start) and bool(_RELATED.search(start))


WEB_ARCHIVE = WebArchive(
    label="web archive",
    mime="multipart/related",
    suffixes=(".mhtml", ".mht"),
    program=Path(__file__).with_name("child_process.py"),
)

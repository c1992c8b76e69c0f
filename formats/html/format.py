"""HTML as a format."""

import re
from dataclasses import dataclass
from pathlib import Path

from formats.rendition.format import BlockFormat

_MARKUP = re.compile(  # possessive: a stranger's file could keep it busy for ever otherwise
    rb"\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*+<(!doctype\s+html|html|head|body)\b", re.IGNORECASE | re.DOTALL
)
_ENCODED = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True, kw_only=True)
class Html(BlockFormat):
    def sniff(self, start: bytes) -> bool:
        """Pages are known by how they begin, in UTF-16 too."""
        if start.startswith(_ENCODED):
            start = start.replace(b"\0", b"")[2:]
        return bool(_MARKUP.match(start.removeprefix(b"\xef\xbb\xbf")))


HTML = Html(
    label="HTML",
    mime="text/html",
    suffixes=(".html", ".htm", ".xhtml"),
    program=Path(__file__).with_name("child_process.py"),
)

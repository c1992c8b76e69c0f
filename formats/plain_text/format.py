"""Plain text as a format."""

import codecs
from dataclasses import dataclass
from pathlib import Path

from formats.plain_text.decoding import BYTE_ORDER_MARKS, is_binary
from formats.rendition.format import RenditionFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class PlainText(RenditionFormat):
    def sniff(self, start: bytes) -> bool:
        return is_text(start)


def is_text(start: bytes) -> bool:
    """Whether it can be nothing else: other encodings are text if their name says so."""
    if start.startswith(tuple(BYTE_ORDER_MARKS)):
        return True
    try:
        text = codecs.getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return bool(text.strip()) and not is_binary(text)


PLAIN_TEXT = PlainText(
    label="plain text",
    mime="text/plain",
    suffixes=(".txt", ".json", ".xml", ".tex", ".log"),
    program=Path(__file__).with_name("child_process.py"),
)

"""Transcripts and subtitles as a format."""

from dataclasses import dataclass
from pathlib import Path

from formats.plain_text.format import is_text
from formats.rendition.format import BlockFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript(BlockFormat):
    def sniff(self, start: bytes) -> bool:
        """Any text: what it is, its name says."""
        return is_text(start)


TRANSCRIPT = Transcript(
    label="transcript",
    mime="text/vtt",
    suffixes=(".vtt", ".srt"),
    names_pages=True,
    program=Path(__file__).with_name("child_process.py"),
)

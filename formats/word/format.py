"""Word documents as a format."""

from dataclasses import dataclass
from pathlib import Path

from formats.embedded.recognition import is_encrypted_package, is_package
from formats.office_password.unlocking import without_password
from formats.rendition.format import BlockFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class Word(BlockFormat):
    def sniff(self, start: bytes) -> bool:
        return is_package(start, b"word/document") or is_encrypted_package(start)

    def unlock(self, path: Path, password: str) -> bytes:
        return without_password(path, password)


WORD = Word(
    label="Word",
    mime="application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    suffixes=(".docx", ".docm", ".dotx"),
    takes_password=True,
    program=Path(__file__).with_name("child_process.py"),
)

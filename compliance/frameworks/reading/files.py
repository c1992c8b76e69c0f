"""A file by its ending: what reads which. Pure."""

from pathlib import Path

from compliance.frameworks.reading import ciso_assistant, oscal, tables, workbooks
from compliance.frameworks.reading.draft import Draft, checked

READERS = {
    ".yaml": ciso_assistant.read,
    ".yml": ciso_assistant.read,
    ".json": oscal.read,
    ".csv": tables.read_csv,
}
SUFFIXES = (*READERS, ".xlsx")


def read(path: Path) -> Draft:
    """Raises ExtractionError."""
    if path.suffix == ".xlsx":
        return checked(workbooks.read(path))
    return checked(READERS[path.suffix](_text(path.read_bytes())))


def _text(content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")

"""A file by its ending: what reads which. Pure."""

from pathlib import Path

from desks.compliance.frameworks.reading import ciso_assistant, oscal, tables, workbooks
from desks.compliance.frameworks.reading.draft import Draft, checked
from formats.plain_text.decoding import decode_as

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
    return checked(READERS[path.suffix](decode_as(path.read_bytes())[0]))

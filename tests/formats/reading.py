"""What a format reads from a file's bytes."""

from pathlib import Path

from formats import PageText, SourceFile
from formats.base.format import Format


def text_of(form: Format, content: bytes, folder: Path, name: str = "file") -> str:
    """The text of all pages that a format reads from a file."""
    return "\n".join(page.text for page in pages_of(form, content, folder, name))


def pages_of(form: Format, content: bytes, folder: Path, name: str = "file") -> list[PageText]:
    path = folder / name
    path.write_bytes(content)
    items = form.read(SourceFile(path=path, derived=folder / f"derived-{name}"))
    return [item for item in items if isinstance(item, PageText)]

"""The files in an archive: their names as a table, and each with its content. In the sandbox."""

import stat
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from formats.base.characters import one_line
from formats.base.errors import ExtractionError, gettext_noop
from formats.embedded.archive import UNREADABLE, Archive
from formats.rendition.blocks import Block, Note
from formats.rendition.grid import table_of

MOST_LISTED = 5_000
LONGEST_NAME = 300  # characters
OF_SYSTEMS = ("__macosx", ".ds_store", "thumbs.db", "desktop.ini")  # what computers put in by themselves

Frame = tuple[dict[str, Any], bytes]


def files_of(path: Path) -> list[zipfile.ZipInfo]:
    """Those that people have put in, sorted by their names. Raises ExtractionError."""
    Archive(path)  # refuses bombs
    with zipfile.ZipFile(path) as archive:
        found = [each for each in archive.infolist() if _is_of_people(each)]
    if any(each.flag_bits & 1 for each in found):
        raise ExtractionError(
            "encrypted",
            gettext_noop("This archive is password protected, so its files could not be read."),
            gettext_noop("Unpack it and add the folder."),
        )
    if not found:
        raise ExtractionError("empty", gettext_noop("This archive has no files in it."))
    return sorted(found, key=lambda each: name_of(each).lower())


def blocks_of(path: Path) -> Iterator[Block]:
    """Raises ExtractionError."""
    found = files_of(path)
    rows = [[name_of(each), f"{each.file_size:,} bytes"] for each in found[:MOST_LISTED]]
    yield table_of([["File", "Size"], *rows], heads=((0, 1),))
    if left_out := len(found) - len(rows):
        yield Note(text=f"{left_out:,} more files are not listed.", label="Files:")


def attached(path: Path, *, most: int, largest: int) -> Iterator[Frame]:
    """A frame for each of the first `most`, as formats.mail.attachments has them. What cannot be unpacked is
    empty.
    """
    found = files_of(path)
    with zipfile.ZipFile(path) as archive:
        for each in islice(found, most):
            content = _content(archive, each) if each.file_size <= largest else b""
            size = len(content) if each.file_size <= largest else each.file_size
            yield {"name": name_of(each), "size": size, "left_out": max(0, len(found) - most)}, content


def name_of(file: zipfile.ZipInfo) -> str:
    """With its folders. Some programs write UTF-8 without saying so."""
    name = file.filename
    if not file.flag_bits & 0x800:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return one_line(name.replace("\\", "/"))[-LONGEST_NAME:]


def _is_of_people(file: zipfile.ZipInfo) -> bool:
    parts = name_of(file).lower().split("/")
    is_link = stat.S_ISLNK(file.external_attr >> 16)
    return not (
        file.is_dir()
        or is_link
        or any(part in OF_SYSTEMS for part in parts)
        or parts[-1].startswith((".", "~$"))
    )


def _content(archive: zipfile.ZipFile, file: zipfile.ZipInfo) -> bytes:
    """No more than the archive says that there is."""
    try:
        with archive.open(file) as opened:
            content = opened.read(file.file_size + 1)
    except UNREADABLE:
        return b""
    return content if len(content) == file.file_size else b""

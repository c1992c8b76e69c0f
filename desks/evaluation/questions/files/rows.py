"""The rows of an uploaded file, before anybody asks what they mean: CSV, JSON lines, and a zip of BEIR."""

import csv
import io
import json
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from text.normal_forms.storable import storable
from text.tables.spreadsheets import unescaped

Rows = Iterator[tuple[int, dict[str, Any]]]  # each with the number of its line; names in small letters

MOST_BYTES = 50_000_000  # of the files in an archive, unpacked
FILES = ("corpus.jsonl", "queries.jsonl")  # of BEIR, beside qrels/
PACKED_AS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# What a file can do wrong that is no zip, is cut off, damaged or locked.
UNREADABLE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)


def wrong(message: str) -> ValidationError:
    nothing = _("Nothing was imported.")
    return ValidationError(f"{message} {nothing}", code="unreadable")


def csv_rows(text: str, question: Collection[str]) -> Rows:
    """question: what the column of questions may be called. Raises ValidationError."""
    first = text.lstrip().partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text), delimiter=max(",\t;", key=first.count), strict=True)
    try:
        names = [name.strip().lower() for name in reader.fieldnames or ()]
        if names and not set(names) & set(question):
            raise wrong(
                _("The first line names no column “question”, but: {names}.").format(
                    names=", ".join(names)[:200]
                )
            )
        for row in reader:
            if not any(row.values()):  # as spreadsheets leave them at the end
                continue
            told = {str(key or "").strip().lower(): _unescaped(value) for key, value in row.items()}
            check_text(told, reader.line_num)
            yield reader.line_num, told
    except csv.Error as error:
        raise wrong(
            _("Line {line_num} is not CSV ({error}).").format(line_num=reader.line_num, error=error)
        ) from error


def json_rows(text: str) -> Rows:
    """Raises ValidationError."""
    for line, written in enumerate(text.split("\n"), start=1):
        if not written.strip():
            continue
        try:
            row = json.loads(written)
        except (ValueError, RecursionError) as error:
            raise wrong(_("Line {line} is not JSON.").format(line=line)) from error
        if not isinstance(row, dict):
            raise wrong(_("Line {line} is not a JSON object.").format(line=line))
        check_text(row, line)
        yield line, {str(key).lower(): value for key, value in row.items()}


def _unescaped(value: Any) -> Any:
    return unescaped(value) if isinstance(value, str) else value


def check_text(value: Any, line: int) -> None:
    """Raises ValidationError for what no text has."""
    try:
        is_text = storable(value) == value
    except RecursionError as error:
        raise wrong(_("Line {line} has too many lists within lists.").format(line=line)) from error
    if not is_text:
        raise wrong(
            _("Line {line} has characters that are not text (NUL, or half of one).").format(line=line)
        )


def number_of(value: Any) -> int | None:
    """Of a page or a piece; None for everything else."""
    text = str(value).strip() if value is not None else ""
    return int(text) if text.isdecimal() and len(text) < 7 else None


def unpacked(content: bytes) -> dict[str, str]:
    """The files that BEIR has, by their names. Raises ValidationError."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            named = {_below(each.filename): each for each in archive.infolist() if not each.is_dir()}
            told = {name: each for name, each in named.items() if name in FILES or name.startswith("qrels/")}
            if sum(each.file_size for each in told.values()) > MOST_BYTES:
                raise wrong(
                    _("The archive has more than {most_bytes} MB.").format(most_bytes=MOST_BYTES // 1000000)
                )
            if any(each.compress_type not in PACKED_AS for each in told.values()):
                raise wrong(_("The archive is packed in an unusual way. Pack it as an ordinary zip."))
            return {name: archive.read(each).decode("utf-8-sig") for name, each in told.items()}
    except UNREADABLE as error:
        raise wrong(_("The archive cannot be read.")) from error


def _below(name: str) -> str:
    """The name without the one folder that archives often have around all."""
    parts = name.split("/")
    inner = parts[-2:] if len(parts) > 1 and parts[-2] == "qrels" else parts[-1:]
    return "/".join(inner)

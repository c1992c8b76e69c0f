"""Reading a picture with Tesseract, where that is installed with languages of its own."""

import csv
import io
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from PIL import Image

from formats.base import outside_program
from formats.base.errors import ExtractionError, gettext_noop
from formats.base.values import MEGABYTE
from text.pictures import PicturedWord, PictureText

SECONDS = 120.0  # for one page
MEMORY_BYTES = 1500 * MEGABYTE  # of address space
LIST_SECONDS = 10.0
USUAL = "eng"  # read where no language is chosen
UPRIGHT = "osd"  # what tells which way up a page lies; no language
SURE_OF_TURN = 1.0  # by Tesseract's own measure, which has no upper end
_WORD_LEVEL = "5"
_LANGUAGE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TURN = re.compile(
    rb"^Rotate: (0|90|180|270)$.*?^Orientation confidence: ([0-9.]+)$", re.MULTILINE | re.DOTALL
)


def program() -> str | None:
    """Where Tesseract is; None when it is not installed."""
    return shutil.which("tesseract")


def languages() -> tuple[str, ...]:
    """Those that are installed with it, by its names, such as "eng"; none where it is not."""
    found = program()
    return tuple(each for each in _installed(found, _data()) if each != UPRIGHT) if found else ()


def read(picture: bytes, chosen: Sequence[str] = ()) -> PictureText:
    """The words of a PNG. chosen: languages that it has; empty: English. Raises ExtractionError."""
    found = program()
    if found is None:
        raise ExtractionError("unsupported", gettext_noop("Tesseract is not installed on this server."))
    with tempfile.TemporaryDirectory(prefix="svq-tesseract-") as folder:
        page = Path(folder, "page.png")
        page.write_bytes(picture)
        turns = _quarter_turns(found, folder) if UPRIGHT in _installed(found, _data()) else 0
        with Image.open(page) as drawn:
            upright = drawn.rotate(-90 * turns, expand=True)
            width, height = upright.size
            if turns:
                upright.save(page, "PNG", compress_level=1)
        named = "+".join(chosen or _usual())
        table = _run(found, folder, "-l", named, "--psm", "3", "-c", "tessedit_create_tsv=1")
        return PictureText(words=list(_words(table, width, height)), quarter_turns=turns)


def _usual() -> Sequence[str]:
    installed = languages()
    return [USUAL] if USUAL in installed else installed[:1]


def _quarter_turns(found: str, folder: str) -> int:
    told = _TURN.search(_run(found, folder, "-l", UPRIGHT, "--psm", "0"))
    return int(told[1]) // 90 if told and float(told[2]) >= SURE_OF_TURN else 0


def _words(table: bytes, width: int, height: int) -> Iterator[PicturedWord]:
    """Raises ExtractionError where that is no table of words."""
    lines: dict[tuple[str, ...], int] = {}
    rows = csv.DictReader(
        io.StringIO(table.decode("utf-8", "replace")), delimiter="\t", quoting=csv.QUOTE_NONE
    )
    try:
        for row in rows:
            if row["level"] != _WORD_LEVEL or not (row["text"] or "").strip():
                continue
            left, top, across, down = (int(row[side]) for side in ("left", "top", "width", "height"))
            line = row["block_num"], row["par_num"], row["line_num"]
            yield PicturedWord(
                text=row["text"].strip(),
                box=_parts(left, top, left + across, top + down, width, height),
                sure=min(max(float(row["conf"]) / 100, 0.0), 1.0),
                line=lines.setdefault(line, len(lines)),
            )
    except (KeyError, TypeError, ValueError) as error:
        raise ExtractionError("corrupt") from error
    if "level" not in (rows.fieldnames or ()):
        raise ExtractionError("corrupt")


def _parts(
    left: int, top: int, right: int, bottom: int, width: int, height: int
) -> tuple[float, float, float, float]:
    def part(place: int, whole: int) -> float:
        return min(max(place / whole, 0.0), 1.0)

    return part(left, width), part(top, height), part(right, width), part(bottom, height)


def _data() -> str:
    """The folder of languages where the environment names one."""
    return os.environ.get("TESSDATA_PREFIX", "")


@lru_cache(maxsize=8)
def _installed(found: str, data: str) -> tuple[str, ...]:
    with tempfile.TemporaryDirectory(prefix="svq-tesseract-") as folder:
        try:
            told = _run(found, folder, "--list-langs", seconds=LIST_SECONDS, pictures=())
        except ExtractionError:
            return ()
    lines = told.decode("utf-8", "replace").splitlines()[1:]
    return tuple(line.strip() for line in lines if _LANGUAGE.fullmatch(line.strip()))


def _run(
    found: str,
    folder: str,
    *options: str,
    seconds: float = SECONDS,
    pictures: Sequence[str] = ("page.png", "stdout"),
) -> bytes:
    environment = {"OMP_THREAD_LIMIT": "1"}  # with more it is many times slower on a busy machine
    if data := _data():
        environment["TESSDATA_PREFIX"] = data
    return outside_program.run(
        [found, *pictures, *options],
        folder,
        seconds=seconds,
        memory_bytes=MEMORY_BYTES,
        environment=environment,
    ).output

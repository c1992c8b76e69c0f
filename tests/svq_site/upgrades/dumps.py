"""Filled databases of versions before, and how they are written and read: with the programs of the wheel."""

import lzma
import subprocess
from pathlib import Path

from svq_site.database import postgres
from svq_site.database.database import embedded_dir

FOLDER = Path(__file__).parent
PERSON = "alice@example.org"  # owns what is in them
DATASOURCE = "Agreements"  # has a document that was really read
DOCUMENT = Path(__file__).resolve().parents[3] / "samples" / "security-questionnaire.pdf"
QUESTION = "How long are backups kept?"


def all_dumps() -> list[Path]:
    return sorted(FOLDER.glob("*.sql.xz"))


def write(url: str, to: Path) -> None:
    """The whole database as SQL. The same rows give the same bytes."""
    text = _run("pg_dump", "--no-owner", "--no-privileges", "--no-comments", f"--dbname={url}")
    lines = [
        line
        for line in text.splitlines(keepends=True)
        if not line.startswith((b"\\restrict", b"\\unrestrict"))
    ]
    to.write_bytes(lzma.compress(b"".join(lines), preset=9 | lzma.PRESET_EXTREME))


def restore(dump: Path, url: str) -> None:
    """Into an empty database. Raises CalledProcessError."""
    script = lzma.decompress(dump.read_bytes())
    _run("psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", f"--dbname={url}", given=script)


def _run(program: str, *arguments: str, given: bytes = b"") -> bytes:
    path = postgres.places(embedded_dir()).bin_dir / program
    return subprocess.run([path, *arguments], input=given, stdout=subprocess.PIPE, check=True).stdout

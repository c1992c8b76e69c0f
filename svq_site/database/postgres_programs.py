"""pg_dump and pg_restore, for any server: they read no newer one than themselves, and what a newer one writes
an older server may not understand. So it is the oldest that is new enough.
"""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from svq_site.database import postgres_places
from svq_site.database.postgres_places import PostgresError


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    path: Path
    major: int


def find(name: str, at_least: int) -> Program:
    """Of the installed package, or on the PATH. at_least: the major version of the server, or of the
    program that has written the dump. Raises PostgresError.
    """
    found = [Program(path=folder / name, major=major) for major, folder in postgres_places.programs().items()]
    if (path := shutil.which(name)) and (major := _major(Path(path))):
        found.append(Program(path=Path(path), major=major))
    usable = [program for program in found if program.major >= at_least]
    if not usable:
        raise PostgresError(
            f"There is no {name} of Postgres {at_least} or newer here. Nothing was changed. Install"
            f" Postgres's client programs of version {at_least}."
        )
    return min(usable, key=lambda program: program.major)


def environment(password: str | None) -> dict[str, str]:
    """For such a program. Its password is in no command line, where others could see it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_"))}
    return kept | {"LC_ALL": "C"} | ({"PGPASSWORD": password} if password else {})


def _major(program: Path) -> int:
    """0 where it does not say."""
    done = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    version = re.search(r"\) (\d+)", done.stdout)
    return int(version[1]) if version else 0

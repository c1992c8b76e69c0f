"""The git of this server, without all by which a repository or its server could do more than be read.

No settings but these: no hooks, no questions, no helpers, no redirects, no proxies, one address that was
looked up before, and no way to fetch but the one that is named.
"""

import os
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile

from django.conf import settings
from django.utils.translation import gettext as _

from exchange.connectors.sources.line import LOOKED_AFTER, TooSlow
from exchange.connectors.sources.source import SourceError
from localization.stored import said

OLDEST = (2, 37)  # which can be told the address that a name stands for
BLOCK = 2**16  # bytes
LARGEST = 2**30  # bytes of a file that git writes: a packed repository is one
MOST_SAID = 20_000  # bytes of what git says of a failure
GIT_CHILD = "exchange.connectors.sources.git_child"
CLOSED = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.bigFileThreshold": "16m",  # larger ones are not held in memory
    "credential.helper": "",
    "fetch.unpackLimit": "1",  # one file, however many objects
    "fetch.recurseSubmodules": "false",
    "gc.auto": "0",
    "http.followRedirects": "false",  # nor alternates that a server names
    "http.lowSpeedLimit": "500",
    "http.lowSpeedTime": "60",
    "http.proxy": "",
    "maintenance.auto": "false",
    "pack.threads": "1",
    "protocol.version": "2",
    "submodule.recurse": "false",
    "transfer.bundleURI": "false",
}


class GitFailed(Exception):
    """said: in git's own words, which are for no person."""

    def __init__(self, said: str) -> None:
        self.said = said
        super().__init__(said)


class Git:
    """In one folder. given: settings beside those that are always so. protocols: by which it may fetch."""

    def __init__(
        self, folder: Path, given: Mapping[str, str], protocols: str, should_stop: Callable[[], bool]
    ) -> None:
        check_git()
        self._folder, self._should_stop = folder, should_stop
        self._environment = _environment(folder, CLOSED | dict(given), protocols)

    def output(self, *arguments: str, seconds: float) -> bytes:
        return b"".join(self.blocks(*arguments, seconds=seconds))

    def blocks(self, *arguments: str, seconds: float) -> Generator[bytes]:
        """What it prints, as it comes. Close it to end git. Raises GitFailed, TooSlow."""
        command = [sys.executable, "-m", GIT_CHILD, str(int(seconds) + 1), str(LARGEST)]
        end = time.monotonic() + seconds
        with TemporaryFile() as said:
            process = subprocess.Popen(
                [*command, "-C", str(self._folder), *arguments],
                cwd=settings.BASE_DIR,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=said,
            )
            try:
                yield from self._printed(process, end)
                status = process.wait(max(1.0, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                raise TooSlow from None
            finally:
                _end(process)
            if status:
                said.seek(0)
                raise GitFailed(said.read(MOST_SAID).decode("utf-8", "replace"))

    def _printed(self, process: subprocess.Popen[bytes], end: float) -> Iterator[bytes]:
        assert process.stdout
        handle = process.stdout.fileno()
        while True:
            if time.monotonic() > end or self._should_stop():
                raise TooSlow
            if not select.select([handle], [], [], LOOKED_AFTER)[0]:
                continue
            block = os.read(handle, BLOCK)
            if not block:
                return
            yield block


def _end(process: subprocess.Popen[bytes]) -> None:
    """With all that it has started, see `git_child`."""
    assert process.stdin
    assert process.stdout
    process.stdin.close()
    process.stdout.close()
    with suppress(subprocess.TimeoutExpired):
        process.wait(5)
        return
    process.kill()
    process.wait()


def _version() -> tuple[int, int]:
    """(0, 0) where there is none. Asked anew each time: git may be installed while a worker runs."""
    program = shutil.which("git")
    return (0, 0) if program is None else _parsed_version(program, os.stat(program).st_mtime_ns)


@cache
def _parsed_version(program: str, changed: int) -> tuple[int, int]:
    """changed: when the program was, so that another one is asked again."""
    said = subprocess.run(
        [program, "--version"], capture_output=True, text=True, check=False, timeout=20
    ).stdout
    found = re.search(r"(\d+)\.(\d+)", said)
    return (int(found[1]), int(found[2])) if found else (0, 0)


def check_git() -> None:
    """Raises SourceError where this server has none."""
    if _version() < OLDEST:
        raise SourceError(
            "no_git",
            said("This server has no Git {version} or newer.", version=".".join(map(str, OLDEST))),
            _("Whoever runs it can install the package git. The next look then works without further steps."),
        )


def _environment(folder: Path, given: Mapping[str, str], protocols: str) -> dict[str, str]:
    """Settings go by it, as what stands in a command is seen by all accounts of the machine."""
    pairs = {
        f"GIT_CONFIG_{part}_{number}": text
        for number, pair in enumerate(given.items())
        for part, text in zip(("KEY", "VALUE"), pair, strict=True)
    }
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(folder),
        "TMPDIR": str(folder),
        "LC_ALL": "C",
        "GIT_ALLOW_PROTOCOL": protocols,
        "GIT_ASKPASS": "",
        "GIT_CEILING_DIRECTORIES": str(folder.parent),
        "GIT_CONFIG_COUNT": str(len(given)),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        **pairs,
        **({"GIT_SSL_CAINFO": os.environ["SSL_CERT_FILE"]} if "SSL_CERT_FILE" in os.environ else {}),
    }

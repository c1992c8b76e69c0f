"""Programs that a machine may have or not. No test finds one because it happens to be installed.

`hide` takes them off the PATH for the whole run, so that each test is the same everywhere. A test that needs
one offers a script in its place and, where the real one is installed, runs with that as well (`stand_ins`).
"""

import atexit
import os
import shutil
import stat
import tempfile
from pathlib import Path
from typing import Any

import pytest

OPTIONAL = ("soffice", "libreoffice", "tesseract")
FOUND = "INSTALLED_"  # before its name: where a program is that was hidden, for the processes of a run


def hide() -> None:
    """Called once, before anything is started."""
    for name in OPTIONAL:
        if path := shutil.which(name):
            os.environ[FOUND + name] = path
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join(map(_without, folders))


def _without(folder: str) -> str:
    """The folder, or where it has such a program, one with links to all others in it."""
    if not any(Path(folder, name).exists() for name in OPTIONAL):
        return folder
    links, maker = Path(tempfile.mkdtemp(prefix="svq-programs-")), os.getpid()
    links.chmod(0o755)  # tests start programs as other people too
    atexit.register(lambda: shutil.rmtree(links) if os.getpid() == maker else None)
    for program in Path(folder).iterdir():
        if program.name not in OPTIONAL:
            links.joinpath(program.name).symlink_to(program)
    return str(links)


def offer(name: str, script: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on the shell script is found by that name."""
    program = folder / "bin" / name
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\n{script}")
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    if not os.environ["PATH"].startswith(str(program.parent)):
        monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


def stand_ins(name: str, script: str) -> list[Any]:
    """What to run a test with: a script that does as the program does, and the program where there is one."""
    scripts = [pytest.param(script, id="stand-in")]
    if path := os.environ.get(FOUND + name):
        scripts.append(pytest.param(f'exec "{path}" "$@"\n', id="installed"))
    return scripts

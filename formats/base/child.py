"""The process in which hostile files are opened: runs one program under limits and sends its frames.

Run as a plain script by sandbox.py, or loaded by fork_server.py, whose child it then is. It ends itself when
its standard input closes, that is when its parent is gone.
"""

import json
import os
import runpy
import struct
import sys
import threading
import traceback
from dataclasses import asdict
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any, NoReturn

OUT_OF_MEMORY = 3  # exit status, read by sandbox.py
MOST_TOLD = 2_000  # letters of a traceback


def without_packages() -> None:
    """Their __init__, whose imports are for callers and would take ten milliseconds."""
    for package in ("formats", "localization", "text"):
        sys.modules[package] = ModuleType(package)
        sys.modules[package].__path__ = [str(Path(__file__).parents[2] / package)]


def serve(program: dict[str, Any] | None = None) -> NoReturn:
    """Do what is asked on standard input. program: its names, if it is loaded already."""
    sys.excepthook = _tell
    request = json.loads(_read_line())
    from formats.base import confinement
    from formats.base.errors import ExtractionError

    try:
        # Before all else: what it imports is loaded by then.
        program = program or runpy.run_path(request["program"])
        files = [Path(request["path"])] if "path" in request else []
        measures = confinement.confine(
            files, memory_bytes=request["memory_bytes"], cpu_seconds=request["cpu_seconds"]
        )
        threading.Thread(target=_exit_with_parent, daemon=True).start()
        if not program.get("STARTS_THREADS"):
            confinement.forbid_processes()
        request["measures"] = [asdict(measure) for measure in measures]
        for head, body in program["run"](request):
            _write(head, body)
    except ExtractionError as error:
        words = getattr(error.message, "words", None)
        _write({"error": error.code, "message": error.message, "hint": error.hint, "words": words}, b"")
    except MemoryError:
        os._exit(OUT_OF_MEMORY)
    os._exit(0)


def _tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What the program did not foresee, for the log: there is nowhere else to write it."""
    cause = "".join(traceback.format_exception(kind, error, trace))[-MOST_TOLD:]
    from formats.base.errors import is_of_the_system

    # No file takes a module away, or itself.
    code = "not_started" if issubclass(kind, ImportError) or is_of_the_system(error) else "corrupt"
    _write({"error": code, "cause": cause}, b"")
    os._exit(0)


def _read_line() -> bytes:
    line = b""
    while not line.endswith(b"\n"):
        piece = os.read(0, 65536)
        if not piece:
            os._exit(1)
        line += piece
    return line


def _exit_with_parent() -> None:
    while os.read(0, 4096):
        pass
    os._exit(1)


def _write(head: dict[str, Any], body: bytes) -> None:
    encoded = json.dumps(head).encode()
    rest = memoryview(struct.pack("<II", len(encoded), len(body)) + encoded + body)
    while rest:
        rest = rest[os.write(1, rest) :]


if __name__ == "__main__":
    without_packages()
    serve()

"""Runs a reader of hostile files as a child process with limits, and hands over its frames one by one.

A child is killed when its frames are no longer wanted, when it is silent for too long, or when it grows
too large; it ends itself when this process dies. It gets no part of this process's environment but what
Python needs to start, an empty folder that goes with it, and no terminal. What else it gives up before it
opens the file: confinement.py.
"""

import json
import logging
import os
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from formats.base import forked
from formats.base.confinement import Measure
from formats.base.errors import CODES, ExtractionError
from formats.base.forked import Forked
from formats.base.values import MEGABYTE
from localization.sentences import received

# A child that is given little of a busy machine may be silent for longer by the clock.
SLOWEST = 4  # times as long at the most
IDLE = 0.05  # of the time that has gone by: a child that wanted a processor for less waits for something else
ENDS_WITHIN = 10.0  # seconds from the end of a child's output to its own
TICK_SECONDS = 0.2  # how often the child's memory is looked at while it is silent, and whenever it has output
PIPE_BYTES = MEGABYTE  # lets the child read ahead while the caller stores a page
MAX_FRAME_BYTES = 256 * MEGABYTE
MAX_HEAD_BYTES = MEGABYTE
ADDRESS_SPACE_HEADROOM = 512 * MEGABYTE  # mapped libraries and thread stacks count, though they use no memory
OUT_OF_MEMORY = 3
NO_PYTHON = 1  # exit status of an interpreter that does not find its own library; a child never uses it
FOLDER = "svq-reader-"  # begins the names of readers' folders
LEFT_AFTER = 24 * 3600.0  # seconds; no reader lives so long
MOST_TOLD = 2_000  # letters of what a child says about a failure
KEPT_ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
# Threads that a library starts when it is loaded would keep the child out of its namespaces.
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
# Large blocks go back to the system once they are freed: OCR of a dense page peaks at 540 MB, not at 670.
GIVES_BACK = {"MALLOC_MMAP_THRESHOLD_": "1048576"}
_CHILD = Path(__file__).with_name("child.py")
_PROBE = Path(__file__).with_name("probe.py")
_HEADER = struct.Struct("<II")
# How an allocator ends a process that asked for more than it may have.
_SENT_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL)  # by no file
_ALLOCATION_SIGNALS = {signal.SIGABRT, signal.SIGTRAP, signal.SIGILL}

logger = logging.getLogger(__name__)
_Child = subprocess.Popen[bytes] | Forked


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """One message of a child: head is JSON, body is whatever the head says."""

    head: dict[str, Any]
    body: bytes


def frames(
    program: Path,
    request: dict[str, Any],
    *,
    memory_bytes: int,
    frame_seconds: float,
    cpu_seconds: float,
    unwanted: Callable[[], bool] = lambda: False,
) -> Generator[Frame]:
    """Start `program` (a script with a generator `run(request)` of head and body), yield its frames.

    Raises the ExtractionError that the program raised; "timeout" when it is silent for `frame_seconds` of its
    processor's time while being waited for, or of the clock's when it does nothing; "memory" when it exceeds
    `memory_bytes`, "corrupt" when it crashes, "ended" when somebody kills it, "not_started" when it lacks a
    module, "unwanted" as soon as nobody waits any more. Close the generator to kill the child.
    """
    with tempfile.TemporaryDirectory(prefix=FOLDER) as folder:
        child = _start(program, folder)
        assert child.stdin
        assert child.stdout
        try:
            reader = _Reader(
                child, memory_bytes, unwanted
            )  # before it is told what to do: until then it lives
            _send(
                child,
                request
                | {
                    "program": str(program),
                    "memory_bytes": memory_bytes + ADDRESS_SPACE_HEADROOM,
                    "cpu_seconds": int(cpu_seconds) + 1,
                },
            )
            while (frame := reader.next_frame(frame_seconds)) is not None:
                _check_error(program, frame.head)
                yield frame
            _check_exit(_status(child))
        finally:
            child.kill()
            child.wait()
            child.stdin.close()
            child.stdout.close()


def examine(secrets: Sequence[Path], socket: Path | None) -> tuple[list[Measure], list[str]]:
    """Of a child started for it: its measures, and what it could do that it should not, tried for real.

    secrets: files that it tries to read. socket: of a server that it tries to connect to.
    """
    request = {"secrets": list(map(str, secrets)), "socket": str(socket) if socket else None}
    (frame,) = frames(_PROBE, request, memory_bytes=256 * MEGABYTE, frame_seconds=30, cpu_seconds=10)
    return [Measure(**measure) for measure in frame.head["measures"]], frame.head["possible"]


def _start(program: Path, folder: str) -> _Child:
    """One that has loaded the program already, where that can be."""
    kept = {name: os.environ[name] for name in KEPT_ENVIRONMENT if name in os.environ}
    environment = kept | ONE_THREAD | GIVES_BACK
    return forked.start(program, folder, environment, PIPE_BYTES) or subprocess.Popen(
        [sys.executable, "-I", str(_CHILD)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment | {"TMPDIR": folder},
        cwd=folder,
        start_new_session=True,
        pipesize=PIPE_BYTES,
        bufsize=0,
    )


def _status(child: _Child) -> int:
    """Of a child that has closed its output: it has nothing more to do."""
    try:
        return child.wait(timeout=ENDS_WITHIN)
    except subprocess.TimeoutExpired as error:
        raise ExtractionError("timeout") from error


def _send(child: _Child, request: dict[str, Any]) -> None:
    assert child.stdin
    try:
        child.stdin.write(json.dumps(request).encode() + b"\n")
    except BrokenPipeError:
        _check_exit(_status(child))


def _head(encoded: bytes | bytearray) -> dict[str, Any]:
    """A child that was taken over may send anything."""
    try:
        head = json.loads(encoded)
    except (ValueError, RecursionError):
        head = None
    if not isinstance(head, dict):
        raise ExtractionError("corrupt")
    return head


def _check_error(program: Path, head: dict[str, Any]) -> None:
    if "error" not in head:
        return
    if "cause" in head:
        logger.warning("%s failed: %r", program, str(head["cause"])[:MOST_TOLD])
    if head["error"] not in CODES:
        raise ExtractionError("corrupt")
    message, hint = (str(head.get(part, ""))[:MOST_TOLD] for part in ("message", "hint"))
    raise ExtractionError(head["error"], received(message, head.get("words"), MOST_TOLD), hint)


def _check_exit(status: int) -> None:
    if status == OUT_OF_MEMORY or -status in _ALLOCATION_SIGNALS:
        raise ExtractionError("memory")
    if status == -signal.SIGXCPU:
        raise ExtractionError("timeout")
    if status == NO_PYTHON:
        raise ExtractionError("not_started")
    if -status in _SENT_SIGNALS:
        raise ExtractionError("ended")
    if status != 0:
        logger.warning("a reader ended with %s", status)
        raise ExtractionError("corrupt")


class _Reader:
    """Cuts a child's output into frames while watching its time and memory, and whether anybody waits."""

    def __init__(self, child: _Child, memory_bytes: int, unwanted: Callable[[], bool]) -> None:
        assert child.stdout
        self._fd = child.stdout.fileno()
        self._process = psutil.Process(child.pid)
        self._memory_bytes = memory_bytes
        self._unwanted = unwanted
        self._poll = select.poll()
        self._poll.register(self._fd, select.POLLIN | select.POLLHUP)
        self._data = bytearray()

    def next_frame(self, seconds: float) -> Frame | None:
        """The next frame, or None when the child has closed its output."""
        silence = _Silence(self._process, seconds)
        while (size := self._frame_size()) is None or len(self._data) < size:
            piece = self._read(silence)
            if not piece:
                return None
            self._data += piece
        head_size = _HEADER.unpack_from(self._data)[0]
        head = _head(self._data[_HEADER.size : _HEADER.size + head_size])
        with memoryview(self._data) as data:  # a slice of a bytearray would be one more copy
            body = bytes(data[_HEADER.size + head_size : size])
        del self._data[:size]
        return Frame(head=head, body=body)

    def _frame_size(self) -> int | None:
        if len(self._data) < _HEADER.size:
            return None
        size = _HEADER.size + sum(_HEADER.unpack_from(self._data))
        if size > MAX_FRAME_BYTES or _HEADER.unpack_from(self._data)[0] > MAX_HEAD_BYTES:
            raise ExtractionError("memory")
        return size

    def _read(self, silence: "_Silence") -> bytes:
        while True:
            has_output = self._poll.poll(TICK_SECONDS * 1000)
            self._check_memory()
            if self._unwanted():
                raise ExtractionError("unwanted")
            if has_output:
                return os.read(self._fd, PIPE_BYTES)
            if silence.is_over():
                raise ExtractionError("timeout")

    def _check_memory(self) -> None:
        try:
            used = self._process.memory_info().rss
        except psutil.NoSuchProcess:
            return
        if used > self._memory_bytes:
            raise ExtractionError("memory")


class _Silence:
    """Tells when a child has been silent for too long: see SLOWEST and IDLE."""

    def __init__(self, process: psutil.Process, seconds: float) -> None:
        self._process = process
        self._seconds = seconds
        self._begun = time.monotonic()
        self._used_before = self._used()
        self._queued_before = self._queued()

    def is_over(self) -> bool:
        waited = time.monotonic() - self._begun
        if waited < self._seconds:
            return False
        used = self._used() - self._used_before
        wanted = used + self._queued() - self._queued_before
        return used >= self._seconds or wanted < IDLE * waited or waited >= SLOWEST * self._seconds

    def _used(self) -> float:
        """Seconds of processors."""
        try:
            times = self._process.cpu_times()
        except psutil.NoSuchProcess:
            return 0.0
        return float(times.user + times.system)

    def _queued(self) -> float:
        """Seconds that its main thread was ready to run and had no processor, as Linux counts them."""
        with suppress(OSError, IndexError, ValueError):
            told = Path(f"/proc/{self._process.pid}/schedstat").read_text(encoding="ascii")
            return int(told.split()[1]) / 1e9
        return 0.0

"""Children of fork servers (fork_server.py): a server for each program, started when it is first needed."""

import fcntl
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import BinaryIO

from formats.base.fork_server import REFUSED

SERVER = Path(__file__).with_name("fork_server.py")
PATIENCE = 30  # seconds for a server to load its program and fork
ENDS_WITHIN = 1.0  # seconds from a server's last word to its end
MOST_SERVERS = 4  # of this process; each has a program in memory
SERVER_GONE = 1  # in place of an exit status: that of an interpreter that doesn't start


def _has_pidfds() -> bool:
    """Without them a process can only be named by its number, which may be another's by then."""
    if sys.platform != "linux":
        return False
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError:
        return False
    return True


CAN_FORK = _has_pidfds()


class Forked:
    """A running child, with what `subprocess.Popen` has of one: pid, stdin, stdout, wait and kill."""

    def __init__(self, pid: int, stdin: int, stdout: int, status: int) -> None:
        self._handle = os.pidfd_open(pid)  # before the child is told what to do: until then it lives
        self.pid = pid
        self.stdin: BinaryIO = os.fdopen(stdin, "wb", buffering=0)
        self.stdout: BinaryIO = os.fdopen(stdout, "rb", buffering=0)
        self._status = os.fdopen(status, "rb", buffering=0)
        self._code: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """The exit status; a signal's number below 0. timeout: seconds. Raises subprocess.TimeoutExpired."""
        if self._code is None:
            if not select.select([self._status], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("a reader", timeout or 0)
            said = self._status.read(4)
            if not said:  # the server was killed, so nobody tells how the child ends
                self.kill()
            self._code = struct.unpack("<i", said)[0] if said else SERVER_GONE
            self._status.close()
            os.close(self._handle)
        return self._code

    def kill(self) -> None:
        if self._code is None:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)


class _Server:
    def __init__(self, program: Path, environment: Mapping[str, str]) -> None:
        self.program = program
        self._control, given = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._control.settimeout(PATIENCE)
        self._turn = threading.Lock()
        with given:
            self._process = subprocess.Popen(
                [sys.executable, "-I", str(SERVER), str(given.fileno()), str(program)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=dict(environment),
                cwd="/",
                pass_fds=[given.fileno()],
                start_new_session=True,
            )

    def fork(self, folder: str, pipes: list[int]) -> int | None:
        """The child's number, below 0 where none could be forked; None where the server is gone or hangs."""
        with self._turn, suppress(OSError):
            socket.send_fds(self._control, [folder.encode()], pipes)
            if said := self._control.recv(4):
                return int(struct.unpack("<i", said)[0])
        return None

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def end(self) -> None:
        """With its last child; it takes no more requests."""
        with self._turn:
            self._control.close()

    def kill(self) -> int:
        """Its exit status, where it was ending by itself."""
        self.end()
        with suppress(subprocess.TimeoutExpired):
            return self._process.wait(timeout=ENDS_WITHIN)
        self._process.kill()
        return self._process.wait()


_servers: dict[Path, _Server] = {}  # the least used first
_ending: list[_Server] = []
_refused: set[Path] = set()
_lock = threading.Lock()


def _forget_servers() -> None:
    """A process that was forked itself has servers of its own."""
    global _lock
    _lock = threading.Lock()
    _servers.clear()
    _ending.clear()


if CAN_FORK:
    os.register_at_fork(after_in_child=_forget_servers)


def start(program: Path, folder: str, environment: Mapping[str, str], pipe_bytes: int) -> Forked | None:
    """A child in that folder that waits for its request; None where none can be forked for the program."""
    is_new = False
    while CAN_FORK and program not in _refused and not is_new:
        server, is_new = _server(program, environment)
        child, is_there = _fork(server, folder, pipe_bytes)
        if child or is_there:
            return child
        _drop(server)  # it may have ended for want of work just now
    return None


def _server(program: Path, environment: Mapping[str, str]) -> tuple[_Server, bool]:
    """And whether it was started for this."""
    with _lock:
        _ending[:] = [server for server in _ending if not server.has_ended()]
        for server in [server for server in _servers.values() if server.has_ended()]:
            _retire(server)
        found = _servers.pop(program, None)
        while len(_servers) >= MOST_SERVERS:
            _retire(next(iter(_servers.values())))
        _servers[program] = found or _Server(program, environment)
        return _servers[program], found is None


def _retire(server: _Server) -> None:
    del _servers[server.program]
    server.end()
    _ending.append(server)


def _drop(server: _Server) -> None:
    """Unless it was retired meanwhile: then it still has children."""
    with _lock:
        if _servers.get(server.program) is not server:
            return
        del _servers[server.program]
    if server.kill() == REFUSED:
        _refused.add(server.program)


def _fork(server: _Server, folder: str, pipe_bytes: int) -> tuple[Forked | None, bool]:
    """And whether the server is there."""
    with ExitStack() as theirs, ExitStack() as ours:

        def pipe(*owners: ExitStack) -> tuple[int, int]:
            ends = os.pipe2(os.O_CLOEXEC)
            for owner, end in zip(owners, ends, strict=True):
                owner.callback(os.close, end)
            return ends

        its_stdin, stdin = pipe(theirs, ours)
        stdout, its_stdout = pipe(ours, theirs)
        status, its_status = pipe(ours, theirs)
        with suppress(PermissionError):  # a person's pipes have a common limit; smaller ones do
            for end in (stdin, stdout):
                fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, pipe_bytes)
        pid = server.fork(folder, [its_stdin, its_stdout, its_status])
        if pid is None or pid < 0:
            return None, pid is not None
        try:
            child = Forked(pid, stdin, stdout, status)
        except ProcessLookupError:  # somebody has killed it already
            return None, True
        ours.pop_all()
        return child, True

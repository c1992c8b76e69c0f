"""Children of a fork server (fork_server.py): a server for each program, started when it is first needed."""

import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

SERVER = Path(__file__).with_name("fork_server.py")
# Elsewhere a process can't be told by more than its number, which another one may have by then.
CAN_FORK = sys.platform == "linux" and hasattr(os, "pidfd_open")
PATIENCE = 30  # seconds for a server to load its program and fork
SERVER_GONE = 1  # in place of an exit status: that of an interpreter that doesn't start
TRIES = 2  # a server that had nothing to do may be ending right now


class Forked:
    """A running child, with what `subprocess.Popen` has of one: pid, stdin, stdout, wait and kill."""

    def __init__(self, pid: int, stdin: int, stdout: int, status: int) -> None:
        self.pid = pid
        self.stdin: BinaryIO = os.fdopen(stdin, "wb", buffering=0)
        self.stdout: BinaryIO = os.fdopen(stdout, "rb", buffering=0)
        self._status = os.fdopen(status, "rb", buffering=0)
        self._handle = os.pidfd_open(pid)  # before the child is told what to do: until then it lives
        self._code: int | None = None

    def wait(self) -> int:
        """The exit status; a signal's number below 0. Blocks until the child has ended."""
        if self._code is None:
            said = self._status.read(4)
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
        """The child's number; None where the server is gone."""
        with self._turn, suppress(BrokenPipeError, ConnectionResetError, TimeoutError):
            socket.send_fds(self._control, [folder.encode()], pipes)
            if said := self._control.recv(4):
                return int(struct.unpack("<i", said)[0])
        return None

    def has_ended(self) -> bool:
        return self._process.poll() is not None

    def close(self) -> None:
        """It may hang. Children that it still has go on; how they end is told by nobody."""
        self._control.close()
        self._process.kill()
        self._process.wait()


_servers: dict[Path, _Server] = {}
_starting = threading.Lock()


def _forget_servers() -> None:
    """A process that was forked itself has servers of its own."""
    global _starting
    _starting = threading.Lock()
    _servers.clear()


if CAN_FORK:
    os.register_at_fork(after_in_child=_forget_servers)


def start(program: Path, folder: str, environment: Mapping[str, str], pipe_bytes: int) -> Forked | None:
    """A child in that folder that waits for its request; None where none can be forked for the program."""
    if not CAN_FORK:
        return None
    for _ in range(TRIES):
        server = _server(program, environment)
        if child := _fork(server, folder, pipe_bytes):
            return child
        _drop(program, server)
    return None


def _server(program: Path, environment: Mapping[str, str]) -> _Server:
    with _starting:
        for each in [each for each, server in _servers.items() if server.has_ended()]:
            _servers.pop(each).close()
        if program not in _servers:
            _servers[program] = _Server(program, environment)
        return _servers[program]


def _drop(program: Path, server: _Server) -> None:
    with _starting:
        if _servers.get(program) is server:
            del _servers[program]
            server.close()


def _fork(server: _Server, folder: str, pipe_bytes: int) -> Forked | None:
    (its_stdin, stdin), (stdout, its_stdout), (status, its_status) = (
        os.pipe2(os.O_CLOEXEC) for _ in range(3)
    )
    theirs = [its_stdin, its_stdout, its_status]
    for pipe in (stdin, stdout):
        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, pipe_bytes)
    try:
        pid = server.fork(folder, theirs)
    finally:
        for pipe in theirs:
            os.close(pipe)
    if pid is None:
        for pipe in (stdin, stdout, status):
            os.close(pipe)
        return None
    return Forked(pid, stdin, stdout, status)

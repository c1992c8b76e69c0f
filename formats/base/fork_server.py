"""A process that has loaded the program which opens files of one kind, and forks a child for each file.

Run as a plain script by forked.py, never imported: `python -I fork_server.py CONTROL PROGRAM`. Loading takes
longer than reading a short file. It opens no file itself and knows nothing of any. It ends when the process
that started it is gone, and when nothing was asked of it for a while, as what it has loaded takes memory.
"""

import gc
import os
import runpy
import select
import signal
import socket
import struct
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

IDLE_SECONDS = 60
LONGEST_PATH = 4096
STDIN, STDOUT, OTHERS = 0, 1, 3
ONE_THREAD = 1  # with more, a fork may copy a lock that nobody gives back


def main(control: socket.socket, program_path: str) -> None:
    sys.path.insert(0, str(Path(__file__).parents[2]))
    child = runpy.run_path(str(Path(__file__).with_name("child.py")), run_name="child")
    sys.path.pop(0)
    child["without_packages"]()
    program = runpy.run_path(program_path)
    load_what_is_used_first()
    if threads() > ONE_THREAD:
        return
    gc.freeze()  # what is loaded stays in pages that all children share
    wakes, woken = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(wakes, select.POLLIN)
    told: dict[int, int] = {}  # where the exit status of each living child is awaited
    while True:
        ready = {number for number, _ in poll.poll(None if told else IDLE_SECONDS * 1000)}
        if wakes in ready:
            os.read(wakes, 512)
        tell_ended(told)
        if control.fileno() in ready:
            folder, pipes, _, _ = socket.recv_fds(control, LONGEST_PATH, 3)
            if not folder:
                return
            stdin, stdout, status = pipes
            if (pid := os.fork()) == 0:
                become(folder.decode(), stdin, stdout)
                child["serve"](program)
            told[pid] = status
            os.close(stdin)
            os.close(stdout)
            control.send(struct.pack("<i", pid))
        elif not ready and not told:
            return


def load_what_is_used_first() -> None:
    """Of modules that have a function `before_forks`."""
    for module in list(sys.modules.values()):
        if callable(prepare := vars(module).get("before_forks")):
            prepare()


def threads() -> int:
    return len(os.listdir("/proc/self/task"))


def tell_ended(told: dict[int, int]) -> None:
    """A child's number is its own until then: who started it can't kill another process by it."""
    while told:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        awaited = told.pop(pid)
        with suppress(BrokenPipeError):  # nobody waits any more
            os.write(awaited, struct.pack("<i", os.waitstatus_to_exitcode(status)))
        os.close(awaited)


def become(folder: str, stdin: int, stdout: int) -> None:
    """The child has its own three pipes, its folder, and nothing of the server but what is loaded."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.chdir(folder)
    os.environ["TMPDIR"] = folder
    tempfile.tempdir = None
    os.dup2(stdin, STDIN)
    os.dup2(stdout, STDOUT)
    os.closerange(OTHERS, os.sysconf("SC_OPEN_MAX"))


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), sys.argv[2])
    os._exit(0)  # there is nothing to tidy up, and somebody may wait

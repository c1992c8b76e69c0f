"""A process that has loaded the program which opens files of one kind, and forks a child for each file.

Run as a plain script by forked.py: `python -I fork_server.py CONTROL PROGRAM`. Loading takes
longer than reading a short file. It opens no file itself and knows nothing of any. It takes no more requests
once the process that started it is gone or closes its socket, or when none came for a while, as what it has
loaded takes memory; then it ends with its last child.
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
from typing import Any

IDLE_SECONDS = 60
LONGEST_PATH = 4096
STDIN, STDOUT, OTHERS = 0, 1, 3
REFUSED = 2  # exit status: the program can't be forked
NOT_FORKED = -1  # in place of a child's number


def main(control: socket.socket, program_path: str) -> None:
    sys.path.insert(0, str(Path(__file__).parents[2]))
    child = runpy.run_path(str(Path(__file__).with_name("child.py")), run_name="child")
    sys.path.pop(0)
    child["without_packages"]()
    program = runpy.run_path(program_path)
    load_what_is_used_first()
    if len(os.listdir("/proc/self/task")) > 1:  # the fork could copy a lock that no thread gives back
        os._exit(REFUSED)
    gc.freeze()  # what is loaded stays in pages that all children share
    serve(control, lambda: child["serve"](program))


def load_what_is_used_first() -> None:
    """Of modules of ours that have a function `before_forks`."""
    for name, module in list(sys.modules.items()):
        if name.startswith("formats.") and (prepare := vars(module).get("before_forks")):
            prepare()


def serve(control: socket.socket, run: Any) -> None:
    """Until there is nothing more to fork and the last child has ended. run: what a child does."""
    wake_read, wake_write = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
    signal.set_wakeup_fd(wake_write)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(wake_read, select.POLLIN)
    is_asked = True
    status_pipes: dict[int, int] = {}  # of each living child
    while is_asked or status_pipes:
        ready = {number for number, _ in poll.poll(None if status_pipes else IDLE_SECONDS * 1000)}
        if wake_read in ready:
            os.read(wake_read, 512)
        report_ended(status_pipes)
        if control.fileno() in ready:
            is_asked = take(control, run, status_pipes)
            if not is_asked:
                poll.unregister(control)
        elif not ready and not status_pipes:
            return


def take(control: socket.socket, run: Any, status_pipes: dict[int, int]) -> bool:
    """One request: a child for it. False where no more will come."""
    try:
        folder, pipes, _, _ = socket.recv_fds(control, LONGEST_PATH, 3)
    except ConnectionResetError:
        return False
    if not folder:
        return False
    stdin, stdout, status = pipes
    try:
        pid = os.fork()
    except OSError:  # too many processes, or no memory
        pid = NOT_FORKED
    if pid == 0:
        detach(folder.decode(), stdin, stdout)
        run()
    if pid == NOT_FORKED:
        os.close(status)
    else:
        status_pipes[pid] = status
    os.close(stdin)
    os.close(stdout)
    with suppress(BrokenPipeError, ConnectionResetError):
        control.send(struct.pack("<i", pid))
    return True


def report_ended(status_pipes: dict[int, int]) -> None:
    """Reap children that have ended and write their exit status."""
    while status_pipes:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == 0:
            return
        pipe = status_pipes.pop(pid)
        with suppress(BrokenPipeError):  # nobody waits any more
            os.write(pipe, struct.pack("<i", os.waitstatus_to_exitcode(status)))
        os.close(pipe)


def detach(folder: str, stdin: int, stdout: int) -> None:
    """The child has its own pipes, folder and session, and nothing of the server but what is loaded."""
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

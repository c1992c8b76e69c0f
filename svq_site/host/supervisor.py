"""Keeps a few child processes running until this process is told to stop, and leaves none behind."""

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from django.conf import settings

from svq_site.host.parent import PIPE_VARIABLE

TICK = 0.5  # seconds between two looks at the children
GRACE = 8  # seconds until a child that was asked to stop is killed; its jobs go to another worker
FIRST_WAIT, LONGEST_WAIT = 1, 30  # seconds before a child is started again, doubled each time
SETTLED = 60  # seconds after which a child counts as sound


class Child:
    """One command that ought to be running."""

    def __init__(self, name: str, command: list[str]) -> None:
        self.name = name
        self.command = command
        self.process: subprocess.Popen[bytes] | None = None
        self.started = 0.0
        self.wait = FIRST_WAIT
        self.due = 0.0
        self.killed_at = 0.0  # when it is killed, having been asked to end; 0 while it has not been
        self.deaths = 0  # in a row, each soon after its start

    def ask_to_end(self) -> None:
        """It is killed where it does not end."""
        assert self.process
        self.process.terminate()
        self.killed_at = time.monotonic() + GRACE

    def kill_if_overdue(self) -> None:
        if self.process and self.killed_at and time.monotonic() > self.killed_at:
            self.process.kill()

    def ended(self) -> str:
        """How the process ended, and when it is started again; empty while there is nothing new."""
        if self.process is None or self.process.poll() is None:
            return ""
        code = self.process.returncode
        self.process, self.killed_at = None, 0.0
        if time.monotonic() - self.started > SETTLED:
            self.wait, self.deaths = FIRST_WAIT, 0
        self.deaths += 1
        wait, self.wait = self.wait, min(self.wait * 2, LONGEST_WAIT)
        self.due = time.monotonic() + wait
        how = f"was ended by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
        return f"The {self.name} {how}. It starts again in {wait} s."


class Supervisor:
    """Starts the commands, starts again whichever ends for whatever reason, and stops all together."""

    def __init__(self, commands: dict[str, list[str]], say: Callable[[str], None]) -> None:
        self.children = [Child(name, command) for name, command in commands.items()]
        self.say = say
        self.stopping = threading.Event()
        # The children read from the pipe; its end tells them that this process is gone, even by kill -9.
        self.reading_end, self.writing_end = os.pipe()

    def run(self, *each_tick: Callable[[], None]) -> None:
        """Until SIGINT, SIGTERM or SIGHUP; `each_tick` are called about every half second."""
        with self._stopped_by_signals():
            try:
                while not self.stopping.is_set():
                    self._start_missing()
                    for act in each_tick:
                        act()
                    self.stopping.wait(TICK)
            finally:
                self._stop_all()

    def keep(self, name: str, command: list[str]) -> Child:
        """One more child, from the next look on."""
        self.children.append(child := Child(name, command))
        return child

    def drop(self, child: Child) -> None:
        """It ends, and is not started again."""
        self.children.remove(child)
        if child.process:
            end(child.process)

    def pids(self) -> list[int]:
        """Of the children that run and have not been asked to end."""
        return [child.process.pid for child in self.children if child.process and not child.killed_at]

    def replace(self, pid: int, why: str) -> None:
        """End this child, by force if it must be; another one is started in its place."""
        for child in self.children:
            if child.process and child.process.pid == pid:
                self.say(f"The {child.name} {why}. It is ended; its jobs go on elsewhere.")
                child.ask_to_end()

    def _start_missing(self) -> None:
        for child in self.children:
            child.kill_if_overdue()
            if message := child.ended():
                self.say(message)
            if child.process is None and time.monotonic() >= child.due:
                with interrupts_ignored():
                    child.process = subprocess.Popen(
                        child.command,
                        env=os.environ | {PIPE_VARIABLE: str(self.reading_end)},
                        pass_fds=[self.reading_end],
                        cwd=settings.BASE_DIR,  # where `python -m` finds our modules
                        stdin=subprocess.DEVNULL,
                    )
                child.started = time.monotonic()

    def _stop_all(self) -> None:
        end(*(child.process for child in self.children if child.process))
        os.close(self.writing_end)
        os.close(self.reading_end)

    @contextmanager
    def _stopped_by_signals(self) -> Iterator[None]:
        def stop(number: int, frame: FrameType | None) -> None:
            self.stopping.set()

        numbers = [signal.SIGINT, signal.SIGTERM]
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup asks to outlive the terminal
            numbers.append(signal.SIGHUP)
        before = [(number, signal.signal(number, stop)) for number in numbers]
        try:
            yield
        finally:
            for number, handler in before:
                signal.signal(number, handler)


def end(*processes: "subprocess.Popen[bytes]") -> None:
    """Ask all of them to stop; kill those that do not."""
    for process in processes:
        process.terminate()
    deadline = time.monotonic() + GRACE
    for process in processes:
        try:
            process.wait(max(0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """A child started inside does not end by Ctrl-C before it can do so in good order: it is asked to."""
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)

"""Children that are forked from a process that has loaded their program already."""

import os
from collections import Counter
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

from formats.base import forked, sandbox
from formats.base.errors import ExtractionError
from tests.processes import lives, readers, wait_until

TELLS = """
import os
from contextlib import suppress
LOADED = os.getpid()
def run(request):
    open_files = []
    for number in range(64):
        with suppress(OSError):
            os.fstat(number)
            open_files.append(number)
    yield {"loaded": LOADED, "pid": os.getpid(), "parent": os.getppid(), "session": os.getsid(0),
           "folder": os.environ["TMPDIR"], "open": open_files}, b""
"""


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Path]:
    """What its frame tells is about the child; afterwards its server ends."""
    script = tmp_path / "program.py"
    script.write_text(TELLS)
    yield script
    if server := forked._servers.pop(script, None):
        server.kill()


def frames(program: Path) -> Generator[sandbox.Frame]:
    return sandbox.frames(program, {}, memory_bytes=2**30, frame_seconds=30, cpu_seconds=30)


def told_first(program: Path) -> dict[str, Any]:
    """Of a child that waits for more."""
    reading = frames(program)
    head = next(reading).head
    reading.close()
    return head


def told(program: Path) -> dict[str, object]:
    (frame,) = frames(program)
    return frame.head


def test_each_file_has_a_child_of_its_own_and_the_program_is_loaded_once(program: Path) -> None:
    one, other = told(program), told(program)
    assert one["loaded"] == other["loaded"] == one["parent"] != os.getpid()
    assert one["pid"] != other["pid"]
    assert one["session"] == one["pid"]
    assert one["folder"] != other["folder"]
    assert not readers()


def test_a_child_has_no_way_to_the_server_nor_to_another_child(program: Path) -> None:
    first = frames(program)
    next(first)
    second = told(program)
    first.close()
    assert second["open"] == [0, 1, 2]


def test_an_ended_server_is_started_again(program: Path) -> None:
    before = told(program)["loaded"]
    assert isinstance(before, int)
    psutil.Process(before).kill()
    assert told(program)["loaded"] != before
    assert not psutil.pid_exists(before)


def test_a_server_that_hangs_is_replaced(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked, "PATIENCE", 2)
    before = told(program)["loaded"]
    assert isinstance(before, int)
    psutil.Process(before).suspend()
    assert told(program)["loaded"] != before
    assert not psutil.pid_exists(before)


def test_a_child_whose_server_is_killed_blames_no_file(program: Path) -> None:
    program.write_text(f"{TELLS}    __import__('time').sleep(2)\n")
    reading = frames(program)
    server = next(reading).head["loaded"]
    psutil.Process(server).kill()
    with pytest.raises(ExtractionError) as stopped:
        list(reading)
    assert stopped.value.code == "not_started"


def test_a_program_that_starts_threads_when_it_is_loaded_is_not_forked(program: Path) -> None:
    """The fork may copy a lock that nobody gives back."""
    program.write_text(
        "import threading, time\n"
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n" + TELLS
    )
    answer = told(program)
    assert answer["loaded"] == answer["pid"]
    assert answer["parent"] == os.getpid()
    assert program in forked._refused  # no further server is started for it


def test_without_forks_each_child_loads_its_program(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked, "CAN_FORK", False)
    answer = told(program)
    assert answer["loaded"] == answer["pid"]


def test_a_server_ends_with_the_process_that_started_it(program: Path) -> None:
    pid = os.fork()
    if pid == 0:
        try:
            (program.parent / "server").write_text(str(told(program)["loaded"]))
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    server = int((program.parent / "server").read_text())
    wait_until(lambda: not psutil.pid_exists(server), "the end of the server")


def test_many_threads_read_at_once_while_servers_are_killed(program: Path) -> None:
    """A file is only lost to a kill while it is open; nothing else fails, and no descriptor stays open."""
    told(program)
    before = len(os.listdir("/proc/self/fd"))

    def one(number: int) -> str:
        try:
            server = told(program)["loaded"]
        except ExtractionError as error:
            return error.code
        if number % 20 == 0 and isinstance(server, int):
            with suppress(psutil.NoSuchProcess):
                psutil.Process(server).kill()
        return "read"

    with ThreadPoolExecutor(4) as threads:
        ends = Counter(threads.map(one, range(80)))
    assert set(ends) <= {"read", "not_started"}
    assert ends["read"] > 50
    told(program)
    assert len(os.listdir("/proc/self/fd")) <= before


def test_where_no_process_can_be_forked_the_others_go_on(program: Path) -> None:
    """The limit to processes is not root's, so the server is told that forking fails."""
    waiting = program.with_name("fails.py")
    waiting.write_text(
        "import os\nreal, made = os.fork, []\n"
        "def fork():\n"
        "    if made: raise BlockingIOError(11, 'no more')\n"
        "    made.append(1); return real()\n"
        "os.fork = fork\n" + TELLS + "    os.read(0, 1)\n"
    )
    first = frames(waiting)
    server = next(first).head["loaded"]
    second = told_first(waiting)
    assert second["loaded"] == second["pid"] != server
    assert psutil.pid_exists(server)
    first.close()
    forked._servers.pop(waiting).kill()


def test_a_child_that_has_closed_its_output_and_lives_is_ended(
    program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox, "ENDS_WITHIN", 0.5)
    program.write_text(f"{TELLS}    os.close(1); __import__('time').sleep(60)\n")
    with pytest.raises(ExtractionError) as stopped:
        list(frames(program))
    assert stopped.value.code == "timeout"
    assert not readers()


def test_no_process_keeps_more_than_a_few_servers(program: Path) -> None:
    servers: list[Any] = []
    for number in range(forked.MOST_SERVERS + 1):
        other = program.with_name(f"other{number}.py")
        other.write_text(TELLS)
        servers.append(told(other)["loaded"])
    wait_until(lambda: not lives(servers[0]), "the end of the first")
    assert len(forked._servers) == forked.MOST_SERVERS
    for number in range(forked.MOST_SERVERS + 1):
        if server := forked._servers.pop(program.with_name(f"other{number}.py"), None):
            server.kill()

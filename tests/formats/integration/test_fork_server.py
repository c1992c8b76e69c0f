"""Children that are forked from a process that has loaded their program already."""

import os
from collections.abc import Generator, Iterator
from pathlib import Path

import psutil
import pytest

from formats.base import forked, sandbox
from formats.base.errors import ExtractionError
from tests.processes import readers, wait_until

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
    DOES
"""


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Path]:
    """What its frame tells is about the child; afterwards its server ends."""
    script = tmp_path / "program.py"
    script.write_text(TELLS.replace("DOES", ""))
    yield script
    if server := forked._servers.pop(script, None):
        server.close()


def frames(program: Path) -> Generator[sandbox.Frame]:
    return sandbox.frames(program, {}, memory_bytes=2**30, frame_seconds=30, cpu_seconds=30)


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
    program.write_text(TELLS.replace("DOES", "__import__('time').sleep(2)"))
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
        "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n" + TELLS.replace("DOES", "")
    )
    answer = told(program)
    assert answer["loaded"] == answer["pid"]
    assert answer["parent"] == os.getpid()


def test_without_forks_each_child_loads_its_program(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forked, "CAN_FORK", False)
    answer = told(program)
    assert answer["loaded"] == answer["pid"]


def test_a_server_ends_with_the_process_that_started_it(program: Path) -> None:
    pid = os.fork()
    if pid == 0:
        (frame,) = frames(program)
        (program.parent / "server").write_text(str(frame.head["loaded"]))
        os._exit(0)
    os.waitpid(pid, 0)
    server = int((program.parent / "server").read_text())
    wait_until(lambda: not psutil.pid_exists(server), "the end of the server")

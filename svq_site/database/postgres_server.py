"""The life of an embedded Postgres: made, started, stopped, given its database. The caller holds its turn."""

import os
import secrets
import shutil
import stat
import subprocess
import time
from contextlib import suppress
from pathlib import Path

import psutil
import psycopg

from svq_site.database import data_folder, postgres_account
from svq_site.database.postgres_places import DATABASE, PORT, USER, WHEEL, PostgresError, Server

START_SECONDS = 300  # a crash recovery may take minutes
STOP_SECONDS = 60
ANSWER_SECONDS = 10  # for a living server that does not answer
ORPHAN_SECONDS = 30  # for the children of a killed server to end
FULL_DISK_BYTES = 32 * 1024**2
LOG_BYTES = 10_000_000  # of server.log, and of the part before it that is kept
IMPOSSIBLE_PID = 99_999_999  # above every kernel's limit
# The log says what the server does, and nothing of what is stored: an error repeats names and texts, in its
# first line too (“syntax error in tsquery”), so errors are reported to the client alone. Terse: no DETAIL,
# in which the message about a process that crashed has its query.
NOTHING_STORED = {
    "log_min_messages": "log",
    "log_min_error_statement": "panic",
    "log_error_verbosity": "terse",
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "log_min_duration_sample": "-1",
    "log_transaction_sample_rate": "0",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_lock_waits": "off",
    "log_duration": "off",
}
# Whoever gets to the socket needs the password. It is random, so one round of hashing is enough.
ACCESS = "# Rewritten at each start.\nlocal all all scram-sha-256\n"
ROUNDS = 1


def start_or_join(server: Server) -> None:
    """With the turn held: leave a server running that answers."""
    if not server.bin_dir.exists():
        _copy_programs(server)
    if not (server.data_dir / "PG_VERSION").exists():
        _initialise(server)
    _keep_log_short(server)
    if _answers(server):
        return
    stop(server)  # it lives but does not answer, e.g. because its socket file was deleted
    _neutralise_stale_pid(server)
    _start(server)


def _answers(server: Server) -> bool:
    """Wait while the server starts; False when none is there, or it lives and stays silent: also one that was
    told to stop and waits for its users to leave, who don't know of it.
    """
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
        starts = busy and not _is_stopping(server)
        if time.monotonic() > (patience if starts else silence):
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


def _is_stopping(server: Server) -> bool:
    """The last line of postmaster.pid says how the server is."""
    try:
        return (server.data_dir / "postmaster.pid").read_text().rstrip().endswith("stopping")
    except FileNotFoundError:
        return False


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


def make_folder(server: Server) -> None:
    """The folder that holds the data's, for the lock file too."""
    parent, account = server.data_dir.parent, server.run_as
    if server.is_elsewhere:
        _make_home(parent)
    else:
        data_folder.make(parent, passable_for=account.gid if account and not account.in_namespace else None)


def _make_home(home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    home.chmod(0o711)


def _copy_programs(server: Server) -> None:
    """The wheel's folders to where the server's user reaches them, whole or not at all."""
    root, wheel = server.bin_dir.parents[2], server.wheel_bin_dir.parents[2]
    _make_home(root.parent)
    for old in root.parent.glob("programs-*") if _postmaster(server) is None else ():
        shutil.rmtree(old)
    fresh = root.with_name(f"{root.name}.init")
    libraries = f"{WHEEL}.libs"
    shutil.copytree(server.wheel_bin_dir.parent, fresh / server.bin_dir.parent.relative_to(root))
    if (wheel / libraries).exists():
        shutil.copytree(wheel / libraries, fresh / libraries)
    for path in (fresh, *fresh.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o755 if path.stat().st_mode & 0o100 else 0o644)
    fresh.rename(root)


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
        done = _run(
            server,
            "initdb",
            "-D",
            str(fresh),
            "-U",
            USER,
            "-E",
            "UTF8",
            "--auth-local=reject",
            "--auth-host=reject",
            "--locale-provider=builtin",
            "--builtin-locale=C.UTF-8",
            "--locale=C",
        )
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
    if server.data_dir.stat().st_uid != postgres_account.owner_ids(server.run_as)[0]:  # restored by root
        for path in (server.data_dir, *server.data_dir.rglob("*")):
            _give(server, path)
    _open_socket_dir(server)
    _write(server, server.data_dir / "pg_hba.conf", ACCESS)
    if not _logs_nothing_stored(server):
        _remove_logs(server)
    _write(server, server.data_dir / "svq.conf", _configuration(server))
    if not server.password_file.exists():
        _set_password(server)
    deadline = time.monotonic() + ORPHAN_SECONDS
    while True:
        logged = server.log.stat().st_size if server.log.exists() else 0
        done = _run(
            server,
            "pg_ctl",
            "start",
            "-D",
            str(server.data_dir),
            "-l",
            str(server.log),
            "-s",
            "-w",
            "-t",
            str(START_SECONDS),
        )
        if done.returncode == 0:
            return
        reason = _log_since(server, logged) or done.stderr
        # Children of a killed server; they end by themselves as soon as they notice.
        if "still in use" not in reason or time.monotonic() > deadline:
            raise failure(server.data_dir, reason)
        time.sleep(0.2)


def _set_password(server: Server) -> None:
    """A new one, by the one way into a server that lets nobody in: to be its only user, without a socket."""
    password = secrets.token_hex(32)
    done = _run(
        server,
        "postgres",
        "--single",
        "-D",
        str(server.data_dir),
        "-c",
        f"scram_iterations={ROUNDS}",
        "postgres",
        given=f"ALTER ROLE {USER} PASSWORD '{password}'\n",
    )
    if done.returncode != 0 or "ERROR:" in done.stderr:
        raise failure(server.data_dir, done.stderr)
    _write(server, server.password_file, f"*:*:*:{USER}:{password}\n")


def stop(server: Server) -> None:
    if _postmaster(server) is None:  # pg_ctl would signal whoever has the pid now
        return
    done = _run(
        server,
        "pg_ctl",
        "stop",
        "-D",
        str(server.data_dir),
        "-m",
        "fast",
        "-s",
        "-w",
        "-t",
        str(STOP_SECONDS),
    )
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
    owner = postgres_account.owner_ids(server.run_as)[0]
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
        "max_connections": "300",  # a web server has up to 40, a worker for answers 30
        "shared_buffers": f"{min(512, memory_mb // 8)}MB",
        "maintenance_work_mem": f"{min(512, memory_mb // 8)}MB",
        "work_mem": "16MB",
        "effective_cache_size": f"{min(4096, memory_mb // 2)}MB",
        "jit": "off",
        "random_page_cost": "1.1",
        "wal_compression": "on",
        "max_wal_size": "4GB",
        "checkpoint_timeout": "15min",
        **NOTHING_STORED,
    }
    shm = Path("/dev/shm")
    if shm.exists() and shutil.disk_usage(shm).total < 1024**3:
        # Containers often have 64 MB there, and a parallel index build asks for maintenance_work_mem.
        settings["dynamic_shared_memory_type"] = "sysv"
    return "".join(f"{name} = {value}\n" for name, value in settings.items())


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


def _run(server: Server, program: str, *arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run one of the wheel's programs as the server's user."""
    return postgres_account.run(server.run_as, str(server.bin_dir / program), *arguments, given=given)


def _give(server: Server, path: Path) -> None:
    os.chown(path, *postgres_account.owner_ids(server.run_as), follow_symlinks=False)


def _write(server: Server, path: Path, text: str) -> None:
    """Write a file as the server's user: root must not follow a link that user put there."""
    done = postgres_account.run(server.run_as, "/bin/sh", "-c", 'cat > "$0"', str(path), given=text)
    if done.returncode != 0:
        raise failure(server.data_dir, done.stderr)


def _keep_log_short(server: Server) -> None:
    """The server appends to its log, so it can be emptied under it. What was in it is kept once."""
    if server.log.exists() and server.log.stat().st_size > LOG_BYTES:
        script = f'tail -c {LOG_BYTES} "$0" > "$0.1" && : > "$0"'
        postgres_account.run(server.run_as, "/bin/sh", "-c", script, str(server.log))


def _logs_nothing_stored(server: Server) -> bool:
    """Whether the last start was already with these settings; an older log may have people's words."""
    with suppress(FileNotFoundError):
        written = (server.data_dir / "svq.conf").read_text()
        return all(f"{name} = {value}\n" in written for name, value in NOTHING_STORED.items())
    return not server.log.exists()


def _remove_logs(server: Server) -> None:
    for log in (server.log, server.log.with_name(f"{server.log.name}.1")):
        log.unlink(missing_ok=True)


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

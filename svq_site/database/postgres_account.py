"""Who runs the embedded Postgres, which refuses to run as root, and what that account can reach."""

import os
import pwd
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

UNPRIVILEGED_USERS = ("postgres", "nobody", "daemon")
_NAMESPACE = Path(__file__).with_name("user_namespace.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """An account other than this process's own.

    in_namespace: it is root itself, shown under this account's id in a user namespace of its own.
    """

    name: str
    uid: int
    gid: int
    in_namespace: bool = False

    def __str__(self) -> str:
        return f"root in a user namespace, as {self.name}" if self.in_namespace else self.name


def candidates(owner: int | None) -> Iterator[Account]:
    """Who may run the server for root, the best first. owner: of its data, None when there is none yet.

    In a namespace nothing has to be within the reach of others. Else it is who owns the data.
    """
    if owner is None or owner == 0:
        known = [entry for name in UNPRIVILEGED_USERS if (entry := _entry(name))]
        yield from (_account(entry, in_namespace=True) for entry in known[:1])
        yield from map(_account, known)
    elif entry := _entry(owner):
        yield _account(entry)


def name(uid: int) -> str | None:
    entry = _entry(uid)
    return entry.pw_name if entry else None


def _entry(user: str | int) -> pwd.struct_passwd | None:
    with suppress(KeyError):
        return pwd.getpwnam(user) if isinstance(user, str) else pwd.getpwuid(user)
    return None


def _account(entry: pwd.struct_passwd, *, in_namespace: bool = False) -> Account:
    return Account(name=entry.pw_name, uid=entry.pw_uid, gid=entry.pw_gid, in_namespace=in_namespace)


def owner_ids(account: Account | None) -> tuple[int, int]:
    """User and group that the account's files belong to."""
    if account is None or account.in_namespace:
        return os.geteuid(), os.getegid()
    return account.uid, account.gid


@cache
def reaches(account: Account, *paths: Path) -> bool:
    """Whether the account gets to all of these folders and programs. No, where namespaces are forbidden."""
    script = 'for path; do test -x "$path" || exit 1; done'
    return run(account, "/bin/sh", "-c", script, "sh", *map(str, paths)).returncode == 0


def run(account: Account | None, *command: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program as the account, None for this process's own user. given: its standard input."""
    identity: dict[str, Any] = {}
    if account is not None and account.in_namespace:
        command = (sys.executable, "-I", "-S", str(_NAMESPACE), str(account.uid), str(account.gid), *command)
    elif account is not None:
        identity = {"user": account.uid, "group": account.gid, "extra_groups": ()}
    # PG* variables would redirect the programs; a fixed language keeps their messages recognisable.
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_"))}
    return subprocess.run(
        command,
        env=environment | {"LC_ALL": "C", "TZ": "UTC"},
        cwd="/",  # the other user may not be allowed in ours
        umask=0o077,
        start_new_session=True,  # Ctrl-C in the terminal must not reach the server
        input=given,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
        **identity,
    )

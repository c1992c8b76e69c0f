"""Who runs the embedded Postgres for root: on a machine with a Postgres of its own, and on one without."""

import pwd
from types import SimpleNamespace

import pytest

from svq_site.database import postgres_account


@pytest.mark.parametrize(
    ("known", "names"),
    [
        (("postgres", "nobody", "daemon"), ["postgres", "postgres", "nobody", "daemon"]),
        (("nobody", "daemon"), ["nobody", "nobody", "daemon"]),
        ((), []),
    ],
)
def test_a_system_postgres_is_not_needed(
    monkeypatch: pytest.MonkeyPatch, known: tuple[str, ...], names: list[str]
) -> None:
    def entry(name: str) -> SimpleNamespace:
        if name not in known:
            raise KeyError(name)
        return SimpleNamespace(pw_name=name, pw_uid=1000, pw_gid=1000)

    monkeypatch.setattr(pwd, "getpwnam", entry)
    found = list(postgres_account.candidates(None))
    assert [account.name for account in found] == names
    assert [account.in_namespace for account in found] == [True, *[False] * (len(names) - 1)][: len(names)]

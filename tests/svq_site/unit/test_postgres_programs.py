"""Which pg_dump is taken: the oldest that can read the server, so that its dumps suit the oldest servers."""

from pathlib import Path

import pytest

from svq_site.database import postgres_places, postgres_programs
from svq_site.database.postgres_programs import PostgresError


@pytest.fixture(autouse=True)
def _programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """16 and 18 come with the package, 15 is on the PATH."""
    monkeypatch.setattr(postgres_places, "programs", lambda: {16: Path("/16"), 18: Path("/18")})
    program = tmp_path / "pg_dump"
    program.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)'\n")
    program.chmod(0o700)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")


@pytest.mark.parametrize(("server", "taken"), [(14, 15), (15, 15), (16, 16), (17, 18), (18, 18)])
def test_the_oldest_that_is_new_enough_is_taken(server: int, taken: int) -> None:
    found = postgres_programs.find("pg_dump", server)
    assert found.major == taken
    assert found.path.name == "pg_dump"


def test_a_server_that_is_newer_than_all_is_told() -> None:
    with pytest.raises(PostgresError, match=r"no pg_dump of Postgres 19 or newer.*Nothing was changed"):
        postgres_programs.find("pg_dump", 19)


def test_a_password_is_given_in_the_environment_and_others_are_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("PGHOST", "elsewhere")
    given = postgres_programs.environment("secret")
    assert given["PGPASSWORD"] == "secret"
    assert "PGHOST" not in given
    assert "PGPASSWORD" not in postgres_programs.environment(None)

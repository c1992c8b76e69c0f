"""DATABASE_URL: whatever libpq understands reaches Postgres as it was meant."""

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from svq_site.settings import database


def read(url: str) -> dict[str, Any]:
    return dict(database(url))


def test_a_server_with_a_password_is_reached() -> None:
    given = read("postgresql://app:p%40ss%2Fword@db.example:6432/prod%20data?sslmode=require")
    assert (given["HOST"], given["PORT"], given["NAME"]) == ("db.example", "6432", "prod data")
    assert (given["USER"], given["PASSWORD"]) == ("app", "p@ss/word")
    assert given["OPTIONS"]["sslmode"] == "require"


def test_a_socket_is_named_in_the_query() -> None:
    given = read("postgresql:///svq?host=%2Frun%2Fpostgresql&user=app&port=5433")
    assert (given["HOST"], given["PORT"]) == ("/run/postgresql", "5433")
    assert (given["NAME"], given["USER"], given["PASSWORD"]) == ("svq", "app", "")


def test_a_url_without_a_database_means_svq() -> None:
    assert read("postgres://localhost")["NAME"] == "svq"


@pytest.mark.parametrize("url", ["mysql://localhost/svq", "sqlite:///svq.db", "localhost:5432/svq"])
def test_other_databases_are_refused(url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="SVQ needs Postgres"):
        read(url)

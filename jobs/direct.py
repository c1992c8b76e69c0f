"""Connections past PgBouncer, where DATABASE_URL leads to it: a session that listens can't be shared."""

from typing import Any

from django.conf import settings
from django.db import connections


def direct_parameters() -> dict[str, Any]:
    """Of psycopg, for a connection to Postgres itself."""
    return parameters_of(settings.DATABASE_DIRECT or connections["default"].settings_dict)


def parameters_of(given: dict[str, Any]) -> dict[str, Any]:
    """Of psycopg, for what Django's settings say of a database."""
    known = connections["default"]
    parameters = type(known)({**known.settings_dict, **given}, "direct").get_connection_params()
    return {name: value for name, value in parameters.items() if name not in ("cursor_factory", "context")}

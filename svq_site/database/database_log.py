"""Whether the database writes people's words into its own log: errors, slow statements and their values."""

from collections.abc import Callable, Mapping

from django.db import connection

_ERRORS_TOO = {
    "debug5",
    "debug4",
    "debug3",
    "debug2",
    "debug1",
    "debug",
    "info",
    "notice",
    "warning",
    "error",
}


def _is_on(value: str) -> bool:
    return value not in ("off", "0", "-1", "none", "")


def _repeats_errors(value: str) -> bool:
    return value in _ERRORS_TOO


# A setting, whether its value lets words in, and the value that keeps them out.
_SETTINGS: tuple[tuple[str, Callable[[str], bool], str], ...] = (
    ("log_min_messages", _repeats_errors, "log"),
    ("log_min_error_statement", _repeats_errors, "panic"),
    ("log_error_verbosity", lambda value: value != "terse", "terse"),
    ("log_statement", _is_on, "none"),
    ("log_min_duration_statement", _is_on, "-1"),
    ("log_min_duration_sample", _is_on, "-1"),
    ("log_transaction_sample_rate", _is_on, "0"),
    ("log_parameter_max_length_on_error", _is_on, "0"),
    ("log_lock_waits", _is_on, "off"),
    ("shared_preload_libraries", lambda value: "auto_explain" in value, "without auto_explain"),
)


def leaking(values: Mapping[str, str]) -> list[str]:
    """Of a server's settings those that let people's words into its log, each as “name = value”, with what
    keeps them out.
    """
    return [
        f"{name} = {values[name]}; {better} keeps them out"
        for name, leaks, better in _SETTINGS
        if name in values and leaks(values[name])
    ]


def settings_of_database() -> dict[str, str]:
    """Those that matter here, as they are for this connection. Raises DatabaseError."""
    names = [name for name, _, _ in _SETTINGS]
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [names])
        return dict(cursor.fetchall())

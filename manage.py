#!/usr/bin/env python
"""The command line of SVQ. Starts the embedded Postgres first, unless DATABASE_URL names another."""

import os
import sys
from collections.abc import Callable

# These say nothing to a database, unless they are asked to.
WITHOUT_DATABASE = {
    "help",
    "--help",
    "-h",
    "version",
    "--version",
    "collectstatic",
    "spectacular",
    "shell_help",
    "web",  # its server does, once it runs
}
# These do with the option, or without it.
WITHOUT_DATABASE_IF: dict[str, Callable[[list[str]], bool]] = {
    "verify_pack": lambda options: "--documents" not in options,
    "backup": lambda options: "--check" in options,
}


def needs_database(command: str, options: list[str]) -> bool:
    without = WITHOUT_DATABASE_IF.get(command)
    return not (without(options) if without else command in WITHOUT_DATABASE)


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    from svq_site.database.database import start_embedded
    from svq_site.database.postgres import PostgresError
    from svq_site.host.memory import load_apps

    try:
        if sys.argv[1:2] and needs_database(sys.argv[1], sys.argv[2:]):
            start_embedded()
        _ = settings.DEBUG  # reads them all: a wrong variable is told here
    except (PostgresError, ImproperlyConfigured) as error:
        sys.exit(f"svq: {error}")
    from django.db import ProgrammingError

    from svq_site.database.database_away import DATABASE_AWAY, TO_BE_MIGRATED, in_one_line, is_not_migrated

    try:
        load_apps()
        execute_from_command_line(sys.argv)
    except DATABASE_AWAY as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"svq: {in_one_line(error)}")
    except ProgrammingError as error:
        if "--traceback" in sys.argv or not is_not_migrated(error):
            raise
        sys.exit(f"svq: {TO_BE_MIGRATED}")


if __name__ == "__main__":
    main()

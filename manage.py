#!/usr/bin/env python
"""The command line of SVQ. Starts the embedded Postgres first, unless DATABASE_URL names another."""

import os
import sys

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
    "verify_pack",
}
ASKS_DATABASE = "--documents"  # the option of verify_pack


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")
    from django.conf import settings
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    from svq_site.host.database import start_embedded
    from svq_site.host.memory import load_apps
    from svq_site.host.postgres import PostgresError

    try:
        if sys.argv[1:2] and (sys.argv[1] not in WITHOUT_DATABASE or ASKS_DATABASE in sys.argv):
            start_embedded()
        _ = settings.DEBUG  # reads them all: a wrong variable is told here
    except (PostgresError, ImproperlyConfigured) as error:
        sys.exit(f"svq: {error}")
    from svq_site.host.database_away import DATABASE_AWAY, told

    try:
        load_apps()
        execute_from_command_line(sys.argv)
    except DATABASE_AWAY as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"svq: {told(error)}")


if __name__ == "__main__":
    main()

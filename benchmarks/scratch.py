"""A database and folders of its own for a benchmark that works in this process; all is dropped at the end."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def scratch() -> Iterator[Path]:
    """Django on an empty database of the embedded Postgres, with files below the folder that is yielded."""
    _set_up()
    from django.conf import settings
    from django.test.utils import override_settings, setup_databases, teardown_databases

    databases = setup_databases(verbosity=0, interactive=False)
    try:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            storage = {
                "BACKEND": "django.core.files.storage.FileSystemStorage",
                "OPTIONS": {"location": folder},
            }
            storages = {**settings.STORAGES, "documents": storage}
            with override_settings(STORAGES=storages, CACHE_DIR=folder / "cache"):
                yield folder
    finally:
        _end_other_sessions()
        teardown_databases(databases, verbosity=0)


def _set_up() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")
    for name in [name for name in os.environ if name.startswith(("SVQ_LLM", "SVQ_EMBEDDING"))]:
        del os.environ[name]
    from svq_site.database.database import start_embedded

    start_embedded()
    import django

    django.setup()


def _end_other_sessions() -> None:
    """The threads in which turns ran keep their connections; a database in use cannot be dropped."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )

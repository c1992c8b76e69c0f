"""SVQ without any desk, in a process of its own: prints JSON. The database of DATABASE_URL has no tables of
desks.
"""

import json
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests import session  # noqa: F401  before the settings


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")
    import django

    django.setup()
    from django.conf import settings
    from django.core.management import call_command
    from django.test.utils import setup_test_environment

    from tests.conftest import documents_kept_in

    setup_test_environment()
    # Pages need no collected static files.
    settings.STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    call_command("check", databases=["default"], verbosity=0)
    call_command("migrate", check_unapplied=True, verbosity=0)
    with tempfile.TemporaryDirectory() as folder, documents_kept_in(Path(folder)):
        print(json.dumps(lived()))


def tables_of_desks(names: Iterable[str]) -> list[str]:
    from desks.left_out import DESKS

    return [name for name in names if name.startswith(tuple(f"{desk}_" for desk in DESKS))]


def lived() -> dict[str, Any]:
    """A person signs in, adds a document, asks, looks at all pages, hands over and deletes."""
    from django.db import connection
    from procrastinate.contrib.django import app
    from procrastinate.contrib.django.models import ProcrastinateJob

    from chat.services import ask
    from datasources.models import Document
    from datasources.services import create_datasource
    from ingestion.adding.upload import accept_upload
    from ingestion.lifecycle.purging import purge, purge_datasource
    from svq_site.people.handing_over import hand_over
    from tests.conftest import run_jobs
    from tests.people import browser_of, person
    from tests.svq_site.upgrades import dumps
    from tests.workers import run_worker

    alice, bob = person("alice"), person("bob")
    client = browser_of(alice)
    datasource = create_datasource(alice, "Agreements")
    with dumps.DOCUMENT.open("rb") as file:
        accept_upload(datasource, alice, dumps.DOCUMENT.name, file)
    run_jobs()
    document = datasource.documents.get()
    turn = ask(alice, datasource, dumps.QUESTION)
    run_jobs()
    turn.refresh_from_db()
    quotes = turn.citations.count()
    here = f"/d/{datasource.pk}/"
    pages = {
        address: client.get(address)
        for address in (
            *("/", "/settings/", "/usage/", "/api/v1/schema", "/frameworks/"),
            *(here, f"{here}chat/{turn.conversation_id}/", f"{here}search/?q=backups", f"{here}graph/"),
            *(f"{here}settings/", f"{here}activity/", f"{here}chunks/", f"{here}documents/{document.pk}/"),
            *(f"{here}tables/", f"{here}gaps/", f"{here}evaluation/", f"{here}papers/"),
            *(f"/api/v1/data-sources/{datasource.pk}/{name}" for name in ("documents", "tables")),
        )
    }
    handed = str(hand_over(alice, bob, by=alice).owned)
    purge(document, bob)
    purge_datasource(datasource, bob)
    run_jobs()
    of_a_desk = app.configure_task("evaluate", queue="runs").defer(run_id=1)
    run_worker("runs")
    with connection.cursor() as cursor:
        left = tables_of_desks(connection.introspection.table_names(cursor))
    return {
        "loaded": sorted(sys.modules),
        "tables": left,
        "answer": turn.status,
        "quotes": quotes,
        "pages": {address: answer.status_code for address, answer in pages.items()},
        "tabs": pages[here].content.decode(),
        "handed": handed,
        "job": ProcrastinateJob.objects.get(pk=of_a_desk).status,
        "documents": Document.objects.count(),
    }


if __name__ == "__main__":
    main()

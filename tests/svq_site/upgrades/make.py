"""Makes the dump of this version: `python -m tests.svq_site.upgrades.make`, on the commit of a release.

It has one of everything (`tests.world`), a document that was read, and a question that was answered; no word
of a real person. The file is beside this one, named after the version in pyproject.toml. Those of earlier
versions stay as long as somebody may come from them.
"""

import os
import tempfile
import tomllib
from pathlib import Path

from tests import session  # noqa: F401  before the settings

ROOT = Path(__file__).resolve().parents[3]


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "svq_site.settings")
    from svq_site.database.database import start_embedded

    start_embedded()
    import django

    django.setup()
    from tests.conftest import documents_kept_in
    from tests.database import connected_to, empty_database, migrate
    from tests.processes import url_of_test_database
    from tests.svq_site.upgrades import dumps

    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    to = dumps.FOLDER / f"{version}.sql.xz"
    with empty_database() as name, tempfile.TemporaryDirectory() as folder:
        migrate(name)
        with connected_to(name), documents_kept_in(Path(folder)):
            fill()
            dumps.write(url_of_test_database(), to)
    print(f"{to}: {to.stat().st_size / 1024:,.0f} KB")


def fill() -> None:
    from chat.services import ask
    from datasources.models import Membership, Role
    from datasources.services import create_datasource
    from ingestion.adding.upload import accept_upload
    from tests.conftest import run_jobs
    from tests.people import person
    from tests.svq_site.upgrades import dumps
    from tests.world import make_world

    alice, bob, charlie = map(person, ("alice", "bob", "charlie"))
    contracts = create_datasource(alice, "Contracts")
    Membership.objects.create(datasource=contracts, user=bob, role=Role.VIEWER)
    make_world(contracts, alice, bob, charlie)
    agreements = create_datasource(alice, dumps.DATASOURCE)
    with dumps.DOCUMENT.open("rb") as file:
        accept_upload(agreements, alice, dumps.DOCUMENT.name, file)
    run_jobs()
    ask(alice, agreements, dumps.QUESTION)
    run_jobs()


if __name__ == "__main__":
    main()

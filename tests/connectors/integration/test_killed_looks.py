"""A worker that is killed in the middle of a look: what was there stays, and the next look goes on."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from datasources.models import Datasource
from datasources.services import create_datasource
from exchange.connectors import following, services
from exchange.connectors.kinds.kind import Kind
from exchange.connectors.models import Connector, Status
from exchange.connectors.sources import site as sites
from providers.connections.services import allow_owners
from tests.connectors.git_server import GitServer, Repository
from tests.connectors.site_server import Said, SiteServer, page
from tests.people import person
from tests.processes import url_of_test_database, with_models

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[3]
PATHS = ("/a", "/b", "/c")


@pytest.fixture
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, str, Any]]:
    """Kind and address of three files, and how one of them is deleted there."""
    if request.param == Kind.SITE:
        with SiteServer() as site:
            site.pages |= {path: page(path, f"Text of {path}") for path in PATHS}
            site.maps(*PATHS)
            yield Kind.SITE, site.address, lambda: site.pages.update({"/c": Said(status=410)})
    else:
        repository = Repository(tmp_path / "matters")
        repository.commit({f"{path[1:]}.txt": f"Text of {path}" for path in PATHS})
        with GitServer(repository) as server:
            yield Kind.GIT, server.address, lambda: repository.commit({"c.txt": None})


def killed(connector: Connector, folder: Path, function: str) -> None:
    """A worker at its look, killed before it calls this function for the second time."""
    environment = {
        "DATABASE_URL": url_of_test_database(),
        "SVQ_DATA_DIR": str(with_models(folder)),
        "DJANGO_SETTINGS_MODULE": "svq_site.settings",
        "SVQ_FETCH_WEB_PAGES": "yes",
        "TMPDIR": str(folder),
    }
    look = (
        "from tests.killed import at_function; from svq_site.host.memory import load_apps; load_apps()\n"
        "from tests.faults.happenings import HAPPENINGS; from exchange.connectors import following\n"
        f"at_function('exchange.connectors.taking', {function!r}, 'before', 2, HAPPENINGS['kill'])\n"
        f"following.carry_on({connector.pk})"
    )
    ended = subprocess.run(
        [sys.executable, "-c", look], cwd=ROOT, env=os.environ | environment, capture_output=True, text=True
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr


def looked_at(connector: Connector) -> Datasource:
    following.carry_on(connector.pk)
    connector.refresh_from_db()
    assert (connector.status, connector.error) == (Status.IDLE, None)
    return connector.datasource


def stems(datasource: Datasource) -> list[str]:
    names = datasource.documents.current().values_list("filename", flat=True)
    return sorted(name.partition(".")[0] for name in names)


@pytest.mark.parametrize("place", [Kind.SITE, Kind.GIT], indirect=True)
def test_a_killed_look_loses_nothing(
    place: tuple[str, str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.FETCH_WEB_PAGES = True
    monkeypatch.setattr(sites, "GAP", 0.0)
    allow_owners(connect=False, private_addresses=False, private_connectors=True)
    owner: User = person("olga")
    kind, address, delete_one = place
    connector = services.connect(create_datasource(owner, "Matters"), kind, address, by=owner)
    killed(connector, tmp_path, "_keep")
    assert stems(connector.datasource) == ["a"], "a document and its row are written together"
    assert stems(looked_at(connector)) == ["a", "b", "c"]
    delete_one()
    services.look_now(connector)
    assert stems(looked_at(connector)) == ["a", "b"]

"""A folder of the server that is followed, and what is in the datasource because of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from connectors.models import Connector, Kind
from connectors.services import connect
from datasources.models import Datasource


@pytest.fixture
def chief(alice: User) -> User:
    """alice, who is an administrator as well: only they connect folders of the server."""
    alice.is_superuser = True
    alice.save(update_fields=["is_superuser"])
    return alice


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    """Released by the operator, and empty."""
    settings.CONNECTOR_FOLDERS = [str(tmp_path / "released")]
    made = tmp_path / "released" / "matter"
    made.mkdir(parents=True)
    return made


@pytest.fixture
def connected(chief: User, contracts: Datasource, folder: Path) -> Callable[..., Connector]:
    def make(**how: Any) -> Connector:
        return connect(contracts, Kind.FOLDER, str(folder), by=chief, **how)

    return make

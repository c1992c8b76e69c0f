"""A folder of the server that is followed, and what is in the datasource because of it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from datasources.models import Datasource
from exchange.connectors.kinds.kind import Kind
from exchange.connectors.models import Connector
from exchange.connectors.services import connect


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


@pytest.fixture
def alone(contracts: Datasource) -> Datasource:
    """Nobody but its owner reads it, who gives the key."""
    contracts.memberships.all().delete()
    return contracts

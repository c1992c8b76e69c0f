"""The world of `tests.world`, made once for all tests of a module, which undo their changes: it takes long.

A test module says `pytest_plugins = ["tests.shared_world"]` and takes `shared_world`.
"""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction

from datasources.models import Membership, Role
from datasources.services import create_datasource
from tests.conftest import documents_kept_in, in_folder, store_documents
from tests.people import KEPT, begin_session, person
from tests.world import make_world


@pytest.fixture(scope="module")
def world_and_files(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: Any
) -> Iterator[tuple[SimpleNamespace, Path]]:
    """And where its files are."""
    folder = tmp_path_factory.mktemp("documents")
    with documents_kept_in(folder), django_db_blocker.unblock(), transaction.atomic():
        # As the transaction around a test does: what must not be nested in another one may be in this.
        transaction.get_connection().atomic_blocks[-1]._from_testcase = True
        alice, bob, charlie = map(person, ("alice", "bob", "charlie"))
        contracts = create_datasource(alice, "Contracts")
        Membership.objects.create(datasource=contracts, user=bob, role=Role.VIEWER)
        made = make_world(contracts, alice, bob, charlie)
        people = [user for user in made.people.values() if user]
        KEPT.update({(user.pk, user.get_session_auth_hash()): begin_session(user) for user in people})
        yield made, folder
        KEPT.clear()
        transaction.set_rollback(True)


@pytest.fixture
def shared_world(world_and_files: tuple[SimpleNamespace, Path], settings: Any, db: None) -> SimpleNamespace:
    made, folder = world_and_files
    store_documents(settings, in_folder(folder))
    cache.clear()  # throttles count there
    return made

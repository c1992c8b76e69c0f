"""A page that waits for somebody else's server holds no connection to the database meanwhile."""

from dataclasses import replace
from typing import NoReturn

import pytest
from django.core.exceptions import ValidationError
from django.db import connections

from accounts.models import User
from datasources.models import Datasource
from exchange.connectors import trying
from exchange.connectors.kinds.kind import Opening
from exchange.connectors.kinds.registry import kind_of
from exchange.connectors.models import Kind
from exchange.connectors.sources.source import SourceError

pytestmark = pytest.mark.django_db(transaction=True)


def test_no_connection_is_held_while_a_place_is_tried(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = connections["default"]  # of this thread
    held: list[bool] = []

    def opened(how: Opening) -> NoReturn:
        held.append(own.connection is not None)
        raise SourceError("unreachable", "It is away.", "")

    kind = replace(kind_of(Kind.WEBDAV), open=opened)
    monkeypatch.setattr(trying, "kind_of", lambda name: kind)
    assert own.connection is not None
    with pytest.raises(ValidationError, match="It is away"):
        trying.connect(contracts, Kind.WEBDAV, "https://files.example/dav/", by=alice, secret="x")
    assert held == [False]

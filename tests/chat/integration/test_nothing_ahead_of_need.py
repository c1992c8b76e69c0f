"""While questions wait, nothing is made that nobody has asked for yet."""

import asyncio
from pathlib import Path

import pytest
from django.conf import settings

from accounts.models import User
from chat import services
from chat.models import Citation, Turn
from chat.turns import turn_run
from chat.turns.run import run_turn
from chat.turns.tasks import lead_on
from datasources.models import Datasource
from ingestion.adding.upload import accept_upload

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def agreement(contracts: Datasource, alice: User, work: object) -> Datasource:
    path = settings.BASE_DIR / "samples" / "amendment-no-1.pdf"
    with Path(path).open("rb") as file:
        accept_upload(contracts, alice, path.name, file)
    work()  # type: ignore[operator]
    return contracts


@pytest.mark.parametrize("waits", [False, True])
def test_pictures_and_follow_ups_wait_too(
    agreement: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch, *, waits: bool
) -> None:
    drawn: list[Citation] = []
    monkeypatch.setattr(turn_run, "_make_preview", drawn.append)
    if waits:
        services.ask(alice, agreement, "Who signs?")
    turn = services.ask(alice, agreement, "What is the Early Termination Charge?", queued=False)
    asyncio.run(run_turn(turn.pk))
    turn.refresh_from_db()
    assert turn.citations.exists()
    assert (not drawn) is waits
    lead_on(str(turn.pk))
    assert (Turn.objects.get(pk=turn.pk).follow_ups is None) is waits

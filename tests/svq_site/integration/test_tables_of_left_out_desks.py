"""Whatever starts SVQ refuses to while there are tables of a desk that is left out, and `doctor` says so."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from svq_site.host import doctor
from svq_site.management.commands import web, worker
from tests.desks import WITH_ALL

pytestmark = [pytest.mark.django_db(transaction=True), WITH_ALL]
TOLD = "SVQ_LEAVE_OUT names “tables”, and the database has tables of it. Start with it."


@pytest.fixture(autouse=True)
def without_tables(settings: Any) -> None:
    settings.LEFT_OUT = frozenset({"tables"})


@pytest.mark.parametrize("command", ["web", "worker", "upkeep"])
def test_no_process_starts(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def begun(*_given: Any) -> None:
        raise AssertionError(f"{command} has begun")

    monkeypatch.setattr(web.model_files, "prepare", begun)
    monkeypatch.setattr(worker, "die_with_parent", begun)
    with pytest.raises(CommandError, match=TOLD):
        call_command(command)


def test_the_check_that_up_makes_says_the_same() -> None:
    with pytest.raises(CommandError) as refused:
        call_command("check", databases=["default"], tags=["database"], stdout=StringIO())
    assert TOLD in " ".join(str(refused.value).split()).replace("HINT: ", "")


def test_doctor_says_it(settings: Any) -> None:
    finding = doctor.desks()
    assert not finding.ok
    assert TOLD in f"{finding.detail} {finding.advice}"
    settings.LEFT_OUT = frozenset()
    assert doctor.desks().ok

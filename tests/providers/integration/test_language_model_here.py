"""A language model on this server: from the page that installs it to an answer, and what it survives."""

import asyncio
import io
import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from chat.models import Turn, TurnStatus
from chat.services import ask
from chat.turns.run import run_turn
from datasources.models import Datasource
from ingestion.adding.upload import accept_upload
from providers.connections.dialects import remember
from providers.connections.models import Connection, ModelDialect
from providers.gguf import engine, memory, running
from providers.gguf.running import Running, State
from providers.health import Level, health_of
from providers.local_models import choice, store, transfer
from providers.local_models import language_model as waiting
from providers.local_models.errors import NotInstalled
from providers.local_models.roles import LocalRole
from providers.measuring import measure_language_model
from providers.protocols.dialect import Dialect, Rung
from providers.roles import ModelRole, endpoint
from svq_site.host import language_model as keeper
from svq_site.host.language_model import LanguageModel
from svq_site.host.supervisor import Child, Supervisor
from tests.people import browser_of
from tests.processes import PATIENCE, lives
from tests.providers.hub_server import REPOSITORY, HubServer
from tests.providers.small_gguf import language_model
from tests.providers.small_models import COMMIT

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not engine.is_here(), reason="llama.cpp is not installed here"),
]
SENTENCE = "The tenant pays a rent of 900 pounds on the first day of each month."
QUESTION = "How much rent does the tenant pay?"


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "root", lambda: tmp_path / "installed")
    monkeypatch.setattr(transfer, "PAUSE", 0.0)
    monkeypatch.setattr(keeper, "LOOK_SECONDS", 0.1)
    monkeypatch.setattr(waiting, "COMING", 0.5)


@pytest.fixture
def administrator(alice: User) -> Client:
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    return browser_of(alice)


def installed(tmp_path: Path, name: str = "acme/small") -> str:
    """Its identity, installed from a file and used."""
    file = language_model(tmp_path / f"{name.replace('/', '-')}.gguf", **{"general.name": name})
    call_command("models", "install", "chat", name, "--from", str(file), "--use", "--yes")
    return choice.used(LocalRole.CHAT)


def answered(person: User, datasource: Datasource) -> Turn:
    """A question as a worker answers it."""
    turn = ask(person, datasource, QUESTION, queued=False, fresh=True)
    asyncio.run(run_turn(turn.pk))
    turn.refresh_from_db()
    return turn


class Up:
    """What `up` does with the language model, as far as `until` says."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.supervisor = Supervisor({}, self.said.append)
        self.keeper = LanguageModel(self.supervisor, self.said.append)

    def run(self, *steps: Callable[[], Any]) -> None:
        """One step after the other, each until it gives something true; then all is stopped."""
        left = list(steps)
        deadline = time.monotonic() + 3 * PATIENCE

        def step() -> None:
            assert time.monotonic() < deadline, self.said
            if left and left[0]():
                left.pop(0)
            if not left:
                self.supervisor.stopping.set()

        self.supervisor.run(self.keeper.look, step)

    def ready(self) -> Running | None:
        now = running.last_known(store.running_folder())
        return now if now and now.state == State.READY else None

    def pid(self) -> int:
        return self.supervisor.pids()[0]


def test_an_answer_of_a_real_model_is_never_worse_than_quotes_and_a_killed_one_comes_back(
    contracts: Datasource, alice: User, work: Any, tmp_path: Path
) -> None:
    accept_upload(contracts, alice, "lease.txt", io.BytesIO(SENTENCE.encode()))
    work()
    identity = installed(tmp_path)
    assert endpoint(contracts, ModelRole.JUDGE) == endpoint(contracts, ModelRole.AGENT), "it judges as well"
    up, pids, turns = Up(), list[int](), list[Turn]()

    def asked() -> bool:
        turns.append(answered(alice, contracts))
        return True

    def measured() -> bool:
        measure_language_model()
        return True

    def killed() -> bool:
        pids.append(up.pid())
        os.kill(pids[0], signal.SIGKILL)
        return True

    def another() -> bool:
        return bool(up.ready() and up.supervisor.pids() and up.pid() not in pids)

    up.run(up.ready, asked, measured, killed, another, asked)
    for turn in turns:
        assert turn.usage["completion_tokens"] > 0, "the model has written"
        assert turn.status == TurnStatus.QUOTES, turn.error_message
        assert {notice["code"] for notice in turn.notices} == {"declined"}, "nothing proves random words"
        assert "900 pounds" in turn.answer, "what its random words did not say, the document does"
    assert any("was ended by SIGKILL. It starts again" in line for line in up.said)
    assert not any(lives(pid) for pid in up.supervisor.pids())
    measure = "providers.measuring.measure_language_model"
    assert ProcrastinateJob.objects.filter(task_name=measure).exists(), "it is tested by itself"
    assert ModelDialect.objects.get(address="", model=identity).reads > 0
    later = answered(alice, contracts)
    assert later.status == TurnStatus.QUOTES, "without `up` the documents' own words answer"
    assert "900 pounds" in later.answer


def test_the_page_installs_one_from_the_hub_and_removing_it_frees_the_disk(
    administrator: Client, settings: Any, tmp_path: Path, work: Any
) -> None:
    language_model(tmp_path / "source/small-Q4_K_M.gguf")
    page, models = reverse("installed_models"), reverse("models")
    assert "role=chat#known" in administrator.get(reverse("account_settings")).content.decode()
    asked = {"role": "chat", "name": REPOSITORY, "use": "on"}
    with HubServer(tmp_path / "source") as hub:
        settings.HUB_URL = hub.address
        looked = administrator.post(page, asked).content.decode()
        assert "of memory while it runs" in looked
        assert "Each file is checked by its hash" in looked
        form = re.search(r'name="shown" value="([^"]*)"', looked)
        assert form
        administrator.post(page, {**asked, "install": "1", "commit": COMMIT, "shown": form[1]})
        work()
    identity = choice.used(LocalRole.CHAT)
    told = administrator.get(page).content.decode()
    assert identity in told
    assert "in use for: Answers" in told
    assert "Its speed is not measured yet" in told
    assert "Not running" in told, "nothing runs it in this test"
    assert "Quotes only" not in told
    assert "Installed on this server" in administrator.get(models).content.decode()
    assert "Installed on this server" in administrator.get(reverse("models_found")).content.decode()
    use = {"role": "chat", "model": identity, "job": "judge"}
    administrator.post(reverse("use_installed_model"), use)
    administrator.post(reverse("models_disconnect"), {"role": "agent"})
    assert endpoint(None, ModelRole.AGENT) is None
    judge = endpoint(None, ModelRole.JUDGE)
    assert judge
    assert judge.model == identity, "it may have one job alone"
    remember("", identity, Dialect(rung=Rung.PLAIN, reads=90, writes=20))
    assert "Reads 90 tokens a second and writes 20" in administrator.get(page).content.decode()
    administrator.post(reverse("remove_installed_model"), {"role": "chat", "model": identity})
    assert store.installed(), "it is in use"
    administrator.post(reverse("use_installed_model"), {"role": "chat"})
    assert "Quotes only" in administrator.get(page).content.decode()
    administrator.post(reverse("remove_installed_model"), {"role": "chat", "model": identity})
    assert not list((store.root() / "chat").iterdir()), "the disk is free again"
    assert not ModelDialect.objects.exists()


def test_one_runs_at_a_time_and_the_next_takes_over_what_it_did(tmp_path: Path) -> None:
    first = installed(tmp_path)
    choice.use(store.matching(LocalRole.CHAT, first)[0], choice.TO_CHOOSE_FROM)
    assert choice.roles_of(first) == ["agent", ""]
    second = installed(tmp_path, "acme/other")
    assert choice.roles_of(second) == ["agent", ""]
    assert Connection.objects.count() == 1
    wanted = choice.wanted()
    assert wanted
    assert wanted.identity == second


def test_where_the_machine_has_too_little_memory_it_is_refused_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    identity = installed(tmp_path)
    model = store.matching(LocalRole.CHAT, identity)[0]
    monkeypatch.setattr(memory, "available", lambda: 700 * 1024**2)
    with pytest.raises(NotInstalled, match=r"needs 0\.4 GB of memory, and 0\.5 GB must stay free"):
        choice.use(model)
    up = Up()
    with running.held(store.running_folder()):  # another command runs it: that is left alone
        up.keeper.look()
        assert running.last_known(store.running_folder()) is None
    up.run(lambda: running.last_known(store.running_folder()))
    server = endpoint(None, ModelRole.AGENT)
    assert server
    health = health_of(server, ModelRole.AGENT)
    assert (health.level, health.told) == (Level.BAD, "Does not run")
    assert "this machine has 0.7 GB available" in health.detail
    assert "this machine has 0.7 GB available" in keeper.state()
    assert not any("Starting" in line for line in up.said)


def test_one_that_dies_again_and_again_is_given_up(tmp_path: Path) -> None:
    class Dying:
        """Children that end at once."""

        def keep(self, name: str, command: list[str]) -> Child:
            child = Child(name, command)
            child.deaths = keeper.MOST_DEATHS
            return child

        def drop(self, child: Child) -> None:
            pass

    installed(tmp_path)
    said: list[str] = []
    kept = LanguageModel(Dying(), said.append)
    for _ in range(2):
        kept._looked = 0.0
        kept.look()
    assert f"has ended {keeper.MOST_DEATHS} times soon after its start" in said[-1]
    assert "Questions are answered with quotes" in said[-1]

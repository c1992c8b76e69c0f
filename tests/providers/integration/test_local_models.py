"""Installed models at work: what an administrator installs and chooses, and what people notice of it."""

import io
import json
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from citations.entailed import check_with_model, looked_up_once
from datasources.models import Datasource
from ingestion.adding.upload import accept_upload
from ingestion.indexes import reembedding
from ingestion.models import Chunk, ChunkEmbedding, SpaceStatus, VectorSpace
from providers.cross_encoders import entailment, reranker
from providers.embedders import configured_embedder, embedder
from providers.local_models import choice, services, store, transfer, trial
from providers.local_models.install import Wish, install, plan
from providers.local_models.models import Installation, InstallationStatus
from providers.local_models.roles import LocalRole
from providers.local_models.tasks import forget_installations
from providers.minilm.loaded import LOCAL_EMBEDDER
from providers.protocols import ProviderError
from providers.spending.metering import Payer
from retrieval.engine import Query, Rerank, Scope, retrieve
from tests.people import browser_of
from tests.providers.hub_server import REPOSITORY, HubServer
from tests.providers.small_models import COMMIT, embedding_model, scoring_model

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of installed models alone: the one that comes with SVQ stays where it is."""
    monkeypatch.setattr(store, "root", lambda: tmp_path / "installed")
    monkeypatch.setattr(transfer, "PAUSE", 0.0)


def command(*words: str) -> str:
    out = io.StringIO()
    call_command("models", *words, stdout=out)
    return out.getvalue()


def installed(folder: Path, role: LocalRole, name: str) -> str:
    """Installed from a folder and used from now on; its identity."""
    command("install", role, name, "--from", str(folder), "--use")
    return choice.used(role)


@pytest.mark.django_db(transaction=True)
def test_passages_are_embedded_again_by_an_installed_model_of_another_size(
    contracts: Datasource, alice: User, work: Any, tmp_path: Path
) -> None:
    accept_upload(contracts, alice, "note.txt", io.BytesIO(b"The tenant pays the rent. The cat sleeps."))
    work()
    contracts.refresh_from_db()
    assert contracts.embedding_model == LOCAL_EMBEDDER
    identity = installed(embedding_model(tmp_path / "small"), LocalRole.EMBEDDINGS, "acme/small")
    assert configured_embedder().name == identity
    reembedding.follow_configured()
    work()
    contracts.refresh_from_db()
    assert (contracts.embedding_model, contracts.embedding_dimensions) == (identity, 8)
    current = VectorSpace.objects.get(status=SpaceStatus.CURRENT)
    assert ChunkEmbedding.objects.filter(space=current).count() == Chunk.objects.count() > 0
    scope = Scope(user_id=alice.pk, datasource_id=contracts.pk)
    assert retrieve(Query(text="who pays the rent"), scope, embedder(contracts)).evidence
    with pytest.raises(CommandError, match="is in use"):
        command("remove", "embeddings", "acme/small")
    assert "No installed model is used" in command("use", "embeddings", "built-in")
    with pytest.raises(CommandError, match="There are vectors by acme/small"):
        command("remove", "embeddings", "small")
    VectorSpace.objects.filter(pk=current.pk).update(model="other")
    assert "is removed" in command("remove", "embeddings", identity)
    assert not store.installed()
    with pytest.raises(ProviderError, match="Install it again"):
        embedder(contracts).embed(["rent"])


@pytest.mark.django_db(transaction=True)
def test_an_installed_reranker_puts_passages_in_order(
    contracts: Datasource, alice: User, work: Any, tmp_path: Path
) -> None:
    for name in ("cat", "tenant", "landlord"):
        text = f"This is about who pays the rent: the {name} does.".encode()
        accept_upload(contracts, alice, f"{name}.txt", io.BytesIO(text))
    work()
    contracts.refresh_from_db()
    folder = scoring_model(tmp_path / "cross", {"tenant": [-9], "landlord": [5], "cat": [0]})
    identity = installed(folder, LocalRole.RERANK, "acme/cross")
    scope = Scope(user_id=alice.pk, datasource_id=contracts.pk)
    query = Query(text="who pays the rent", rerank=Rerank.BGE)
    result = retrieve(query, scope, embedder(contracts))
    assert result.reranked
    assert [each.document_title for each in result.evidence] == ["landlord", "cat", "tenant"]
    model = reranker(Payer())
    assert model
    assert model.name == identity
    store.delete(store.installed()[0])
    result = retrieve(query, scope, embedder(contracts))
    assert "Install it again" in result.rerank_failed, "the passages stand, and the reason is told"
    assert len(result.evidence) == 3


def test_a_claim_is_green_only_where_the_installed_model_agrees(
    tmp_path: Path, django_assert_num_queries: Any
) -> None:
    claim = quote = "The tenant pays the rent"
    assert check_with_model(claim, quote).support == "supported"
    labels = ["contradiction", "entailment", "neutral"]
    agrees = scoring_model(tmp_path / "yes", {"rent": [0, 9, 0]}, labels)
    installed(agrees, LocalRole.ENTAILMENT, "acme/yes")
    check = check_with_model(claim, quote)
    assert check.support == "supported"
    assert check.checks[-1].name == "model of entailment"
    chosen = looked_up_once()
    assert check_with_model(claim, quote, chosen=chosen).support == "supported"
    with django_assert_num_queries(0):  # the next claim of the same answer
        assert check_with_model(claim, quote, chosen=chosen).checks[-1].name == "model of entailment"
    denies = scoring_model(tmp_path / "no", {"rent": [0, 0, 9]}, labels)
    identity = installed(denies, LocalRole.ENTAILMENT, "acme/no")
    check = check_with_model(claim, quote)
    assert (check.support, check.checks[-1].passed) == ("needs_your_eye", False)
    assert check.reason == f"{identity} does not find that the claim follows from the quote."
    pairs = tmp_path / "pairs.jsonl"
    pairs.write_text(json.dumps({"claim": claim, "quote": quote}))
    out = io.StringIO()
    call_command("check_claims", str(pairs), "--entailment", stdout=out)
    assert json.loads(out.getvalue())["support"] == "needs_your_eye"
    wrong = check_with_model("The tenant does not pay the rent", quote)
    assert wrong.support == "contradicted", "what the code refuses, no model makes green"
    store.delete(store.matching(LocalRole.ENTAILMENT, identity)[0])
    assert "could not be asked" in check_with_model(claim, quote).reason
    command("use", "entailment", "built-in")
    assert entailment() is None
    assert check_with_model(claim, quote).support == "supported"


def test_the_list_says_what_is_installed_used_and_known(tmp_path: Path) -> None:
    assert "No model is installed" in command("list")
    folder = scoring_model(tmp_path / "cross", {"rent": [1]})
    told = command("install", "rerank", "acme/cross", "--from", str(folder))
    assert re.search(r"^  config.json  \d+ kB$", told, re.MULTILINE)
    assert re.search(r"^\d+ kB in all; [\d,.]+ MB of the disk are free", told, re.MULTILINE)
    assert "The source does not give a hash for every file." in told
    assert "manage.py models use rerank acme/cross@" in told
    rows = json.loads(command("list", "--json"))
    assert [(row["name"], row["used"]) for row in rows["installed"]] == [("acme/cross", False)]
    command("use", "rerank", "cross")
    assert "in use" in command("list")
    assert {row["role"] for row in rows["known"]} == {"chat", "embeddings", "rerank", "entailment"}
    with pytest.raises(CommandError, match="No model “other” is installed"):
        command("use", "rerank", "other")


@pytest.fixture
def administrator(alice: User) -> Client:
    User.objects.filter(pk=alice.pk).update(is_superuser=True, is_staff=True)
    return browser_of(alice)


def shown(page: Any, name: str) -> str:
    """A hidden field of the form that shows what would be fetched."""
    found = re.search(rf'name="{name}" value="([^"]*)"', page.content.decode())
    assert found, page.content.decode()
    return found[1]


@pytest.mark.django_db(transaction=True)
def test_the_page_shows_what_comes_then_installs_it_and_tells_why_not(
    administrator: Client, settings: Any, tmp_path: Path, work: Any
) -> None:
    page = reverse("installed_models")
    asked = {"role": "rerank", "name": REPOSITORY, "use": "on"}
    with HubServer(scoring_model(tmp_path / "source", {"rent": [3]})) as hub:
        settings.HUB_URL = hub.address
        looked = administrator.post(page, asked)
        assert b"Commit" in looked.content
        assert COMMIT[:12].encode() in looked.content
        assert b"Each file is checked by its hash" in looked.content
        assert not Installation.objects.exists()
        confirmed = {**asked, "install": "1", "commit": COMMIT, "shown": shown(looked, "shown")}
        changed = administrator.post(page, {**confirmed, "name": "acme/other"})
        assert (changed.status_code, Installation.objects.count()) == (422, 0), (
            "another one is looked up first"
        )
        hub.swapped.add("config.json")
        administrator.post(page, confirmed)
        assert "Waiting for its turn" in administrator.get(page).content.decode()
        work()
        told = administrator.get(reverse("installed_models_state")).content.decode()
        assert "is not what its source says it is" in told
        assert "hx-trigger" not in told, "nothing is on its way any more"
        hub.swapped.clear()
        row = Installation.objects.get()
        administrator.post(reverse("change_installation"), {"number": row.pk, "retry": "1"})
        work()
    assert not Installation.objects.exists()
    identity = store.installed(LocalRole.RERANK)[0].identity
    assert choice.used(LocalRole.RERANK) == identity
    assert identity in administrator.get(page).content.decode()
    assert "Installed on this server" in administrator.get(reverse("models")).content.decode()
    removal = {"role": "rerank", "model": identity}
    administrator.post(reverse("remove_installed_model"), removal)
    assert store.installed(), "it is in use"
    administrator.post(reverse("use_installed_model"), {"role": "rerank"})
    assert (
        "Remove acme/small?" in administrator.get(reverse("remove_installed_model"), removal).content.decode()
    )
    administrator.post(reverse("remove_installed_model"), removal)
    assert not store.installed()


@pytest.mark.django_db(transaction=True)
def test_what_was_installed_before_its_worker_was_killed_is_not_fetched_again(
    settings: Any, tmp_path: Path, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        trial, "tried", lambda *given: (0, given[-1])
    )  # a child process for each takes seconds
    with HubServer(scoring_model(tmp_path / "source", {"rent": [3]})) as hub:
        settings.HUB_URL = hub.address
        planned = plan(Wish(role=LocalRole.RERANK, name=REPOSITORY))
        services.begin(planned, use=True)
        identity = install(planned).identity
        hub.requests.clear()
        work()
        assert not hub.requests
        assert not Installation.objects.exists()
        assert choice.used(LocalRole.RERANK) == identity
        services.begin(planned, use=False)
        Installation.objects.update(begun=timezone.now() + timedelta(minutes=1))
        work()
        assert hub.requests, "who asks again after it was installed gets it anew"


def test_an_installation_that_failed_long_ago_leaves_no_files(db: None) -> None:
    for name, days in (("acme/old", 15), ("acme/new", 13)):
        row = Installation.objects.create(role=LocalRole.RERANK, name=name, status=InstallationStatus.FAILED)
        Installation.objects.filter(pk=row.pk).update(begun=timezone.now() - timedelta(days=days))
        folder = store.partial_folder(LocalRole.RERANK, name, COMMIT)
        folder.mkdir(parents=True)
        (folder / "model.onnx.part").write_bytes(b"half of it")
    forget_installations(0)
    assert [row.name for row in Installation.objects.all()] == ["acme/new"]
    assert not store.partial_folder(LocalRole.RERANK, "acme/old", COMMIT).exists()
    assert store.partial_folder(LocalRole.RERANK, "acme/new", COMMIT).exists()


def test_the_page_takes_no_address_of_a_private_network(administrator: Client) -> None:
    for address in ("http://127.0.0.1:9/files", "http://169.254.169.254/latest", "file:///etc"):
        told = administrator.post(
            reverse("installed_models"), {"role": "embeddings", "name": "a/b", "address": address}
        )
        assert told.status_code == 422, address
    assert not Installation.objects.exists()

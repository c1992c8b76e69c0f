"""More than one model: offered by an administrator, chosen for a datasource or for a question."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from chat import services as chat
from chat.models import Turn
from datasources.models import Datasource
from datasources.services import create_datasource
from ingestion.indexes import reembedding
from ingestion.lifecycle.purging import purge_datasource
from ingestion.models import SpaceStatus, VectorSpace
from providers.connections import services
from providers.connections.models import Assignment, Connection
from providers.connections.services import Offer
from providers.cross_encoders import reranker
from providers.embedders import configured_embedder, embedder, embedder_named
from providers.roles import ModelRole, choices_of, endpoint
from providers.spending.metering import Payer
from providers.spending.models import Spending
from providers.text_recognisers import text_recogniser
from retrieval.asker import asker_of
from retrieval.engine.embedders import SharedEmbedders
from retrieval.engine.reranking import reranked
from retrieval.query import Rerank, Scope
from tests.answering.agent import passage
from tests.openai_server import ScriptedOpenAI
from tests.people import PASSWORD, browser_of
from tests.rerank_server import RerankServer
from tests.rest import Api
from text.pictures import PictureText

pytestmark = pytest.mark.django_db


def offer(model: str, address: str = "https://api.example.org/v1", **more: Any) -> Offer:
    return Offer(provider="other", address=address, key="sk-1", model=model, **more)


def model_of(datasource: Datasource | None, role: ModelRole = ModelRole.AGENT) -> str:
    server = endpoint(datasource, role)
    return server.model if server else ""


@pytest.fixture
def usual(db: None) -> Connection:
    return services.connect("agent", offer("usual"))


@pytest.fixture
def other(usual: Connection) -> Connection:
    return services.connect("", offer("other"))


def choose(person: User, datasource: Datasource, **roles: Any) -> Any:
    return browser_of(person).post(reverse("choose_models", args=[datasource.pk]), roles, follow=True)


def test_owners_choose_among_what_is_offered(
    contracts: Datasource, alice: User, bob: User, usual: Connection, other: Connection
) -> None:
    page = browser_of(alice).get(reverse("settings_section", args=[contracts.pk, "models"])).content.decode()
    assert "other at api.example.org, text leaves this network" in page
    choose(alice, contracts, agent=other.pk, judge="")
    assert [model_of(contracts, role) for role in (ModelRole.AGENT, ModelRole.JUDGE)] == ["other", "other"]
    assert model_of(None) == "usual"
    assert browser_of(bob).post(reverse("choose_models", args=[contracts.pk])).status_code == 403
    choose(alice, contracts, judge=other.pk)
    choose(alice, contracts, agent="")
    assert [model_of(contracts, role) for role in (ModelRole.AGENT, ModelRole.JUDGE)] == ["usual", "other"]


def test_programs_choose_as_well(
    contracts: Datasource, alice: User, bob: User, usual: Connection, other: Connection
) -> None:
    path = f"data-sources/{contracts.pk}/models/roles"
    before = {row["role"]: row for row in Api(alice).get(path).json()}
    assert before["agent"] == {"role": "agent", "model": "usual", "chosen": None, "offered": [other.pk]}
    after = {row["role"]: row for row in Api(alice).send("PATCH", path, {"agent": other.pk}).json()}
    assert (after["agent"]["model"], after["agent"]["chosen"]) == ("other", other.pk)
    assert Api(alice).send("PATCH", path, {"judge": usual.pk}).json()["code"] == "model_unknown"
    assert model_of(contracts) == "other"
    assert Api(bob).send("PATCH", path, {"agent": None}).status_code == 403
    Api(alice).send("PATCH", path, {"agent": None})
    assert model_of(contracts) == "usual"


def test_programs_ask_with_a_model_of_their_choice(
    contracts: Datasource, alice: User, usual: Connection, other: Connection
) -> None:
    path = f"data-sources/{contracts.pk}/ask"
    Api(alice).post(path, {"question": "Why?", "model": other.pk, "wait": False})
    assert Turn.objects.get().chosen_model == other.pk
    refused = Api(alice).post(path, {"question": "Why?", "model": usual.pk, "wait": False})
    assert (refused.status_code, refused.json()["code"]) == (400, "model_unknown")


def test_what_is_not_offered_cannot_be_chosen(contracts: Datasource, alice: User, usual: Connection) -> None:
    refused = choose(alice, contracts, agent=usual.pk).content.decode()
    assert "not offered here" in refused
    assert not Assignment.objects.filter(datasource=contracts.pk).exists()


def test_a_withdrawn_model_leaves_no_key_behind(
    contracts: Datasource, alice: User, usual: Connection, other: Connection
) -> None:
    root = User.objects.create_superuser("root@example.org", PASSWORD)
    choose(alice, contracts, agent=other.pk)
    address = reverse("models_disconnect")
    asked = browser_of(root).get(address, {"role": "", "model": str(other.pk)}).content.decode()
    assert "Withdraw other?" in asked
    nothing = browser_of(root).post(address, {"role": "", "model": "9" * 5000})
    assert nothing.status_code == 302, "a number that no model has"
    browser_of(root).post(address, {"role": "", "model": other.pk})
    assert model_of(contracts) == "usual"
    assert not Connection.objects.filter(model="other").exists()


def test_people_choose_a_model_for_a_question(
    contracts: Datasource, alice: User, usual: Connection, other: Connection, settings: Any
) -> None:
    assert choices_of(contracts) == [other]
    turn = chat.ask(alice, contracts, "Why?", chosen_model=other.pk, queued=False)
    assert endpoint(contracts, ModelRole.AGENT, chosen=turn.chosen_model) != endpoint(
        contracts, ModelRole.AGENT
    )
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://here/v1", "only"
    assert choices_of(contracts) == []
    chosen = endpoint(contracts, ModelRole.AGENT, chosen=other.pk)
    assert chosen
    assert chosen.model == "only"


def test_what_an_owner_chose_for_answers_is_the_only_place_that_text_goes(
    contracts: Datasource, alice: User, usual: Connection, other: Connection
) -> None:
    third = services.connect("", offer("third"))
    choose(alice, contracts, agent=other.pk)
    assert choices_of(contracts) == []
    server = endpoint(contracts, ModelRole.AGENT, chosen=third.pk)
    assert server
    assert server.model == "other"


def test_the_environment_wins_over_the_owner(
    contracts: Datasource, alice: User, usual: Connection, other: Connection, settings: Any
) -> None:
    choose(alice, contracts, agent=other.pk)
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://here/v1", "only"
    assert model_of(contracts) == "only"


def test_choices_go_with_their_datasource(
    contracts: Datasource, alice: User, usual: Connection, other: Connection
) -> None:
    choose(alice, contracts, agent=other.pk)
    purge_datasource(contracts, alice)
    assert not Assignment.objects.exclude(datasource=0).exists()


def test_embeddings_are_connected_in_the_browser_and_the_old_vectors_stay_searchable(db: None) -> None:
    root = browser_of(User.objects.create_superuser("root@example.org", PASSWORD))
    with ScriptedOpenAI([]) as server:
        form = {"provider": "other", "role": "embeddings", "address": server.base_url, "timeout": "60"}
        tested = root.post(reverse("models"), form | {"model": "first", "test": "1"}).content.decode()
        assert "Vectors of 32 numbers" in tested
        root.post(reverse("models"), form | {"model": "first", "use": "1"})
        assert configured_embedder().name == "first"
        root.post(reverse("models"), form | {"model": "second", "use": "1"})
        assert configured_embedder().name == "second"
        assert embedder_named("first", 32, Payer()).embed(["rent"]).shape == (1, 32)
        asked = root.get(reverse("models_disconnect"), {"role": "embeddings"}).content.decode()
        assert "its key stays until then" in asked
        assert "Its key is deleted" not in asked
        root.post(reverse("models_disconnect"), {"role": "embeddings"})
    assert endpoint(None, ModelRole.EMBEDDINGS) is None
    assert "all-MiniLM-L6-v2" in root.get(reverse("models")).content.decode()


def test_the_key_of_disconnected_embeddings_goes_with_the_last_vectors_by_them(contracts: Datasource) -> None:
    services.connect("embeddings", offer("first"))
    values = {"model": "first", "dimensions": 32, "status": SpaceStatus.CURRENT, "changed": timezone.now()}
    space = VectorSpace.objects.create(datasource=contracts, **values)
    services.disconnect("embeddings")
    reembedding.forget_old()
    assert endpoint(None, ModelRole.EMBEDDINGS_BEFORE)
    space.delete()
    reembedding.forget_old()
    assert not Connection.objects.exists()


def test_reranking_is_connected_in_the_browser(db: None) -> None:
    root = browser_of(User.objects.create_superuser("root@example.org", PASSWORD))
    with RerankServer() as server:
        form = {
            "provider": "other",
            "role": "rerank",
            "address": server.base_url,
            "timeout": "60",
            "model": "r",
        }
        tested = root.post(reverse("models"), form | {"test": "1"}).content.decode()
        assert "It prefers the passage that answers" in tested
        root.post(reverse("models"), form | {"use": "1"})
        model = reranker(Payer())
        assert model
        assert len(model.score("rent?", ["rent", "cat"])) == 2


def test_embedding_by_a_server_is_charged_to_the_owner(contracts: Datasource, settings: Any) -> None:
    with ScriptedOpenAI([]) as server:
        settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = server.base_url, "vectors"
        contracts.embedding_model, contracts.embedding_dimensions = "vectors", 32
        embedder(contracts).embed(["The rent is due.", "Backups are kept."])
    row = Spending.objects.get()
    assert (row.person, row.datasource, row.model) == (contracts.owner_id, contracts.pk, "vectors")
    assert row.prompt_tokens > 0 == row.completion_tokens


def test_a_first_document_s_vectors_are_charged_too(contracts: Datasource, settings: Any) -> None:
    contracts.embedding_model, contracts.embedding_dimensions = "", None
    with ScriptedOpenAI([]) as server:
        settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = server.base_url, "vectors"
        embedder(contracts).embed(["The rent is due."])
    assert Spending.objects.get().person == contracts.owner_id


def test_what_a_search_asks_of_servers_is_charged_to_who_searches(
    contracts: Datasource, bob: User, settings: Any
) -> None:
    scopes = [Scope(user_id=bob.pk, datasource_id=contracts.pk)]
    contracts.embedding_model, contracts.embedding_dimensions = "vectors", 32
    with ScriptedOpenAI([]) as server, RerankServer("jina") as ranking:
        settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = server.base_url, "vectors"
        settings.RERANK_BASE_URL, settings.RERANK_MODEL = ranking.base_url, "ranks"
        SharedEmbedders(asker_of(scopes)).of(contracts).embed(["rent"])
        found = [passage(1, "The rent is due."), passage(2, "A cat.")]
        reranked("rent", found, Rerank.BGE, scopes)
    rows = {row.model: row for row in Spending.objects.all()}
    assert {row.person for row in rows.values()} == {bob.pk}
    assert {row.datasource for row in rows.values()} == {contracts.pk}
    assert rows["ranks"].prompt_tokens == 9 * len(ranking.requests)  # as the server tells them
    assert rows["vectors"].prompt_tokens > 0


def test_several_datasources_ask_for_a_vector_once(contracts: Datasource, alice: User, settings: Any) -> None:
    other = create_datasource(alice, "Letters")
    with ScriptedOpenAI([]) as server:
        settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = server.base_url, "vectors"
        shared = SharedEmbedders(Payer.asking(alice.pk, [contracts.pk, other.pk]))
        for each in (contracts, other):
            each.embedding_model, each.embedding_dimensions = "vectors", 32
            shared.of(each).embed(["rent"])
        assert [asked["input"] for asked in server.embedding_requests].count(["rent"]) == 1
    assert Spending.objects.get().datasource == 0


def test_pages_read_by_a_server_are_counted(contracts: Datasource, settings: Any, monkeypatch: Any) -> None:
    read = PictureText(words=[], quarter_turns=0)
    monkeypatch.setattr("providers.ocr_server.OcrServer.read", lambda *_: read)
    settings.OCR_BASE_URL, settings.OCR_MODEL = "http://ocr.example.org", "reads"
    server = text_recogniser(contracts)
    assert server
    server.read(b"", [])
    row = Spending.objects.get()
    assert (row.person, row.datasource, row.model, row.calls) == (
        contracts.owner_id,
        contracts.pk,
        "reads",
        1,
    )


def test_pages_tell_where_text_of_a_datasource_may_go(contracts: Datasource, alice: User) -> None:
    here = services.connect("", offer("here", "http://localhost:11434/v1"))
    page = reverse("settings_section", args=[contracts.pk, "models"])
    assert "Quotes only." in browser_of(alice).get(page).content.decode()
    choose(alice, contracts, agent=here.pk)
    told = browser_of(alice).get(page).content.decode()
    assert "Nothing leaves this network." in told
    assert "Quotes only." not in told
    away = services.connect("", offer("away"))
    choose(alice, contracts, agent=away.pk)
    assert "Text leaves this network." in browser_of(alice).get(page).content.decode()

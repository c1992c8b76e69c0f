"""Another embedding model: answered from the old vectors until all are made, at once, and back again."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from procrastinate.contrib.django.models import ProcrastinateJob

from accounts.models import User
from datasources.models import Datasource, Document, DocumentStatus
from graph.aggregate.vector_tables import EntityVectors
from graph.models import Entity, EntityEmbedding, NameEmbedding, RelationEmbedding
from ingestion.adding.upload import accept_upload
from ingestion.indexes import reembedding
from ingestion.models import Chunk, ChunkEmbedding, SpaceStatus, VectorSpace
from jobs.runs import Stopped
from providers.embedders import embedder
from providers.minilm.loaded import LOCAL_EMBEDDER
from providers.protocols import ProviderError
from providers.protocols.embedding import AlikeEmbedder
from retrieval.legs import dense, graph
from retrieval.query import Scope
from tests.faults.harness import HOW_MANY
from tests.openai_server import ScriptedOpenAI
from tests.people import browser_of
from tests.processes import url_of_test_database, with_models

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).resolve().parents[3]
QUESTION = "Where are customers' backups kept?"


@pytest.fixture
def server() -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI(dimensions=48) as running:
        yield running


@pytest.fixture
def read(contracts: Datasource, alice: User, work: Any) -> Document:
    """A document read with the local model."""
    path = ROOT / "samples" / "security-questionnaire.pdf"
    with path.open("rb") as file:
        document = accept_upload(contracts, alice, path.name, file)[0].document
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY
    contracts.refresh_from_db()
    return document


def set_model(settings: Any, server: ScriptedOpenAI, model: str = "larger") -> None:
    settings.EMBEDDING_BASE_URL, settings.EMBEDDING_MODEL = server.base_url, model


def searched(datasource: Datasource) -> list[int]:
    """What the question finds now, as the tools of an answer would."""
    datasource = Datasource.objects.get(pk=datasource.pk)
    model = embedder(datasource)
    scope = Scope(user_id=datasource.owner_id, datasource_id=datasource.pk, embedded_by=model.name)
    vector = model.embed([QUESTION])[0]
    graph.search_entities(scope, vector)
    graph.search_relations(scope, vector)
    return [passage.chunk_id for passage in dense.search(scope, vector, 5)]


def states(datasource: Datasource) -> dict[str, str]:
    return {space.model: space.status for space in datasource.vector_spaces.all()}


def test_documents_are_answered_from_the_old_vectors_until_the_new_ones_take_over(
    contracts: Datasource, read: Document, settings: Any, server: ScriptedOpenAI, work: Any
) -> None:
    before = searched(contracts)
    set_model(settings, server)
    assert searched(contracts) == before, "a model that is only configured changes nothing"
    reembedding.follow_configured()
    assert states(contracts) == {LOCAL_EMBEDDER: "current", "larger": "filling"}
    assert searched(contracts) == before
    old = embedder(Datasource.objects.get(pk=contracts.pk))
    work()
    assert states(contracts) == {LOCAL_EMBEDDER: "kept", "larger": "current"}
    contracts.refresh_from_db()
    assert (contracts.embedding_model, contracts.embedding_dimensions) == ("larger", 48)
    assert searched(contracts)
    new = VectorSpace.objects.get(model="larger")
    for table in (ChunkEmbedding, NameEmbedding, EntityEmbedding, RelationEmbedding):
        counts = [table.objects.filter(space=space).count() for space in contracts.vector_spaces.all()]
        assert counts[0] == counts[1] > 0, table
    assert ChunkEmbedding.objects.filter(space=new).count() == Chunk.objects.count()
    # A question that was embedded before the switch is answered by the vectors it can be compared with.
    scope = Scope(user_id=contracts.owner_id, datasource_id=contracts.pk, embedded_by=old.name)
    assert [p.chunk_id for p in dense.search(scope, old.embed([QUESTION])[0], 5)] == before


def test_an_undo_locks_the_datasource_before_its_vectors(contracts: Datasource) -> None:
    with CaptureQueriesContext(connection) as asked:
        reembedding.undo(contracts)
    written = [
        each["sql"] for each in asked if "FOR NO KEY UPDATE" in each["sql"] or "UPDATE " in each["sql"]
    ]
    assert "datasources_datasource" in written[0], "a switch and a deletion take them in this order"


def test_a_change_can_be_undone_and_takes_along_what_came_since(
    contracts: Datasource, alice: User, read: Document, settings: Any, server: ScriptedOpenAI, work: Any
) -> None:
    before = searched(contracts)
    set_model(settings, server)
    reembedding.follow_configured()
    work()
    contracts.refresh_from_db()
    with (ROOT / "README.md").open("rb") as file:
        added = accept_upload(contracts, alice, "note.txt", file)[0].document
    work()
    assert Document.objects.get(pk=added.pk).status == DocumentStatus.READY
    space = reembedding.undo(contracts)
    assert space
    assert space.model == LOCAL_EMBEDDER
    work()
    assert states(contracts) == {LOCAL_EMBEDDER: "current", "larger": "kept"}
    assert set(before) & set(searched(contracts))
    current = VectorSpace.objects.get(status=SpaceStatus.CURRENT)
    assert ChunkEmbedding.objects.filter(space=current).count() == Chunk.objects.count()
    reembedding.follow_configured()
    assert states(contracts) == {LOCAL_EMBEDDER: "current", "larger": "kept"}, "a person went back"


def test_an_upload_during_the_change_is_read_and_found_before_and_after(
    contracts: Datasource, alice: User, read: Document, settings: Any, server: ScriptedOpenAI, work: Any
) -> None:
    set_model(settings, server)
    reembedding.follow_configured()
    with (ROOT / "README.md").open("rb") as file:
        added = accept_upload(contracts, alice, "note.txt", file)[0].document
    work()
    added.refresh_from_db()
    assert added.status == DocumentStatus.READY
    current = VectorSpace.objects.get(status=SpaceStatus.CURRENT)
    assert current.model == "larger"
    assert set(ChunkEmbedding.objects.filter(space=current).values_list("chunk_id", flat=True)) == set(
        Chunk.objects.values_list("pk", flat=True)
    )


MOMENTS = [
    ("graph.aggregate.vector_tables", "copy_into", "before", 1),
    ("ingestion.indexes.reembedding", "_switch", "after", 1),
]
MORE_MOMENTS = [  # by `make faults`
    ("ingestion.indexes.chunk_vectors", "copy_vectors", "after", 1),
    ("ingestion.indexes.reembedding", "_switch", "before", 1),
]


@pytest.mark.parametrize(("module", "name", "moment", "call"), MOMENTS + (MORE_MOMENTS if HOW_MANY else []))
def test_kill_9_in_the_middle_loses_nothing(
    contracts: Datasource,
    read: Document,
    settings: Any,
    server: ScriptedOpenAI,
    work: Any,
    tmp_path: Path,
    module: str,
    name: str,
    moment: str,
    call: int,
) -> None:
    before = searched(contracts)
    set_model(settings, server)
    reembedding.follow_configured()
    environment = {
        "DATABASE_URL": url_of_test_database(),
        "SVQ_DATA_DIR": str(with_models(tmp_path)),
        "DJANGO_SETTINGS_MODULE": "svq_site.settings",
        "SVQ_EMBEDDING_BASE_URL": server.base_url,
        "SVQ_EMBEDDING_MODEL": "larger",
    }
    killed = subprocess.run(
        [sys.executable, "-m", "tests.killed", module, name, moment, str(call)],
        cwd=ROOT,
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    made = ChunkEmbedding.objects.filter(space__model="larger").count()
    assert searched(contracts) == before or states(contracts)["larger"] == "current"
    asked = len(server.embedding_requests)
    ProcrastinateJob.objects.filter(status="doing").update(status="todo")  # as retry_stalled does
    work()
    assert states(contracts) == {LOCAL_EMBEDDER: "kept", "larger": "current"}
    new = VectorSpace.objects.get(model="larger")
    assert ChunkEmbedding.objects.filter(space=new).count() == Chunk.objects.count()
    texts = [text for request in server.embedding_requests[asked:] for text in request["input"]]
    again = [text for text in texts if Chunk.objects.filter(text=text).exists()]
    assert len(again) == Chunk.objects.count() - made, "nothing is embedded twice"


def test_a_change_that_fails_says_so_and_answers_go_on(
    contracts: Datasource, alice: User, read: Document, settings: Any, work: Any, server: ScriptedOpenAI
) -> None:
    before = searched(contracts)
    set_model(settings, server)
    space = reembedding.begin(contracts, "larger", 96)  # the server's have 48
    assert space
    work()
    space.refresh_from_db()
    assert space.status == SpaceStatus.FAILED
    assert searched(contracts) == before
    page = browser_of(alice).get(reverse("settings_section", args=[contracts.pk, "models"])).content.decode()
    assert "The change to" in page
    assert "has failed" in page
    assert "Try again" in page


def test_a_model_without_a_server_is_told(contracts: Datasource, read: Document) -> None:
    contracts.embedding_model, contracts.embedding_dimensions = "gone", 48
    with pytest.raises(ProviderError, match="SVQ_EMBEDDING_PREVIOUS_BASE_URL"):
        embedder(contracts).embed([QUESTION])


def test_the_server_of_before_is_asked_for_the_model_of_before(
    contracts: Datasource, read: Document, settings: Any, server: ScriptedOpenAI, work: Any
) -> None:
    set_model(settings, server)
    reembedding.follow_configured()
    work()
    settings.EMBEDDING_BASE_URL = ""
    settings.EMBEDDING_PREVIOUS_BASE_URL = server.base_url
    assert searched(contracts)
    assert server.embedding_requests[-1]["model"] == "larger"


def test_the_owner_changes_and_goes_back_on_the_settings_page(
    contracts: Datasource,
    alice: User,
    bob: User,
    charlie: User,
    read: Document,
    settings: Any,
    server: ScriptedOpenAI,
    work: Any,
) -> None:
    set_model(settings, server)
    page = reverse("settings_section", args=[contracts.pk, "models"])
    change = reverse("change_embedding_model", args=[contracts.pk])
    undo = reverse("undo_embedding_model", args=[contracts.pk])
    owner: Client = browser_of(alice)
    text = owner.get(page).content.decode()
    assert "Change the model" in text
    assert "begins by itself" in text
    assert "New datasources" not in text
    assert browser_of(charlie).post(change).status_code == 404
    assert browser_of(charlie).get(reverse("vectors_state", args=[contracts.pk])).status_code == 404
    owner.post(change)
    text = owner.get(page).content.decode()
    assert "Changing to" in text
    assert "Questions are answered" in text
    owner.post(undo)
    assert states(contracts) == {LOCAL_EMBEDDER: "current", "larger": "stopped"}
    text = owner.get(page).content.decode()
    assert "New datasources are embedded with" in text
    assert "passages again, in the background" in text
    assert "For 14 days you can go back." in " ".join(text.split())
    assert "begins by itself" not in text
    owner.post(change)
    work()
    text = owner.get(page).content.decode()
    assert "Go back" in text
    assert "(48 dimensions)" in text
    owner.post(undo)
    work()
    assert states(contracts) == {LOCAL_EMBEDDER: "current", "larger": "kept"}


def test_the_settings_page_announces_a_change_of_the_dimensions_alone(
    contracts: Datasource, alice: User, read: Document, settings: Any, server: ScriptedOpenAI, work: Any
) -> None:
    set_model(settings, server)
    reembedding.follow_configured()
    work()
    settings.EMBEDDING_DIMENSIONS = 24
    text = browser_of(alice).get(reverse("settings_section", args=[contracts.pk, "models"])).content.decode()
    assert "begins by itself" in text


@pytest.mark.parametrize("status", [SpaceStatus.CURRENT, SpaceStatus.FILLING])
def test_old_vectors_that_come_into_use_during_the_deletion_stay(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch, status: SpaceStatus
) -> None:
    long_ago = timezone.now() - 2 * reembedding.KEPT_FOR
    for name in ("first", "second", "third"):
        VectorSpace.objects.create(datasource=contracts, model=name, dimensions=8, status=SpaceStatus.STOPPED)
    VectorSpace.objects.update(changed=long_ago)
    delete, deleted = VectorSpace.delete, list[str]()

    def delete_slowly(space: VectorSpace) -> Any:
        if not deleted:
            others = VectorSpace.objects.exclude(pk=space.pk)
            others.filter(pk=others.latest("pk").pk).update(status=status, changed=timezone.now())
        deleted.append(space.model)
        return delete(space)

    monkeypatch.setattr(VectorSpace, "delete", delete_slowly)
    reembedding.forget_old()
    assert len(deleted) == 2
    assert [space.status for space in VectorSpace.objects.all()] == [status]


class Interrupted(AlikeEmbedder):
    """An embedder whose answer to a list of names comes late: see the test."""

    def __init__(self, model: Any, interrupt: Callable[[], None]) -> None:
        self._model, self._interrupt = model, interrupt
        self.name, self.dimensions = model.name, model.dimensions

    def embed(self, texts: Sequence[str]) -> Any:
        if not Chunk.objects.filter(text__in=texts).exists():
            self._interrupt()
        return self._model.embed(texts)


def test_a_run_that_was_taken_over_writes_no_vectors_any_more(
    contracts: Datasource,
    read: Document,
    settings: Any,
    server: ScriptedOpenAI,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    set_model(settings, server)
    reembedding.follow_configured()
    space = VectorSpace.objects.get(model="larger")
    taken_over, first_ended = threading.Event(), threading.Event()
    named = reembedding.embedder_named
    second: list[threading.Thread] = []

    def fill() -> None:
        reembedding.fill(space.pk)
        connections.close_all()

    def interrupt() -> None:
        if not second:  # the first run is late with its names: another takes over
            second.append(threading.Thread(target=fill))
            second[0].start()
            taken_over.wait(60)
        elif not taken_over.is_set():  # the other has asked for the same names
            taken_over.set()
            first_ended.wait(60)

    monkeypatch.setattr(reembedding, "embedder_named", lambda *model: Interrupted(named(*model), interrupt))
    with pytest.raises(Stopped):
        reembedding.fill(space.pk)
    first_ended.set()
    second[0].join()
    assert states(contracts) == {LOCAL_EMBEDDER: "kept", "larger": "current"}


def test_what_changed_while_vectors_were_made_is_due_after_the_switch(
    contracts: Datasource, read: Document, settings: Any, server: ScriptedOpenAI, work: Any
) -> None:
    set_model(settings, server)
    reembedding.follow_configured()
    work()
    old, new = VectorSpace.objects.get(model=LOCAL_EMBEDDER), VectorSpace.objects.get(model="larger")
    late = EntityEmbedding.objects.filter(space=new).order_by("entity")[:2]
    ids = {vector.entity_id for vector in late}
    EntityEmbedding.objects.filter(space=new, entity__in=ids).delete()
    with CaptureQueriesContext(connection) as queries:
        EntityVectors().switch(old, new)
    assert set(Entity.objects.filter(vector_due=True).values_list("pk", flat=True)) == ids
    assert [each["sql"].split()[0] for each in queries] == ["UPDATE"], "no list of them is read"

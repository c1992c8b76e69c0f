"""After a purge nothing holds anything of the document, whatever was done with it before."""

import io
import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, example, given
from hypothesis import settings as search
from hypothesis import strategies as st
from reportlab.pdfgen.canvas import Canvas

from accounts.models import User
from answering.suggestions.tasks import introduce
from chat import services as chat
from chat.models import Turn, TurnStatus
from chat.turns import run as answering
from datasources.models import Datasource, Document, DocumentStatus
from datasources.services import create_datasource
from datasources.storage.files import derived_folder
from formats import pictures
from graph.curation.services import split
from graph.document_map import build
from graph.models import EntityMention
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle import deletion
from ingestion.lifecycle.leaving_out import set_left_out
from ingestion.lifecycle.pausing import pause, resume
from ingestion.lifecycle.purging import purge, purge_datasource
from ingestion.lifecycle.rechunking import rechunk
from ingestion.lifecycle.retrying import cancel, retry
from ingestion.models import Chunk
from providers.embedders import embedder
from providers.protocols import ProviderError
from reader import page_images
from tests.people import browser_of

pytestmark = pytest.mark.django_db(transaction=True)

MARKER = "Quellbridge"  # in title, text, names and error messages, and in nothing else
FIRST_DOCUMENT, FIRST_CHUNK = 700_000_000, 800_000_000  # ids that no other number is mistaken for

# What people keep: their questions with the answers, the quotes in these, and the word that a file is gone.
KEPT_COLUMNS = {
    "chat_conversation": {"title", "document_ids"},
    "chat_turn": {"question", "standalone", "search", "answer", "steps", "trace", "document_ids"},
    "datasources_deletion": {"document_name"},
    "chat_citation": {"claim", "document_title", "chunk_id_hint", "written", "quote"},
}
# Which job failed or was cancelled, for three days; the receipt; who saw it.
NUMBERS_KEPT = {"procrastinate_jobs", "datasources_deletion", "accounts_auditentry"}


@dataclass(kw_only=True)
class World:
    """A datasource with the document that will be purged, and one that stays."""

    user: User
    client: Client
    work: Callable[[], None]
    datasource: Datasource
    document: Document
    stays: Document
    versions: int = 1
    ids: set[int] = field(default_factory=set)
    contents: set[str] = field(default_factory=set)

    def note(self) -> None:
        """Remember the ids and contents that must be gone in the end."""
        self.document.refresh_from_db()
        mine = self.datasource.documents.exclude(pk=self.stays.pk)
        self.ids |= set(mine.values_list("pk", flat=True))
        self.ids |= set(Chunk.objects.filter(document__in=mine).values_list("pk", flat=True))
        self.contents |= set(mine.values_list("sha256", flat=True))


def pdf(*lines: str) -> io.BytesIO:
    data = io.BytesIO()
    canvas = Canvas(data)
    for row, line in enumerate(lines):
        canvas.drawString(72, 700 - 20 * row, line)
    canvas.showPage()
    canvas.save()
    return data


def contract(version: int) -> io.BytesIO:
    return pdf(
        f"Mira {MARKER} founded Halden Foods in {2000 + version}.",
        f"The {MARKER} Group keeps its backups for {version} years.",
        "Halden Foods bakes bread in Leeds.",
    )


def upload(datasource: Datasource, user: User, file: io.BytesIO, name: str, **more: Any) -> Document:
    return accept_upload(datasource, user, name, file, **more)[0].document


@contextmanager
def broken_embedder() -> Iterator[None]:
    def refuse(self: Any, texts: Any) -> Any:
        raise ProviderError(f"The words {MARKER} and others were refused.", transient=False)

    with mock.patch.object(type(embedder()), "embed", refuse):
        yield


# --- what is done with a document ------------------------------------------------------------------------
def ask(world: World, question: str) -> Turn:
    turn = chat.ask(world.user, world.datasource, question)
    world.work()
    return Turn.objects.get(pk=turn.pk)


def asked(world: World) -> None:
    """Its answer is looked at in every way, and exported."""
    turn = ask(world, f"How long does the {MARKER} Group keep its backups?")
    for citation in turn.citations.all():
        world.client.get(reverse("source", args=[turn.pk, citation.n]))
        world.client.get(reverse("source_card", args=[turn.pk, citation.n]))
        world.client.get(reverse("api-citation-pdf", args=[turn.pk, citation.n]))
    world.client.get(reverse("api-turn-export", args=[turn.pk]))


def asked_in_vain(world: World) -> None:
    ask(world, "Which team won the chess olympiad of 1998?")


def asked_alone(world: World) -> None:
    document_ids = [world.document.pk] if world.document.status == DocumentStatus.READY else None
    chat.ask(world.user, world.datasource, "What is baked in Leeds?", document_ids=document_ids)
    world.work()


def looked_at(world: World) -> None:
    address = (world.datasource.pk, world.document.pk)
    assert world.client.get(reverse("reader", args=address)).status_code == 200
    world.client.get(reverse("page_image", args=[*address, 1]))
    build.rebuild(world.datasource.pk)


def introduced(world: World) -> None:
    introduce(world.datasource.pk)


def rechunked(world: World) -> None:
    rechunk(world.datasource, size=300, overlap=30)
    world.work()


def replaced(world: World) -> None:
    if world.document.status != DocumentStatus.READY:
        return
    world.versions += 1
    file = contract(world.versions)
    world.document = upload(world.datasource, world.user, file, f"{MARKER} 2.pdf", replaces=world.document)
    world.work()


def failed(world: World) -> None:
    rechunk(world.datasource, size=400, overlap=0, only=world.document)
    with broken_embedder():
        world.work()


def cancelled(world: World) -> None:
    rechunk(world.datasource, size=500, overlap=0, only=world.document)
    world.document.refresh_from_db()
    if world.document.is_unfinished:
        cancel(world.document)


def retried(world: World) -> None:
    if world.document.status in (DocumentStatus.FAILED, DocumentStatus.CANCELLED):
        retry(world.document)
        world.work()


def deleted_and_restored(world: World) -> None:
    deletion.delete(world.document)
    deletion.restore(world.document)


def paused_while_queued(world: World) -> None:
    pause(world.datasource)
    rechunk(world.datasource, size=600, overlap=0, only=world.document)
    world.work()
    resume(world.datasource)


def curated(world: World) -> None:
    """A name that the other document has too is said to mean another thing here."""
    mentions = EntityMention.objects.filter(document=world.document, live=True, named__sense="")
    mention = mentions.filter(key="halden foods").select_related("named").first()
    if mention and mention.named:
        split(mention.named, world.document, world.user)
    if chunk := world.document.chunks.first():
        set_left_out(chunk, True)


ACTS = [
    asked,
    asked_in_vain,
    asked_alone,
    looked_at,
    rechunked,
    replaced,
    failed,
    cancelled,
    retried,
    deleted_and_restored,
    paused_while_queued,
    curated,
    introduced,
]


# --- ways to its end -------------------------------------------------------------------------------------
def at_once(world: World) -> None:
    purge(world.document)


def after_the_time_to_undo(world: World) -> None:
    with mock.patch.object(deletion, "UNDO_SECONDS", 0):
        deletion.delete(world.document)
    world.work()


def with_its_datasource(world: World) -> None:
    purge_datasource(world.datasource)


WAYS = [at_once, after_the_time_to_undo, with_its_datasource]


# --- what is left ----------------------------------------------------------------------------------------
def rows() -> Iterator[tuple[str, str]]:
    """Every row of every table as JSON, without what people keep."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT row_to_json(t)::text FROM "{table}" t')
            for (text,) in cursor.fetchall():
                row = json.loads(text)
                if table == "event" and is_kept(row):
                    continue
                kept = KEPT_COLUMNS.get(table, set())
                yield table, json.dumps({name: value for name, value in row.items() if name not in kept})


def is_kept(event: dict[str, Any]) -> bool:
    """An answer's own events, and the word that documents were deleted or restored."""
    return event["channel"].startswith("turn:") or event["kind"].startswith("documents_")


def traces(world: World) -> list[str]:
    """Rows, cache folders and files that still tell of the document."""
    told = []
    for table, text in rows():
        numbers = {int(number) for number in re.findall(r"(?<![\w.])[78]\d{8}(?![\w.])", text)} & world.ids
        about = MARKER.lower() in text.lower() or any(content in text for content in world.contents)
        if about or (numbers and table not in NUMBERS_KEPT):
            told.append(f"{table}: {text}")
    cached = Path(settings.CACHE_DIR).rglob("*")
    told += [str(path) for path in cached if any(content in path.name for content in world.contents)]
    stored = {Path(document.file.path) for document in Document.objects.all()}
    storage = Path(Document._meta.get_field("file").storage.location)  # type: ignore[attr-defined]
    return told + [str(path) for path in storage.rglob("*") if path.is_file() and path not in stored]


def restart(sequence: str, first: int) -> None:
    """Above every id that an earlier example has given out."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT setval('{sequence}', greatest(%s, (SELECT last_value FROM {sequence})))", [first]
        )


@pytest.fixture
def sequences() -> Iterator[None]:
    """Give other tests their small numbers back."""
    yield
    with connection.cursor() as cursor:
        for table in ("datasources_document", "ingestion_chunk"):
            cursor.execute(f"SELECT setval('{table}_id_seq', 1)")


@search(
    max_examples=5,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@example([asked, asked_in_vain, looked_at, curated, replaced, asked, looked_at], after_the_time_to_undo)
@example([asked_alone, rechunked, asked_in_vain, introduced, failed, introduced], at_once)
@given(st.lists(st.sampled_from(ACTS), min_size=1, max_size=4), st.sampled_from(WAYS))
def test_nothing_is_left(
    alice: User, work: Any, sequences: None, acts: list[Callable[[World], None]], way: Callable[[World], None]
) -> None:
    datasource = create_datasource(alice, f"Contracts {Datasource.objects.count()}")
    stays = upload(
        datasource, alice, pdf("Halden Foods sells bread.", "It keeps its files for ten years."), "a.pdf"
    )
    restart("datasources_document_id_seq", FIRST_DOCUMENT)
    restart("ingestion_chunk_id_seq", FIRST_CHUNK)
    document = upload(datasource, alice, contract(1), f"{MARKER}.pdf")
    world = World(
        user=alice,
        client=browser_of(alice),
        work=work,
        datasource=datasource,
        document=document,
        stays=stays,
    )
    work()
    world.note()
    assert world.document.status == DocumentStatus.READY
    assert traces(world)  # the search finds what is there
    for act in acts:
        act(world)
        world.note()
    way(world)
    work()
    left = traces(world)
    assert not left, "\n".join(left)
    if way is not with_its_datasource:
        stays.refresh_from_db()
        assert stays.status == DocumentStatus.READY
        assert stays.chunks.exists()
        purge_datasource(datasource)


def test_page_images_are_of_one_datasource_and_go_with_it(alice: User, work: Any) -> None:
    """Two datasources with the same file share nothing: a hash is no proof of having the file."""
    datasources = [create_datasource(alice, name) for name in ("One", "Two")]
    file = contract(1)
    one, two = (upload(datasource, alice, file, "a.pdf") for datasource in datasources)
    assert one.sha256 == two.sha256
    work()
    for document in (one, two):
        browser_of(alice).get(reverse("page_image", args=[document.datasource_id, document.pk, 1]))
    assert derived_folder(one.content).exists()
    assert derived_folder(two.content).exists()
    purge(one)
    work()
    assert not derived_folder(one.content).exists()
    assert derived_folder(two.content).exists()
    purge(two)
    work()
    assert not any(path.is_file() for path in Path(settings.CACHE_DIR).rglob("*"))


def test_a_page_that_is_being_drawn_leaves_no_image_of_a_purged_document(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = upload(contracts, alice, contract(1), "a.pdf")
    work()
    draw = pictures.page_image

    def purge_and_draw(pixels: Any) -> bytes:
        purge(document)
        return draw(pixels)

    monkeypatch.setattr(pictures, "page_image", purge_and_draw)
    assert page_images.page_image(Document.objects.get(pk=document.pk), 1, asker=1)
    assert not derived_folder(document.content).exists()


def test_an_answer_under_way_shows_no_passage_of_a_purged_document(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = upload(contracts, alice, contract(1), "a.pdf")
    other = upload(contracts, alice, pdf("The harbour opens at six."), "b.pdf")
    work()
    finish = answering.finish

    def purge_and_finish(*args: Any) -> None:
        purge(document)
        finish(*args)

    monkeypatch.setattr(answering, "finish", purge_and_finish)
    turn = chat.ask(alice, contracts, "Which team won the chess olympiad of 1998?")
    work()
    turn.refresh_from_db()
    assert turn.status == TurnStatus.NOT_FOUND
    assert {passage["document"] for passage in turn.nearest} == {other.pk}

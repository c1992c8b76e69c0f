"""Pages and REST about documents in every state, with pages and chunks or without: none breaks the server."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from datasources.models import GONE, Datasource, Document, DocumentStatus
from tests.addresses import EDITOR, OWNER, ROWS, VIEWER, path_of
from tests.factories import make_document
from tests.responses import content_of
from tests.world import client_of

pytest_plugins = ["tests.shared_world"]

# A state, and what is stored of the document: nothing yet, pages alone or chunks alone, as after a kill.
STATES = (
    (DocumentStatus.QUEUED, "nothing"),
    (DocumentStatus.RECOGNISING, "pages"),
    (DocumentStatus.FAILED, "chunks"),
    (DocumentStatus.DELETED, "nothing"),
    (DocumentStatus.READY, "nothing"),
    (DocumentStatus.READY, "chunks"),
)
READ = {VIEWER, EDITOR, OWNER}
OF_ONE = [name for name, row in ROWS.items() if "document" in row.args.values() and row.GET in READ]
OF_ALL = [
    name
    for name, row in ROWS.items()
    if set(row.args.values()) == {"datasource"} and row.GET in READ and not name.startswith("api-")
]


def leave(document: Document, shape: str) -> None:
    """Of the document's derived rows only those of the shape."""
    if shape in ("nothing", "pages"):
        document.chunks.all().delete()
    if shape in ("nothing", "chunks"):
        document.pages.all().delete()
    pages, chunks = document.pages.count() or None, document.chunks.count()
    Document.objects.filter(pk=document.pk).update(page_count=pages, chunk_count=chunks)


@pytest.fixture
def documents(shared_world: SimpleNamespace) -> list[Document]:
    datasource = Datasource.objects.get(pk=shared_world.datasource)
    made = []
    for status, shape in STATES:
        document = make_document(datasource, f"{status} {shape}", f"It is {status}: {shape}.", status=status)
        leave(document, shape)
        made.append(document)
    return made


def broken(path: str, client: Client, wanted: set[int]) -> list[str]:
    response: Any = client.get(path)
    content_of(response)
    return [] if response.status_code in wanted else [f"{path}: {response.status_code}"]


def test_pages_of_one_document(shared_world: SimpleNamespace, documents: list[Document]) -> None:
    owner, problems = client_of(shared_world.people[OWNER]), []
    for document in documents:
        place = SimpleNamespace(**{**vars(shared_world), "document": document.pk})
        for name in OF_ONE:
            found = broken(path_of(name, place), owner, {200, 302, 404, 409, 422, 503})
            problems += [f"{document.title}: {each}" for each in found]
    assert not problems, "\n".join(problems)


def test_pages_of_a_datasource_with_all_of_them(
    shared_world: SimpleNamespace, documents: list[Document]
) -> None:
    owner, problems = client_of(shared_world.people[OWNER]), []
    for name in OF_ALL:
        problems += broken(path_of(name, shared_world), owner, {200, 302})
    for document in documents:
        page = f"{reverse('chunks', args=[shared_world.datasource])}?document={document.pk}"
        problems += broken(page, owner, {404 if document.status in GONE else 200})
    assert not problems, "\n".join(problems)


def test_the_chunk_page_says_that_a_document_has_no_chunks(
    shared_world: SimpleNamespace, documents: list[Document]
) -> None:
    for document in documents:
        if document.status not in GONE and not document.chunks.exists():
            address = f"{reverse('chunks', args=[shared_world.datasource])}?document={document.pk}"
            page = client_of(shared_world.people[OWNER]).get(address).content.decode()
            assert f"“{document.title}” has none" in page

"""That a text came with an imported file is said wherever words of it are shown or given out."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from chat.api import numbered_sources, rag_query
from chat.exports import as_markdown
from chat.models import Turn, TurnStatus
from chat.notebook import keep_answer
from chat.wording import IMPORTED
from datasources.models import Datasource, Document
from exchange.bundles import services
from exchange.mcp import resources
from exchange.mcp.tools import list_datasources, read_page, retrieve
from exchange.mcp.tools.ask import in_words, outcome
from exchange.openai.completions import content_of
from formats.base.annotations import AnnotationKind
from formats.base.doubts import DoubtKind
from ingestion.models import Annotation, Doubt
from tests.bundles.made import bundle_of
from tests.factories import add_pages, make_document, make_turn
from tests.people import browser_of
from tests.responses import text_of
from tests.rest import Api

pytestmark = pytest.mark.django_db(transaction=True)
QUESTION = "How long are backups kept?"
BY_SVQ = "this server has not read the document itself"


@pytest.fixture
def turn(contracts: Datasource, charlie: User, tmp_path: Path) -> Turn:
    """An answer in a datasource that charlie has imported."""
    contracts.owner = charlie
    contracts.save()
    make_turn(charlie, make_document(contracts), QUESTION)
    services.take_in(charlie, bundle_of(contracts, tmp_path / "own.zip", conversations=True))
    return Turn.objects.exclude(conversation__datasource=contracts).get()


def shown(turn: Turn, reader: User) -> Mapping[str, str]:
    """The answer as each of them gets it. Fresh: what a row knew of its document is forgotten."""
    turn = Turn.objects.get(pk=turn.pk)
    rest, page = Api(reader), browser_of(reader)
    export = rest.get(f"turns/{turn.pk}/export").content.decode()
    assert export == as_markdown(turn)
    return {
        "Markdown": export,
        "OpenAI": content_of(turn),
        "MCP": in_words(turn.citations.get()),
        "hover card": text_of(page.get(f"/turn/{turn.pk}/source/1/card/")),
    }


def test_it_is_said_until_this_server_has_read_the_document(turn: Turn, charlie: User) -> None:
    rest, page = Api(charlie), browser_of(charlie)
    document = turn.conversation.datasource.documents.get()
    table = reverse("documents", args=[document.datasource_id])
    for is_said in (True, False):
        document.read_elsewhere = is_said
        document.save()
        for where, text in shown(turn, charlie).items():
            assert (BY_SVQ in text) == is_said, where
        assert rest.get(f"documents/{document.pk}").json()["read_elsewhere"] is is_said
        (cited,) = rest.get(f"turns/{turn.pk}").json()["citations"]
        alone = rest.get(f"turns/{turn.pk}/citations/1").json()
        assert cited["read_elsewhere"] is alone["read_elsewhere"] is is_said
        assert ("text from an imported file" in text_of(page.get(table))) == is_said


def test_a_quote_that_was_kept_says_it_too(turn: Turn, contracts: Datasource, tmp_path: Path) -> None:
    reader = turn.conversation.user
    assert IMPORTED in keep_answer(reader, turn).sources[0]["said"]
    again = services.take_in(
        reader, bundle_of(turn.conversation.datasource, tmp_path / "again.zip")
    ).datasource
    assert again
    assert IMPORTED in again.notes.get().sources[0]["said"]


def passages_and_pages(document: Document, reader: User) -> Mapping[str, str]:
    """The words of the document as people and MCP get them without an answer."""
    page, datasource = browser_of(reader), document.datasource_id
    near = {"near": "1", "search": "q=Backups"}
    found = retrieve.found(reader, retrieve.Retrieve(query=QUESTION, documents=[document.pk]))
    glance, every = (
        reverse("document_glance", args=[datasource, document.pk]),
        reverse("chunks", args=[datasource]),
    )
    passages = f"{every}?document={document.pk}"
    card = reverse("passage_card", args=[datasource, document.pk, 0, 20])
    return {
        "the card of a passage": text_of(page.get(card)),
        "the passages of all": text_of(page.get(every, {"document": "all"})),
        "the passages of a document": text_of(page.get(passages)),
        "at a glance": text_of(page.get(glance)),
        "all at a glance": text_of(page.get(reverse("glance", args=[datasource]))),
        "MCP's passages": found.text,
        "MCP's page": read_page.read(reader, read_page.ReadPage(document=document.pk)).text,
        "MCP's resource": resources.read(reader, f"svq://documents/{document.pk}").text,
        "MCP's resource of a page": resources.read(reader, f"svq://documents/{document.pk}/pages/1").text,
        "search everywhere": text_of(page.get(reverse("search_all"), {"q": QUESTION})),
        "search": text_of(page.get(reverse("search", args=[datasource]), {"q": QUESTION})),
        "the exact words": text_of(page.get(reverse("search_all"), {"q": "Backups", "exact": "1"})),
        "the page beside the results": text_of(
            page.get(reverse("reader", args=[datasource, document.pk]), near)
        ),
    }


def rows_of_programs(document: Document, reader: User) -> Mapping[str, dict[str, Any]]:
    """The same as data."""
    rest = Api(reader)
    (chunk,) = rest.get(f"documents/{document.pk}/chunks").json()["results"]
    (page,) = rest.get(f"documents/{document.pk}/pages").json()["results"]
    (passage,) = rest.post("rag/retrieve", {"query": QUESTION, "docIds": [document.pk]}).json()["results"]
    (of_others,) = rest.client.get(
        f"/api/knowledge-base/svq-{document.pk}/chunks", headers=rest.headers
    ).json()["chunks"]
    asked = retrieve.Retrieve(query=QUESTION, documents=[document.pk])
    listing = list_datasources.ListDatasources(datasource=document.datasource_id)
    (listed,) = list_datasources.listed(reader, listing).data["datasources"][0]["document_list"]
    return {
        "pages": page,
        "pages/1": rest.get(f"documents/{document.pk}/pages/1").json(),
        "chunks": chunk,
        "chunks/N": rest.get(f"chunks/{chunk['id']}").json(),
        "rag/retrieve": passage["metadata"],
        "chunks for programs of another system": of_others,
        "comments": rest.get(f"documents/{document.pk}/annotations").json()["results"][0],
        "doubts": rest.get(f"documents/{document.pk}/doubts").json()["results"][0],
        "points": rest.get(f"documents/{document.pk}/points").json()["points"][0],
        "MCP's passages": retrieve.found(reader, asked).data["passages"][0],
        "MCP's page": read_page.read(reader, read_page.ReadPage(document=document.pk)).data,
        "MCP's list of documents": listed,
    }


def test_passages_and_pages_say_it_too(turn: Turn, charlie: User) -> None:
    """A program that writes its own answer from them would quote the words as the document's."""
    document = turn.conversation.datasource.documents.get()
    page = document.pages.get()
    Annotation.objects.create(page=page, position=1, kind=AnnotationKind.COMMENT, text="Too short?")
    Doubt.objects.create(page=page, position=1, kind=DoubtKind.SKIPPED, start=0, end=5)
    for is_said in (True, False):
        document.read_elsewhere = is_said
        document.save()
        for where, text in passages_and_pages(document, charlie).items():
            assert "Backups" in text, where
            said = BY_SVQ in text or "text from an imported file" in text
            assert said == is_said, where
        for where, row in rows_of_programs(document, charlie).items():
            assert row["read_elsewhere"] is is_said, where


def test_the_sources_of_an_answer_say_it_too(turn: Turn, charlie: User) -> None:
    """Of what is cited, and of what was only counted."""
    document = turn.conversation.datasource.documents.get()
    counted = make_document(document.datasource, "Counted", "Backups are kept.")
    where = {"document": counted.pk, "title": "Counted", "page": 1, "chunk": counted.chunks.get().pk}
    turn.notices = [{"code": "counted", "text": "Two documents mention “backups”.", "documents": [where]}]
    turn.save()
    for is_said in (True, False):
        Document.objects.update(read_elsewhere=is_said)
        for told in (rag_query.told, numbered_sources.answer):
            _, answered = told(Turn.objects.get(pk=turn.pk), charlie)
            assert {each["read_elsewhere"] for each in answered["sources"]} == {is_said}


def test_the_closest_passages_say_it_too(turn: Turn, charlie: User) -> None:
    document = turn.conversation.datasource.documents.get()
    near = {
        "document": document.pk,
        "title": "A",
        "chunk": 1,
        "pages": [1],
        "text": "Tapes rot.",
        "score": 1.0,
    }
    turn.status, turn.nearest = TurnStatus.NOT_FOUND, [near]
    turn.save()
    rest, page = Api(charlie), browser_of(charlie)
    for is_said in (True, False):
        Document.objects.update(read_elsewhere=is_said)
        (row,) = rest.get(f"turns/{turn.pk}").json()["nearest"]
        assert row == near | {"read_elsewhere": is_said}
        shown = {
            "page": text_of(
                page.get(reverse("conversation", args=[document.datasource_id, turn.conversation_id]))
            ),
            "Markdown": as_markdown(turn),
            "MCP": outcome(turn, charlie)[1]["text"],
        }
        for where, text in shown.items():
            assert "Tapes rot." in text, where
            assert (BY_SVQ in text or "text from an imported file" in text) == is_said, where


@pytest.mark.parametrize("path", ["documents/{}/pages", "documents/{}/chunks"])
def test_a_list_asks_for_its_document_once(contracts: Datasource, alice: User, path: str) -> None:
    document = make_document(contracts)
    rest, address = Api(alice), path.format(document.pk)
    rest.get(address)  # what is asked once in a process is known
    with CaptureQueriesContext(connection) as of_one:
        rest.get(address)
    add_pages(document, ["More.", "And more."])
    with CaptureQueriesContext(connection) as of_three:
        assert len(rest.get(address).json()["results"]) == 3
    assert len(of_three) == len(of_one)

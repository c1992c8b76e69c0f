"""A redline from its upload to the reader: changes and comments stand beside the text and are none of it."""

import io
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from benchmarks.office_files import W, docx, paragraph
from datasources.models import Datasource, Document, DocumentStatus
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.purging import purge_datasource
from ingestion.models import Annotation, Chunk
from tests.responses import text_of

pytestmark = pytest.mark.django_db(transaction=True)

BY_ANN = 'w:author="Ann Lee" w:date="2026-03-05T10:30:00Z"'
BODY = (
    '<w:p><w:r><w:t xml:space="preserve">Notice of </w:t></w:r>'
    f"<w:del {BY_ANN}><w:r><w:delText>thirty</w:delText></w:r></w:del>"
    f"<w:ins {BY_ANN}><w:r><w:t>sixty</w:t></w:r></w:ins>"
    '<w:r><w:t xml:space="preserve"> days to </w:t></w:r>'
    '<w:commentRangeStart w:id="0"/><w:r><w:t>the Supplier</w:t></w:r><w:commentRangeEnd w:id="0"/>'
    '<w:r><w:commentReference w:id="0"/></w:r><w:r><w:t>.</w:t></w:r></w:p>'
)
COMMENT = f'<w:comment w:id="0" w:author="Bo Chan">{paragraph("Which one?")}</w:comment>'
COMMENTS = f"<w:comments {W}>{COMMENT}</w:comments>"


@pytest.fixture
def redline(contracts: Datasource, alice: User, work: Any) -> Document:
    content = docx(BODY, {"word/comments.xml": COMMENTS}, ("r1", "comments", "comments.xml"))
    document = accept_upload(contracts, alice, "redline.docx", io.BytesIO(content))[0].document
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY, document.error_message
    return document


def test_passages_have_neither_deleted_words_nor_comments(redline: Document) -> None:
    assert [chunk.text for chunk in redline.chunks.all()] == ["Notice of sixty days to the Supplier."]


def test_the_reader_lists_what_was_changed_and_said_and_by_whom(
    redline: Document, alice: User, client: Client
) -> None:
    client.force_login(alice)
    address = reverse("reader", args=[redline.datasource_id, redline.pk])
    shown = " ".join(text_of(client.get(address)).split())
    assert "2 tracked changes, 1 comment" in shown
    assert "The text here is with all changes accepted." in shown
    assert "Deleted by Ann Lee 5 March 2026, 10:30 thirty After “Notice of”" in shown
    assert "Inserted by Ann Lee 5 March 2026, 10:30 sixty After “Notice of”" in shown
    assert "Comment by Bo Chan Which one? On “the Supplier”" in shown
    marked = client.get(address, {"page": 1, "note": 3}).content.decode()
    assert "<mark>the Supplier</mark>" in marked
    assert "<mark>sixty</mark>" in client.get(address, {"page": 1, "note": 2}).content.decode()
    assert "<mark>" not in client.get(address, {"page": 1, "note": 99}).content.decode()


def test_the_list_of_documents_says_that_there_are_changes(
    redline: Document, alice: User, client: Client
) -> None:
    client.force_login(alice)
    shown = " ".join(text_of(client.get(reverse("documents", args=[redline.datasource_id]))).split())
    assert "2 tracked changes, 1 comment" in shown


def test_rest_tells_them(redline: Document, alice: User, client: Client) -> None:
    client.force_login(alice)
    found = client.get(reverse("api-annotations", args=[redline.pk])).json()["results"]
    assert found[0] == {
        "page": 1,
        "kind": "deleted",
        "text": "thirty",
        "quote": "Notice of",
        "author": "Ann Lee",
        "made": "2026-03-05T10:30:00",
        "read_elsewhere": False,
    }
    assert [each["kind"] for each in found] == ["deleted", "inserted", "comment"]


def test_they_go_with_the_document(redline: Document, alice: User, work: Any) -> None:
    receipt = purge_datasource(redline.datasource, alice)
    work()
    receipt.refresh_from_db()
    assert receipt.removed["annotations"] == 3
    assert not Annotation.objects.exists()
    assert not Chunk.objects.exists()

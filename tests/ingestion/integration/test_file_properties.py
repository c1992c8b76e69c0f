"""Documents are called by what their files call themselves, unless a person has named them."""

import io
from typing import Any

import pytest
from django.urls import reverse
from reportlab.pdfgen.canvas import Canvas

from accounts.models import User
from datasources.models import Datasource, Deletion, Document, DocumentStatus
from ingestion.adding.describing import describe
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle.deletion import delete
from ingestion.lifecycle.retrying import retry
from ingestion.models import DocumentTerms
from tests.ingestion.integration.test_mail_attachments import mail
from tests.people import browser_of
from tests.rest import Api

pytestmark = pytest.mark.django_db(transaction=True)


def pdf(title: str, words: str = "The rent is due on the first of each month.") -> io.BytesIO:
    content = io.BytesIO()
    canvas = Canvas(content)
    canvas.setTitle(title)
    canvas.setAuthor("Ann Lee")
    canvas.drawString(72, 700, words)
    canvas.save()
    return content


def add(datasource: Datasource, user: User, name: str, content: io.BytesIO, **more: Any) -> Document:
    return accept_upload(datasource, user, name, content, **more)[0].document


def page_of(user: User, name: str, *numbers: int) -> str:
    return str(browser_of(user).get(reverse(name, args=numbers)).content.decode())


def test_a_receipt_has_no_words_of_the_file(contracts: Datasource, alice: User, work: Any) -> None:
    document = add(contracts, alice, "scan0017.pdf", pdf("Lease of Harbour Street"))
    named = add(contracts, alice, "scan0018.pdf", pdf("Lease of Mill Lane", "Another rent is due."))
    work()
    Document.objects.filter(pk=named.pk).update(title="Mill Lane, signed")
    for each in (document, named):
        each.refresh_from_db()
        delete(each, alice)
    names = set(Deletion.objects.values_list("document_name", flat=True))
    assert names == {"scan0017", "Mill Lane, signed"}


def test_a_document_is_called_by_its_own_title(contracts: Datasource, alice: User, work: Any) -> None:
    document = add(contracts, alice, "scan0017.pdf", pdf("Lease of Harbour Street"))
    assert document.title == "scan0017"
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY
    assert document.title == "Lease of Harbour Street"
    assert document.file_properties["author"] == "Ann Lee"
    listed = page_of(alice, "documents", contracts.pk)
    assert "Lease of Harbour Street" in listed
    assert "scan0017.pdf" in listed
    shown = page_of(alice, "reader", contracts.pk, document.pk)
    for words in ("From the file", "scan0017.pdf", "Ann Lee", '<dt class="muted">Created</dt>'):
        assert words in shown
    found = browser_of(alice).get(reverse("documents", args=[contracts.pk]), {"find": "scan0017"})
    assert f"doc-{document.pk}" in found.content.decode()


def test_a_search_finds_the_new_name_and_the_file_name(contracts: Datasource, alice: User, work: Any) -> None:
    words = " ".join(f"Clause {number} is about the flat and what is due." for number in range(400))
    content = io.BytesIO(f"<html><title>Zanzibar harbour rules</title><body><p>{words}</p>".encode())
    document = add(contracts, alice, "kumquat.html", content)
    work()
    named = set(DocumentTerms.objects.get(document=document).terms)
    for name in ("Zanzibar", "kumquat"):
        describe(document, title=name)
        assert set(DocumentTerms.objects.get(document=document).terms) <= named


def test_a_name_of_a_person_stays(contracts: Datasource, alice: User, work: Any) -> None:
    document = add(contracts, alice, "scan0017.pdf", pdf("Lease of Harbour Street"))
    describe(document, title="Our lease")
    work()
    document.refresh_from_db()
    assert document.title == "Our lease"
    again = add(contracts, alice, "scan0018.pdf", pdf("Lease of 2026 for Harbour"), replaces=document)
    work()
    again.refresh_from_db()
    assert again.title == "Our lease"


def test_a_person_may_have_the_name_of_the_file_back(contracts: Datasource, alice: User, work: Any) -> None:
    document = add(contracts, alice, "scan0017.pdf", pdf("Lease of Harbour Street"))
    work()
    describe(document, title="scan0017")
    document.refresh_from_db()
    document.pages.all().delete()
    document.write(status=DocumentStatus.FAILED, error_code="internal", error_message="x")
    retry(document)
    work()
    document.refresh_from_db()
    assert (document.status, document.title) == (DocumentStatus.READY, "scan0017")


def test_a_new_version_has_its_own_title(contracts: Datasource, alice: User, work: Any) -> None:
    old = add(contracts, alice, "scan0017.pdf", pdf("Lease of Harbour Street"))
    work()
    old.refresh_from_db()
    same = add(
        contracts, alice, "scan0018.pdf", pdf("Lease of Harbour Street", "Another rent."), replaces=old
    )
    assert same.title == "scan0018"
    work()
    same.refresh_from_db()
    assert same.title == "Lease of Harbour Street", "the version before is no other document"
    plain = add(contracts, alice, "lease.txt", io.BytesIO(b"The rent."), replaces=same)
    work()
    plain.refresh_from_db()
    assert (plain.title, plain.version) == ("lease", 3)


def test_two_documents_stay_apart(contracts: Datasource, alice: User, work: Any) -> None:
    for place in range(3):
        add(contracts, alice, f"scan{place}.pdf", pdf("Lease of Harbour Street", f"Flat {place} has a rent."))
    work()
    titles = set(contracts.documents.values_list("title", flat=True))
    assert len(titles) == 3
    assert "Lease of Harbour Street" in titles


def test_a_mail_is_called_by_its_subject(contracts: Datasource, alice: User, work: Any) -> None:
    content = mail("Scaffold licence", ("rent.html", b"<title>Rent of the yard</title><p>Four thousand."))
    document = add(contracts, alice, "0017.eml", io.BytesIO(content))
    work()
    document.refresh_from_db()
    assert document.title == "Scaffold licence"
    assert document.parts.get().title == "Rent of the yard"
    shown = page_of(alice, "reader", contracts.pk, document.pk)
    for words in ("ann@example.org", "bob@example.org", "4 November 2026"):
        assert words in shown


def test_rest_tells_it_and_takes_none(contracts: Datasource, alice: User, work: Any) -> None:
    document = add(contracts, alice, "scan0017.pdf", pdf("Lease of Harbour Street"))
    document.write(metadata={"title": "mine"})
    work()
    rest = Api(alice)
    told = rest.get(f"documents/{document.pk}").json()
    assert told["title"] == told["file_properties"]["title"] == "Lease of Harbour Street"
    assert told["metadata"] == {"title": "mine"}, "what people say of it stays theirs"
    refused = rest.send("PATCH", f"documents/{document.pk}", {"file_properties": {"author": "Bob"}})
    assert refused.status_code == 400
    document.refresh_from_db()
    assert document.file_properties["author"] == "Ann Lee"


def test_old_files_keep_their_names(contracts: Datasource, alice: User, work: Any) -> None:
    document = add(contracts, alice, "scan0017.pdf", pdf("untitled"))
    work()
    document.refresh_from_db()
    assert document.title == "scan0017"
    assert "scan0017.pdf" not in page_of(alice, "documents", contracts.pk), "its name says it already"

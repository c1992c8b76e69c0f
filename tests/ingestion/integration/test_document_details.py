"""What people say of a document: its name, tags and description, and the folder that it was dropped with."""

import io
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, DocumentStatus
from datasources.models.tags import LONGEST, folder_tag
from ingestion.adding.upload import accept_upload
from ingestion.models import DocumentTerms
from retrieval.engine.filters import filtered
from retrieval.query import Filters, Scope
from tests.factories import make_document
from tests.people import browser_of

pytestmark = pytest.mark.django_db(transaction=True)

HTMX = {"HX-Request": "true"}


def text_of(response: Any) -> str:
    """With its tags."""
    return str(response.content.decode())


def address(document: object, name: str = "document_details") -> str:
    return reverse(name, args=[document.datasource_id, document.pk])  # type: ignore[attr-defined]


def test_a_document_is_renamed_tagged_and_described(contracts: Datasource, alice: User) -> None:
    document = make_document(contracts, "scan0017")
    client = browser_of(alice)
    form = text_of(client.get(address(document), headers=HTMX))
    assert 'value="scan0017"' in form
    given = {
        "title": " Lease of  Harbour Street ",
        "tags": "lease\nharbour\nLease\n",
        "description": "Signed.",
    }
    assert client.post(address(document), given).status_code == 302
    document.refresh_from_db()
    assert (document.title, document.tags) == ("Lease of Harbour Street", ["lease", "harbour"])
    page = text_of(client.get(reverse("documents", args=[contracts.pk])))
    assert "Lease of Harbour Street" in page
    assert "tagged lease, harbour" in page
    for words in ("harbour street", "signed", "lease"):
        found = client.get(reverse("documents", args=[contracts.pk]), {"find": words})
        assert f"doc-{document.pk}" in text_of(found)
    reader = text_of(client.get(address(document, "reader")))
    assert "Signed." in reader
    scope = Scope(user_id=alice.pk, datasource_id=contracts.pk)
    assert filtered(scope, Filters(tags=frozenset({"harbour"}))).document_ids == {document.pk}


def test_tags_that_differ_in_case_alone_are_one_tag(contracts: Datasource, alice: User) -> None:
    first, second, third = (make_document(contracts, title) for title in ("a", "b", "c"))
    client = browser_of(alice)
    client.post(address(first), {"title": "a", "tags": "Site"})
    client.post(address(second), {"title": "b", "tags": " site \nSITE\nnew"})
    second.refresh_from_db()
    assert second.tags == ["Site", "new"]
    client.post(address(second), {"title": "b", "tags": "site\nNEW"})
    second.refresh_from_db()
    assert second.tags == ["Site", "NEW"], "no other document has it: its spelling is free"
    third.write(metadata={"tags": "sITE"})  # as a program may have put it
    scope = Scope(user_id=alice.pk, datasource_id=contracts.pk)
    found = filtered(scope, Filters(tags=frozenset({"site"}))).document_ids
    assert found == {first.pk, second.pk, third.pk}
    page = text_of(client.get(reverse("search", args=[contracts.pk]), {"q": "rent", "tag": "site"}))
    assert re.findall(r'name="tag" value="(.*?)"( checked)?', page) == [("Site", " checked"), ("NEW", "")]


def test_a_dropped_folder_has_the_tag_that_is_there(contracts: Datasource, alice: User) -> None:
    make_document(contracts, "a", metadata={"tags": ["Leases"]})
    accepted = accept_upload(contracts, alice, "b.txt", io.BytesIO(b"Rent."), tag="leases")[0]
    assert accepted.document.tags == ["Leases"]


def test_a_search_finds_the_new_name(contracts: Datasource, alice: User) -> None:
    document = make_document(contracts, "scan0017")
    chunk = document.chunks.get()
    chunk.pk, chunk.index = None, 1
    chunk.save()
    before = set(DocumentTerms.objects.filter(document=document).values_list("terms", flat=True)[0])
    assert browser_of(alice).post(address(document), {"title": "Zanzibar"}).status_code == 302
    after = set(DocumentTerms.objects.get(document=document).terms)
    assert after - before


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"title": "  "}, "This field is required."),
        ({"title": "\u200b"}, "A document needs a name."),
        ({"title": "x" * 301}, "301 of 300 characters"),
        ({"title": "a", "description": "x" * 501}, "501 of 500 characters"),
        ({"title": "a", "tags": "x" * 201}, "has 201 characters; the limit is 200"),
        ({"title": "a", "tags": "\n".join(map(str, range(51)))}, "These are 51 tags"),
    ],
)
def test_what_is_refused_changes_nothing(
    contracts: Datasource, alice: User, given: dict[str, str], said: str
) -> None:
    document = make_document(contracts, "Kept", metadata={"tags": ["old"]})
    answer = browser_of(alice).post(address(document), given)
    assert answer.status_code == 422
    assert said in text_of(answer)
    document.refresh_from_db()
    assert (document.title, document.tags) == ("Kept", ["old"])


def test_only_editors_describe(contracts: Datasource, bob: User, charlie: User) -> None:
    document = make_document(contracts)
    assert browser_of(bob).post(address(document), {"title": "Mine"}).status_code == 403
    assert browser_of(charlie).post(address(document), {"title": "Mine"}).status_code == 404
    assert "Rename, tag" not in text_of(browser_of(bob).get(address(document, "reader")))
    document.refresh_from_db()
    assert document.title == "Questionnaire"


def test_a_document_of_another_datasource_is_not_found(contracts: Datasource, alice: User) -> None:
    other = Datasource.objects.create(name="Other", owner=alice)
    document = make_document(other)
    assert (
        browser_of(alice)
        .post(reverse("document_details", args=[contracts.pk, document.pk]), {"title": "x"})
        .status_code
        == 404
    )


def test_a_dropped_folder_becomes_a_tag(contracts: Datasource, alice: User) -> None:
    client = browser_of(alice)

    def drop(path: str, content: bytes = b"Rent is due.") -> None:
        files = SimpleUploadedFile(Path(path).name, content)
        upload = reverse("documents_upload", args=[contracts.pk])
        assert client.post(upload, {"files": files, "path": path}, headers=HTMX).status_code == 200

    drop("Harbour/Leases, old/2024/rent.txt")
    document = contracts.documents.get()
    assert document.tags == ["Harbour/Leases, old/2024"]
    drop("Copies/rent.txt")
    document.refresh_from_db()
    assert document.tags == ["Harbour/Leases, old/2024", "Copies"]
    drop("alone.txt", b"Nothing is due.")
    assert contracts.documents.get(title="alone").tags == []


@pytest.mark.parametrize(
    ("path", "tag"),
    [
        ("", ""),
        ("a.txt", ""),
        ("../../etc/passwd", "etc"),
        ("C:\\Files\\a.txt", "C:/Files"),
        ("//a//b/", "a/b"),
        ("\0/x\u202e/y", "x"),
        ("f" * 300 + "/a.txt", "f" * LONGEST),
    ],
)
def test_a_path_is_cleaned(path: str, tag: str) -> None:
    assert folder_tag(path) == tag


def test_the_command_keeps_folders_as_tags(contracts: Datasource, alice: User, tmp_path: Path) -> None:
    (tmp_path / "Leases" / "old").mkdir(parents=True)
    (tmp_path / "Leases" / "old" / "rent.txt").write_text("Rent is due.")
    call_command("ingest", "Contracts", str(tmp_path / "Leases"), user=alice.email, json=True)
    document = contracts.documents.get()
    assert (document.status, document.tags) == (DocumentStatus.READY, ["Leases/old"])


def test_a_new_version_keeps_what_people_said(contracts: Datasource, alice: User) -> None:
    document = make_document(contracts, "scan0017", description="Signed.", metadata={"tags": ["lease"]})
    browser_of(alice).post(address(document), {"title": "Lease", "tags": "lease", "description": "Signed."})
    document.refresh_from_db()
    new = accept_upload(contracts, alice, "scan0018.txt", io.BytesIO(b"New."), replaces=document)[0].document
    assert (new.title, new.description, new.tags) == ("Lease", "Signed.", ["lease"])


def test_programs_name_and_describe(contracts: Datasource, alice: User) -> None:
    document = make_document(contracts, metadata={"grade": "a"})
    client = browser_of(alice)
    answer = client.patch(
        reverse("api-document", args=[document.pk]),
        {"title": "Lease", "description": "Signed."},
        content_type="application/json",
    ).json()
    assert (answer["title"], answer["description"], answer["metadata"]) == (
        "Lease",
        "Signed.",
        {"grade": "a"},
    )

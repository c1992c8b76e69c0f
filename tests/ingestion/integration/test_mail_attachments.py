"""Files attached to a mail are documents of their own that come, go and return with it."""

import io
import zipfile
from dataclasses import replace
from email.message import EmailMessage
from pathlib import PurePath
from typing import Any

import pytest
from django.urls import reverse
from django.utils.translation import override

from accounts.models import User
from datasources.models import Datasource, Deletion, Document, DocumentStatus
from formats.base.values import AttachedFile
from formats.registry import format_of
from ingestion.adding.upload import accept_upload
from ingestion.lifecycle import deletion
from ingestion.models import Attachment
from ingestion.run import DocumentRun, start
from ingestion.steps import attachments
from jobs.runs import Stopped
from localization.stored import told as told_to_reader
from tests.formats.outlook_files import compound_file, message
from tests.people import browser_of

pytestmark = pytest.mark.django_db(transaction=True)

RENT = b"The rent is four thousand euro a month."
NOISE = b"name,limit\nday,55 dB\nnight,40 dB\n"


def mail(subject: str = "Scaffold licence", *files: tuple[str, bytes]) -> bytes:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "ann@example.org", "bob@example.org", subject
    made["Date"] = "Wed, 04 Nov 2026 09:00:00 +0000"
    made.set_content(f"Please see the files about {subject}.")
    for name, content in files:
        made.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    return made.as_bytes()


def text_of(response: Any) -> str:
    """With its tags."""
    return str(response.content.decode())


LICENCE = mail("Scaffold licence", ("rent.txt", RENT), ("noise.csv", NOISE))


def add(datasource: Datasource, user: User, name: str, content: bytes, **more: Any) -> Document:
    return accept_upload(datasource, user, name, io.BytesIO(content), **more)[0].document


def read(datasource: Datasource, user: User, work: Any, content: bytes = LICENCE, **more: Any) -> Document:
    document = add(datasource, user, "licence.eml", content, **more)
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY, document.error_message
    return document


def file_names(datasource: Datasource) -> list[str]:
    """Their names without endings: a mail is called by its subject."""
    names = datasource.documents.current().values_list("filename", flat=True)
    return sorted(PurePath(name).stem for name in names)


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is deleted is purged without ten seconds for an undo."""
    monkeypatch.setattr(deletion, "UNDO_SECONDS", 0)


def test_attachments_are_read_and_belong_to_their_mail(contracts: Datasource, alice: User, work: Any) -> None:
    document = read(contracts, alice, work, tag="Letters")
    rent, noise = contracts.documents.filter(part_of=document).order_by("pk")
    assert (rent.filename, rent.status, rent.tags) == ("rent.txt", DocumentStatus.READY, ["Letters"])
    assert noise.status == DocumentStatus.READY
    assert "four thousand euro" in rent.chunks.get().text
    client = browser_of(alice)
    documents = reverse("documents", args=[contracts.pk])
    folded = text_of(client.get(documents))
    assert "2 attachments" in folded
    assert f"doc-{rent.pk}" not in folded
    unfolded = text_of(client.get(documents, {"unfolded": document.pk}))
    assert unfolded.index(f"doc-{document.pk}") < unfolded.index(f"doc-{rent.pk}") < unfolded.index("noise")
    by_itself = text_of(client.get(documents, {"find": "rent"}))
    assert "Attached to Scaffold licence" in by_itself
    page = text_of(client.get(reverse("reader", args=[contracts.pk, document.pk])))
    assert reverse("reader", args=[contracts.pk, rent.pk]) in page
    part = text_of(client.get(reverse("reader", args=[contracts.pk, rent.pk])))
    assert reverse("reader", args=[contracts.pk, document.pk]) in part


def test_they_are_deleted_and_restored_with_the_mail(
    contracts: Datasource, alice: User, work: Any, at_once: None
) -> None:
    document = read(contracts, alice, work)
    kept = add(contracts, alice, "kept.txt", b"Nothing of this belongs to a mail.")
    deletion.delete(document, alice)
    assert file_names(contracts) == ["kept"]
    deletion.restore(document)
    assert file_names(contracts) == ["kept", "licence", "noise", "rent"]
    assert Attachment.objects.filter(document__part_of=document).count() == 2
    deletion.delete(document, alice)
    work()
    assert list(Document.objects.values_list("pk", flat=True)) == [kept.pk]
    assert not Attachment.objects.exists()
    receipts = Deletion.objects.exclude(completed=None)
    assert receipts.count() == 3
    assert not any(receipt.left for receipt in receipts)


def test_an_attachment_deleted_before_does_not_return_with_the_mail(
    contracts: Datasource, alice: User, work: Any
) -> None:
    document = read(contracts, alice, work)
    deletion.delete(contracts.documents.get(title="rent"), alice)
    deletion.delete(document, alice)
    deletion.restore(document)
    assert file_names(contracts) == ["licence", "noise"]
    page = text_of(browser_of(alice).get(reverse("reader", args=[contracts.pk, document.pk])))
    assert "Deleted" in page


def test_a_file_that_two_mails_have_stays_with_the_other(
    contracts: Datasource, alice: User, work: Any
) -> None:
    first = read(contracts, alice, work)
    second = add(contracts, alice, "again.eml", mail("Again", ("lease.txt", RENT)))
    work()
    rent = contracts.documents.get(title="rent")
    assert rent.part_of == first
    assert second.attachments.get().document == rent
    deletion.delete(first, alice)
    work()
    rent.refresh_from_db()
    assert (rent.part_of, file_names(contracts)) == (second, ["again", "rent"])


def test_a_file_added_by_itself_no_longer_goes_with_the_mail(
    contracts: Datasource, alice: User, work: Any
) -> None:
    document = read(contracts, alice, work)
    (accepted,) = accept_upload(contracts, alice, "rent.txt", io.BytesIO(RENT))
    assert accepted.duplicate
    deletion.delete(document, alice)
    assert file_names(contracts) == ["rent"]


def test_what_is_not_taken_in_is_said(contracts: Datasource, alice: User, work: Any) -> None:
    document = read(
        contracts, alice, work, mail("Mixed", ("run.exe", b"MZ"), ("void.txt", b""), ("a.txt", RENT))
    )
    assert file_names(contracts) == ["a", "licence"]
    page = text_of(browser_of(alice).get(reverse("reader", args=[contracts.pk, document.pk])))
    assert "SVQ cannot read files of this kind." in page
    assert "It is empty." in page
    address = reverse("reader", args=[contracts.pk, document.pk])
    german = text_of(browser_of(alice).get(address, headers={"accept-language": "de"}))
    assert "SVQ kann Dateien dieser Art nicht lesen." in german
    assert "Sie ist leer." in german


def test_mails_in_mails_are_taken_in_to_a_depth(contracts: Datasource, alice: User, work: Any) -> None:
    content = mail("Deepest", ("rent.txt", RENT))
    for number in range(5):
        content = mail(f"Level {number}", (f"level{number}.eml", content))
    document = read(contracts, alice, work, content)
    assert file_names(contracts) == ["level2", "level3", "level4", "licence"]
    refused = Attachment.objects.get(refusal__contains="one in the other")
    assert refused.refusal == "It lies in more than 3 mails or archives, one in the other."
    with override("de"):
        told = told_to_reader(refused.refusal, refused.refusal_words)
    assert told == "Sie liegt in mehr als 3 ineinander verschachtelten E-Mails oder Archiven."
    deletion.delete(document, alice)
    assert file_names(contracts) == []


def test_many_files_end_at_a_limit(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attachments, "format_of", lambda mime: replace(format_of(mime), most_files=2))
    files = [(f"{number}.txt", RENT + str(number).encode()) for number in range(4)]
    document = read(contracts, alice, work, mail("Many", *files))
    assert file_names(contracts) == ["0", "1", "licence"]
    address = reverse("reader", args=[contracts.pk, document.pk])
    assert "2 more files. SVQ takes in the first 2 files." in text_of(browser_of(alice).get(address))
    in_german = text_of(browser_of(alice).get(address, headers={"Accept-Language": "de"}))
    assert "2 weitere Dateien. SVQ nimmt die ersten 2 Dateien auf." in in_german


def test_a_file_that_is_too_large_says_how_large_it_may_be(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attachments, "LARGEST", 2**20)
    read(contracts, alice, work, mail("Large", ("large.txt", b"x" * (2**20 + 1))))
    refused = Attachment.objects.get(filename="large.txt")
    assert refused.refusal == "It is larger than 1 MB."
    with override("de"):
        assert told_to_reader(refused.refusal, refused.refusal_words) == "Sie ist größer als 1 MB."


def test_a_mailbox_has_more_files_than_a_single_mail(contracts: Datasource, alice: User, work: Any) -> None:
    line = b"From ann@example.org Wed Nov  4 09:00:00 2026\n"
    mails = (line + mail(f"Mail {number}", ("run.exe", b"MZ")) + b"\n\n" for number in range(52))
    add(contracts, alice, "all.mbox", b"".join(mails))
    work()
    assert list(Attachment.objects.values_list("filename", flat=True)) == ["run.exe"] * 52


def test_a_message_that_outlook_has_saved_has_its_files_and_its_subject(
    contracts: Datasource, alice: User, work: Any
) -> None:
    subject, text = 0x37, 0x1000
    inner = message({subject: "Inner", text: "Within."}, attached={"noise.csv": NOISE}, is_inner=True)
    saved = message(
        {subject: "Lease of the yard", text: "See both."}, attached={"rent.txt": RENT, "Inner": inner}
    )
    document = add(contracts, alice, "message.msg", compound_file(saved))
    work()
    document.refresh_from_db()
    assert (document.status, document.title) == (DocumentStatus.READY, "Lease of the yard")
    assert "Within." in document.pages.get().text
    assert file_names(contracts) == ["message", "noise", "rent"]


def test_files_in_an_archive_belong_to_it_as_those_of_a_mail_do(
    contracts: Datasource, alice: User, work: Any
) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("leases/rent.txt", RENT)
        archive.writestr("../../noise.csv", NOISE)
        archive.writestr("mails/licence.eml", mail("Licence", ("extra.txt", b"An extra page.")))
        archive.writestr("program.exe", b"MZ")
    document = add(contracts, alice, "tenancy.zip", packed.getvalue())
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY, document.error_message
    assert file_names(contracts) == ["extra", "licence", "noise", "rent", "tenancy"]
    assert "leases/rent.txt\t39 bytes" in document.pages.get().text
    assert list(document.attachments.filter(document=None).values_list("filename", "refusal")) == [
        ("program.exe", "SVQ cannot read files of this kind.")
    ]
    deletion.delete(document, alice)
    assert file_names(contracts) == []


def test_a_new_version_of_the_mail_takes_them_over(
    contracts: Datasource, alice: User, work: Any, at_once: None
) -> None:
    document = read(contracts, alice, work)
    newer = add(
        contracts, alice, "newer.eml", mail("Newer", ("rent.txt", RENT), ("b.txt", b"B.")), replaces=document
    )
    work()
    assert file_names(contracts) == ["b", "newer", "noise", "rent"]
    assert set(contracts.documents.filter(part_of=newer).values_list("title", flat=True)) == {
        "b",
        "noise",
        "rent",
    }
    newer.refresh_from_db()
    deletion.delete(newer, alice)
    work()
    assert not Document.objects.exists()


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_worker_that_dies_at_an_attachment_takes_none_in_twice(
    contracts: Datasource, alice: User, work: Any, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    document = add(contracts, alice, "licence.eml", LICENCE)
    real = attachments.take_in

    def deadly(run: DocumentRun, position: int, attached: AttachedFile) -> None:
        if position == 1 or moment == "after":
            real(run, position, attached)
        if position == 2:
            raise Stopped

    monkeypatch.setattr(attachments, "take_in", deadly)
    run = start(document.pk)
    assert run
    with pytest.raises(Stopped):
        attachments.Attachments().run(run)
    monkeypatch.setattr(attachments, "take_in", real)
    work()
    assert file_names(contracts) == ["licence", "noise", "rent"]
    assert document.attachments.count() == 2
    assert set(contracts.documents.values_list("status", flat=True)) == {DocumentStatus.READY}


def test_attachments_count_for_who_added_the_mail(
    contracts: Datasource, alice: User, work: Any, settings: Any
) -> None:
    settings.DOCUMENTS_PER_HOUR = 2
    document = read(contracts, alice, work)
    assert file_names(contracts) == ["licence", "rent"]
    page = text_of(browser_of(alice).get(reverse("reader", args=[contracts.pk, document.pk])))
    assert "The limit is 2 documents within an hour" in page

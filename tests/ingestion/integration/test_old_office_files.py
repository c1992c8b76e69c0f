"""Old Office files with LibreOffice, for which a script stands, and without it."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from benchmarks.office_files import docx, paragraph
from datasources.models import Datasource, Document, DocumentStatus
from formats.embedded.recognition import is_encrypted_presentation, is_encrypted_text
from formats.legacy import office
from formats.registry import format_of
from ingestion.adding.upload import accept_upload
from svq_site.host import doctor
from tests.formats.old_office import doc, ppt
from tests.people import browser_of
from tests.processes import lives, wait_until
from tests.programs import offer, stand_ins

pytestmark = pytest.mark.django_db(transaction=True)

FEE = "The mooring fee is nineteen euro a night."
RTF = b"{\\rtf1 " + FEE.encode() + b"}"
# The last argument is the file; after --convert-to stands the ending, after --outdir the folder.
CONVERTS = """
while [ "$#" -gt 1 ]; do
  case "$1" in --convert-to) ending="$2";; --outdir) folder="$2";; esac
  shift
done
test -s "$1" && cp '{made}' "$folder/source.$ending"
"""


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Call it with a shell script, which becomes `soffice`."""
    (tmp_path / "made.docx").write_bytes(docx(paragraph(FEE)))

    def install(script: str) -> None:
        offer("soffice", script.replace("{made}", str(tmp_path / "made.docx")), tmp_path, monkeypatch)

    return install


def read(datasource: Datasource, user: User, work: Any) -> Document:
    document = accept_upload(datasource, user, "fees.rtf", io.BytesIO(RTF))[0].document
    work()
    document.refresh_from_db()
    return document


@pytest.mark.parametrize("script", stand_ins("soffice", CONVERTS))
def test_a_file_is_converted_and_read(
    contracts: Datasource, alice: User, work: Any, installed: Any, script: str
) -> None:
    installed(script)
    document = read(contracts, alice, work)
    assert document.status == DocumentStatus.READY, document.error_message
    assert FEE in document.chunks.get().text
    assert "converted" in doctor.old_office_files().detail


def test_a_file_with_a_password_asks_for_it_and_is_opened_with_it(
    contracts: Datasource, alice: User, work: Any, installed: Any
) -> None:
    installed(f"grep -q 'nineteen euro' \"$(eval echo \\${{$#}})\" || exit 1\n{CONVERTS}")
    file = io.BytesIO(doc(FEE, "hunter2"))
    document = accept_upload(contracts, alice, "fees.doc", file)[0].document
    work()
    document.refresh_from_db()
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "encrypted")
    unlock = reverse("document_unlock", args=[contracts.pk, document.pk])
    assert browser_of(alice).post(unlock, {"password": "hunter3"}).status_code == 422
    assert browser_of(alice).post(unlock, {"password": "hunter2"}).status_code == 302
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY, document.error_message
    other = Datasource.objects.create(name="Other", owner=alice)
    again = accept_upload(other, alice, "fees.doc", file)[0].document
    work()
    again.refresh_from_db()
    assert again.error_code == "encrypted", "what was made with the password is not for those who lack it"


def test_slides_of_before_2007_are_opened_with_their_password(tmp_path: Path) -> None:
    path = tmp_path / "fees.ppt"
    path.write_bytes(ppt(FEE, "hunter2"))
    assert is_encrypted_presentation(path.read_bytes())
    assert FEE.encode() not in path.read_bytes()
    slides = format_of("application/vnd.ms-powerpoint")
    with pytest.raises(office.ExtractionError) as refused:
        slides.unlock(path, "hunter3")
    assert refused.value.code == "encrypted"
    opened = slides.unlock(path, "hunter2")
    assert FEE.encode() in opened
    assert not is_encrypted_presentation(opened)


def test_only_files_with_a_password_ask_for_one() -> None:
    begins = b"\x00\x00\xf6\x0f\x18\x00\x00\x00\x14\x00\x00\x00"
    assert is_encrypted_text(doc(FEE, "hunter2"))
    assert not is_encrypted_text(doc(FEE))
    assert is_encrypted_presentation(begins + b"\xdf\xc4\xd1\xf3")
    assert not is_encrypted_presentation(begins + b"\x5f\xc0\x91\xe3")


def test_without_it_the_file_is_refused_with_what_to_do(
    contracts: Datasource, alice: User, work: Any
) -> None:
    document = read(contracts, alice, work)
    assert (document.status, document.error_code) == (DocumentStatus.FAILED, "unsupported")
    assert ".docx" in document.error_hint
    page = browser_of(alice).get(reverse("documents", args=[contracts.pk])).content.decode()
    assert (
        "This is a Rich Text file. Open it in Word or LibreOffice, save it as .docx and add that.</span>"
        in page
    )


def test_a_conversion_that_fails_says_so(
    contracts: Datasource, alice: User, work: Any, installed: Any
) -> None:
    installed("exit 1\n")
    assert read(contracts, alice, work).error_message == "LibreOffice could not convert this file."


def test_a_file_at_which_libreoffice_was_killed_can_be_tried_again(
    contracts: Datasource, alice: User, work: Any, installed: Any
) -> None:
    installed("kill -ABRT $$\n")
    document = read(contracts, alice, work)
    assert document.error_message == "LibreOffice stopped while it converted this file."
    page = browser_of(alice).get(reverse("documents", args=[contracts.pk])).content.decode()
    assert reverse("document_retry", args=[contracts.pk, document.pk]) in page
    installed(CONVERTS)
    browser_of(alice).post(reverse("document_retry", args=[contracts.pk, document.pk]))
    work()
    document.refresh_from_db()
    assert document.status == DocumentStatus.READY, document.error_message


def test_a_conversion_without_an_end_is_stopped_with_all_that_it_started(
    installed: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office, "SECONDS", 1.0)
    installed(f"sleep 60 & echo $! > '{tmp_path}/started'; wait\n")
    (tmp_path / "a.rtf").write_bytes(RTF)
    with pytest.raises(office.ExtractionError) as stopped:
        office.converted(tmp_path / "a.rtf", ".rtf", ".docx")
    assert stopped.value.code == "timeout"
    started = int((tmp_path / "started").read_text())
    wait_until(lambda: not lives(started), "the end of what it started")


def test_a_link_is_not_followed(installed: Any, tmp_path: Path) -> None:
    installed(CONVERTS.replace("cp '{made}'", "ln -s '{made}'"))
    (tmp_path / "a.rtf").write_bytes(RTF)
    with pytest.raises(office.ExtractionError):
        office.converted(tmp_path / "a.rtf", ".rtf", ".docx")

"""What a person may add and ask within an hour, and what a datasource holds."""

import io
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone

from accounts.models import Usage, User
from accounts.quotas import QuotaUsedUp
from chat.services import ask
from datasources.models import Datasource, Role
from datasources.services import share
from ingestion.adding.upload import Accepted, accept_upload
from ingestion.lifecycle.purging import purge
from tests.people import browser_of

pytestmark = pytest.mark.django_db


def add(datasource: Datasource, user: User, text: str, **more: Any) -> list[Accepted]:
    return accept_upload(datasource, user, f"{text}.txt", io.BytesIO(text.encode()), **more)


def upload(datasource: Datasource, user: User, *texts: str) -> Any:
    files = [SimpleUploadedFile(f"{text}.txt", text.encode()) for text in texts]
    return browser_of(user).post(reverse("api-documents", args=[datasource.pk]), {"files": files})


def hours_ago(hours: float) -> None:
    """Let all that was used have been used earlier."""
    for row in Usage.objects.all():
        Usage.objects.filter(pk=row.pk).update(minute=row.minute - timedelta(hours=hours))


def test_over_the_quota_rest_says_when_it_is_possible_again(
    contracts: Datasource, alice: User, settings: Any
) -> None:
    settings.DOCUMENTS_PER_HOUR = 2
    assert [upload(contracts, alice, text).status_code for text in ("One", "Two")] == [201, 201]
    refused = upload(contracts, alice, "Three")
    assert refused.status_code == 429
    assert 3500 < int(refused["Retry-After"]) <= 3600
    assert refused.json()["code"] == "quota"
    assert refused.json()["message"].startswith(
        "The limit is 2 documents within an hour, and you have added 2."
    )
    again = timezone.localtime(timezone.now() + timedelta(seconds=int(refused["Retry-After"])))
    assert f"try again at {again:%H:%M}" in refused.json()["hint"]
    assert contracts.documents.count() == 2


def test_after_an_hour_it_is_possible_again(contracts: Datasource, alice: User, settings: Any) -> None:
    settings.DOCUMENTS_PER_HOUR = 1
    add(contracts, alice, "One")
    hours_ago(1.1)
    assert upload(contracts, alice, "Two").status_code == 201


def test_what_is_deleted_still_counts(contracts: Datasource, alice: User, settings: Any) -> None:
    settings.DOCUMENTS_PER_HOUR = 1
    purge(add(contracts, alice, "One")[0].document)
    assert upload(contracts, alice, "Two").status_code == 429


def test_what_is_refused_or_here_already_does_not_count(
    contracts: Datasource, alice: User, settings: Any
) -> None:
    settings.DOCUMENTS_PER_HOUR = 2
    add(contracts, alice, "One")
    assert upload(contracts, alice, "One").status_code == 200
    with pytest.raises(ValidationError):
        accept_upload(contracts, alice, "x.exe", io.BytesIO(b"MZ\0\0"))
    assert upload(contracts, alice, "Two").status_code == 201


def test_of_several_files_those_that_fit_are_taken(contracts: Datasource, alice: User, settings: Any) -> None:
    settings.DOCUMENTS_PER_HOUR = 1
    answer = upload(contracts, alice, "One", "Two")
    assert answer.status_code == 207
    assert [row["outcome"] for row in answer.json()["files"]] == ["accepted", "rejected"]


def test_another_persons_quota_is_their_own(
    contracts: Datasource, alice: User, bob: User, settings: Any
) -> None:
    settings.DOCUMENTS_PER_HOUR = 1
    share(contracts, bob, Role.EDITOR)
    add(contracts, alice, "One")
    assert upload(contracts, bob, "Two").status_code == 201


def test_bytes_have_a_quota_and_a_file_that_never_fits_is_told_so(
    contracts: Datasource, alice: User, settings: Any
) -> None:
    settings.UPLOAD_BYTES_PER_HOUR = 2**20
    add(contracts, alice, "a" * 10)
    with pytest.raises(QuotaUsedUp, match="try again at") as later:
        accept_upload(contracts, alice, "b.txt", io.BytesIO(b"b" * 2**20))
    assert later.value.wait
    with pytest.raises(QuotaUsedUp, match="Split it") as never:
        accept_upload(contracts, alice, "c.txt", io.BytesIO(b"c" * (2**20 + 1)))
    assert not never.value.wait


def test_passages_of_one_file_are_one_document_of_the_quota(
    contracts: Datasource, alice: User, settings: Any
) -> None:
    settings.DOCUMENTS_PER_HOUR = 1
    lines = b"\n".join(b'{"title": "T%d", "text": "Text %d."}' % (n, n) for n in range(5))
    accept_upload(contracts, alice, "p.jsonl", io.BytesIO(lines))
    assert contracts.documents.count() == 5
    assert upload(contracts, alice, "Two").status_code == 429


def test_what_an_operator_adds_by_a_command_does_not_count(
    contracts: Datasource, alice: User, settings: Any
) -> None:
    settings.DOCUMENTS_PER_HOUR = 1
    add(contracts, alice, "One", counted=False)
    add(contracts, alice, "Two", counted=False)
    assert upload(contracts, alice, "Three").status_code == 201


def test_zero_is_no_limit(contracts: Datasource, alice: User, settings: Any) -> None:
    settings.DOCUMENTS_PER_HOUR = settings.UPLOAD_BYTES_PER_HOUR = settings.QUESTIONS_PER_HOUR = 0
    add(contracts, alice, "One")
    ask(alice, contracts, "Who?")


def test_questions_have_a_quota(contracts: Datasource, alice: User, settings: Any) -> None:
    settings.QUESTIONS_PER_HOUR = 1
    address = reverse("api-ask", args=[contracts.pk])
    client = browser_of(alice)
    asked = {"question": "Who?", "wait": False}
    assert client.post(address, asked, content_type="application/json").status_code == 202
    refused = client.post(address, asked, content_type="application/json")
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    page = client.post(
        reverse("ask_new", args=[contracts.pk]), {"question": "Why?"}, headers={"HX-Request": "true"}
    )
    assert page.status_code == 429
    assert page["Retry-After"]
    assert "The limit is 1 question within an hour, and you have asked 1." in page.content.decode()


@pytest.mark.parametrize(
    ("limit", "value", "told"),
    [
        ("MAX_DATASOURCE_DOCUMENTS", 1, "has 1 documents and takes 1 at most"),
        ("MAX_DATASOURCE_BYTES", 4, "MB at most"),
    ],
)
def test_a_full_datasource_says_so(
    contracts: Datasource, alice: User, settings: Any, limit: str, value: int, told: str
) -> None:
    add(contracts, alice, "One")
    setattr(settings, limit, value)
    refused = upload(contracts, alice, "Two")
    assert refused.status_code == 400
    assert refused.json()["code"] == "datasource_full"
    assert told in refused.json()["message"]
    assert contracts.documents.count() == 1


def test_the_settings_pages_show_what_is_used(contracts: Datasource, alice: User, settings: Any) -> None:
    settings.DOCUMENTS_PER_HOUR, settings.MAX_DATASOURCE_DOCUMENTS = 40, 60
    add(contracts, alice, "One")
    ask(alice, contracts, "Who?")
    own = browser_of(alice).get(reverse("account_limits")).content.decode()
    assert "1 of 40" in own
    assert "1 of 2,000" in own
    assert (
        "1 of 60"
        in browser_of(alice).get(reverse("settings_section", args=[contracts.pk, "general"])).content.decode()
    )

"""A check in one step: what it makes, what it uses again, and that nothing is left of one that is refused."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, DocumentStatus
from desks.compliance.frameworks.shipped import NAME, shipped
from desks.compliance.models import Attachment, Check, Framework, Subject
from tests.compliance.world import TABLE, documents, framework
from tests.factories import make_document
from tests.people import browser_of

pytestmark = pytest.mark.django_db


def begin(person: User, datasource: Datasource, **posted: Any) -> Any:
    return browser_of(person).post(reverse("gap_shipped", args=[datasource.pk]), posted, follow=True)


def page_of(person: User, datasource: Datasource, query: str = "") -> str:
    answer = browser_of(person).get(reverse("gaps", args=[datasource.pk]) + query)
    content: str = answer.content.decode()
    return content


def test_the_check_of_all_documents_is_started_with_a_copy_of_the_list(
    contracts: Datasource, alice: User
) -> None:
    documents(contracts)
    answer = begin(alice, contracts)
    check = Check.objects.get()
    assert (check.total, check.asked_by) == (sum(node.is_assessable for node in shipped().nodes), alice)
    assert check.assessment.subject.has_all
    assert check.assessment.framework.name == NAME
    assert answer.redirect_chain[0][0].startswith(reverse("gaps", args=[contracts.pk]))


def test_one_copy_and_one_selection_of_all_documents_are_enough(contracts: Datasource, alice: User) -> None:
    documents(contracts)
    begin(alice, contracts)
    Check.objects.all().delete()
    begin(alice, contracts)
    assert Framework.objects.count() == Subject.objects.count() == Check.objects.count() == 1


def test_a_changed_copy_is_shown_as_it_is(contracts: Datasource, alice: User) -> None:
    documents(contracts)
    begin(alice, contracts)
    copy = Framework.objects.get()
    Framework.objects.update(name="Our own list")
    copy.requirements.filter(is_assessable=True).exclude(ref="1.2").update(is_assessable=False)
    page = browser_of(alice).get(reverse("gaps", args=[contracts.pk]), {"lists": ""}).content.decode()
    assert "Our own list" in page
    assert "Check this 1 point" in page


def test_another_list_of_that_name_is_left_alone(contracts: Datasource, alice: User) -> None:
    documents(contracts)
    Framework.objects.create(owner=alice, name=NAME.upper())
    begin(alice, contracts)
    assert Check.objects.get().assessment.framework.name == f"{NAME} (2)"


def test_chosen_documents_are_named_after_what_they_are(contracts: Datasource, alice: User) -> None:
    one, other = documents(contracts)
    begin(alice, contracts, which="chosen", document=[one.pk])
    begin(alice, contracts, which="chosen", document=[one.pk, other.pk])
    Check.objects.all().delete()
    begin(alice, contracts, which="chosen", document=[one.pk])
    assert set(Subject.objects.values_list("name", flat=True)) == {
        "Questionnaire",
        "2 documents",
        "Questionnaire (2)",
    }


@pytest.mark.parametrize("posted", [{}, {"which": "chosen"}, {"which": "chosen", "document": ["9", "x"]}])
def test_nothing_is_kept_of_a_check_without_documents(
    contracts: Datasource, alice: User, posted: dict[str, Any]
) -> None:
    answer = begin(alice, contracts, **posted)
    assert answer.status_code == 200
    assert not Framework.objects.exists()
    assert not Subject.objects.exists()
    assert not Check.objects.exists()


def test_who_may_only_read_is_told_who_can_start(contracts: Datasource, alice: User, bob: User) -> None:
    documents(contracts)
    assert "Somebody who may edit here can start a check." in page_of(bob, contracts)
    assert begin(bob, contracts).status_code == 403


def test_without_a_document_the_way_to_add_one_is_shown(contracts: Datasource, alice: User) -> None:
    page = page_of(alice, contracts)
    assert "no document has been read" in page
    assert "Check these" not in page


def test_a_file_becomes_the_list_of_this_datasource(contracts: Datasource, alice: User) -> None:
    file = SimpleUploadedFile("rules.csv", TABLE.encode())
    address = reverse("gap_own", args=[contracts.pk])
    browser_of(alice).post(address, {"file": file})
    assert Attachment.objects.get().framework.name == "rules"
    assert Subject.objects.get().has_all
    refused = browser_of(alice).post(address, {"file": SimpleUploadedFile("x.pdf", b"x")}, follow=True)
    assert "is not a file of a list of points" in refused.content.decode()


def test_a_shared_list_is_offered_and_used(contracts: Datasource, alice: User, bob: User) -> None:
    shared = framework(bob, "Rules of the team")
    assert "Rules of the team" not in page_of(alice, contracts)
    Framework.objects.update(is_shared=True)
    assert "Rules of the team" in page_of(alice, contracts)
    posted = {"framework": shared.pk, "action": "attach"}
    browser_of(alice).post(reverse("gap_attach", args=[contracts.pk]), posted)
    assert "Rules of the team" in page_of(alice, contracts)
    assert "Bring your own list" in page_of(alice, contracts, "?lists")


def test_a_ticked_document_is_chosen_although_all_is_too(contracts: Datasource, alice: User) -> None:
    backups, _ = documents(contracts)
    begin(alice, contracts, which="all", document=backups.pk)
    subject = Check.objects.get().assessment.subject
    assert (subject.name, subject.has_all) == ("Questionnaire", False)
    assert list(subject.documents.all()) == [backups]


def test_what_could_not_be_read_is_not_offered(contracts: Datasource, alice: User) -> None:
    documents(contracts)
    make_document(contracts, "Locked", status=DocumentStatus.FAILED)
    page = page_of(alice, contracts)
    assert "Questionnaire" in page
    assert "Locked" not in page

"""Pages of compliance without a browser: importing, correcting, checking, reviewing, reports."""

import csv
import io
import re
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from datasources.models import Datasource
from desks.compliance.checks.review import change
from desks.compliance.checks.services import start_check
from desks.compliance.checks.subjects import create_subject
from desks.compliance.models import (
    Assessment,
    Check,
    Evidence,
    Finding,
    Framework,
    Requirement,
    Review,
    Verdict,
)
from desks.compliance.reports.catalogue import report_of
from desks.compliance.web import subject_views
from ingestion.lifecycle.deletion import delete
from tests.compliance.world import BACKUPS, TABLE, framework, vendor
from tests.factories import make_document, under_heading
from tests.people import browser_of
from tests.responses import text_of
from tests.rest import program
from text.tables.spreadsheets import inert

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def assessment(contracts: Datasource, alice: User, work: Callable[[], None]) -> Assessment:
    made, subject = vendor(contracts, alice, "=Tarnbeck")
    check = start_check(alice, made, subject)
    work()
    return check.assessment


def test_a_check_that_its_limit_of_money_has_held_goes_on_with_another_one(
    assessment: Assessment, alice: User, settings: Any
) -> None:
    settings.LLM_BASE_URL, settings.LLM_MODEL = "http://127.0.0.1:9/v1", "scripted"
    browser, check = browser_of(alice), assessment.checks.get()
    check.write(status="held", spent_money=5, spent_tokens=900, money_budget=5, token_budget=2_000)
    here = {"framework": assessment.framework_id, "vendor": assessment.subject_id}
    page = browser.get(reverse("gaps", args=[assessment.datasource_id]), here).content.decode()
    assert 'name="token_budget" inputmode="numeric" value="1100"' in page
    assert 'name="money_budget" inputmode="decimal" value="0"' in page
    end = reverse("gap_end", args=[assessment.datasource_id, check.pk])
    untouched = {"action": "go_on", "token_budget": "1100", "money_budget": "0"}
    assert "Go on with another limit, or with none." in text_of(browser.post(end, untouched, follow=True))
    check.refresh_from_db()
    assert check.status == "held"
    unpriced = browser.post(end, untouched | {"money_budget": "2.50"}, follow=True)
    assert "A budget of money needs the model's prices." in text_of(unpriced)
    settings.LLM_PRICE_INPUT = Decimal(1)
    browser.post(end, untouched | {"money_budget": "2.50"})
    check.refresh_from_db()
    assert (check.status, check.token_budget, check.money_budget) == ("queued", 2_000, Decimal("7.5"))


def test_a_framework_is_imported_corrected_and_shared(contracts: Datasource, alice: User, bob: User) -> None:
    browser = browser_of(alice)
    file = SimpleUploadedFile("rules.csv", TABLE.encode())
    made_at = browser.post(reverse("frameworks"), {"file": file, "name": "Rules"}, follow=True)
    assert "The contract says when an invoice is paid." in made_at.content.decode()
    made = Framework.objects.get()
    refused = browser.post(reverse("frameworks"), {"file": SimpleUploadedFile("a.csv", b"x"), "name": ""})
    assert refused.status_code == 422
    assert "names no column" in refused.content.decode()
    row = made.requirements.get(ref="2.1")
    address = reverse("framework_requirement", args=[made.pk, row.pk])
    browser.post(address, {"action": "save", "ref": "2.1", "text": "Paid in 30 days.", "is_assessable": "on"})
    browser.post(address, {"action": "behind", "ref": "2.2", "text": "With a number.", "is_assessable": "on"})
    browser.post(reverse("framework", args=[made.pk]), {"action": "save", "name": "Rules", "is_shared": "on"})
    page = browser_of(bob).get(reverse("framework", args=[made.pk])).content.decode()
    assert "Paid in 30 days." in page
    assert "With a number." in page
    assert ">Edit</a>" not in page, "that is for its owner"
    assert ">Edit</a>" in browser.get(reverse("framework", args=[made.pk])).content.decode()
    assert Requirement.objects.filter(framework=made).count() == 6


def test_the_language_that_is_shown_is_marked(alice: User) -> None:
    table = TABLE.replace("assessable\n", "assessable,text:de\n").replace("yes\n", "yes,Rechnung\n")
    address = reverse("framework", args=[framework(alice, table=table).pk])
    page = browser_of(alice).get(address, {"language": "de"}).content.decode()
    assert "Rechnung" in page
    assert 'href="?language=de" aria-current="true"' in page
    assert 'href="?language=unknown" aria-current' not in page
    assert "Delete it with its 5 points" in page


def test_a_language_has_its_name_and_a_long_datasource_its_whole_one(
    contracts: Datasource, alice: User
) -> None:
    contracts.name = "Sample: Tarnbeck and Hallowmere (2)"
    contracts.save()
    table = TABLE.replace("assessable\n", "assessable,text:cs\n").replace("yes\n", "yes,Faktura\n")
    address = reverse("framework", args=[framework(alice, table=table).pk])
    page = browser_of(alice).get(address).content.decode()
    assert ">Czech</a>" in page
    assert "Use in Sample: Tarnbeck and Hallowmere (2)" in page


def test_a_regulation_that_is_here_becomes_a_framework(contracts: Datasource, alice: User) -> None:
    law = make_document(
        contracts, "Law", "Article 1\nScope\n1. It binds all.\nArticle 2\nNotice\n1. Tell us."
    )
    browser_of(alice).post(reverse("gap_cut", args=[contracts.pk]), {"document": law.pk})
    made = Framework.objects.get()
    assert list(made.requirements.values_list("ref", flat=True)) == ["Article 1", "1.1", "Article 2", "2.1"]
    assert made.name in browser_of(alice).get(reverse("gaps", args=[contracts.pk])).content.decode()


def test_a_check_is_started_and_reviewed_by_hand(contracts: Datasource, alice: User, bob: User) -> None:
    made, subject = vendor(contracts, alice)
    browser = browser_of(alice)
    started = browser.post(
        reverse("gap_check", args=[contracts.pk]), {"framework": made.pk, "vendor": subject.pk, "at": ""}
    )
    assert started.status_code == 302
    assert Check.objects.get().total == 3
    assessment = Assessment.objects.get()
    requirement = made.requirements.get(ref="1.1")
    address = reverse("gap_review", args=[contracts.pk, assessment.pk, requirement.pk])
    reason = "\x1bClause 12.2\x07\u202e says so."
    browser.post(address, {"action": "change", "verdict": "covered", "reason": reason})
    browser.post(address, {"action": "assign", "to": bob.pk})
    assert [each.kind for each in Review.objects.all()] == ["change", "assign"]
    assert Review.objects.get(kind="change").reason == "Clause 12.2 says so.", "without what nobody can see"
    page = browser_of(bob).get(reverse("gaps", args=[contracts.pk])).content.decode()
    assert "Covered" in page
    assert "style=" not in page
    assert browser_of(bob).post(address, {"action": "agree"}).status_code == 403


def test_what_is_to_be_judged_is_told_as_that(
    contracts: Datasource, alice: User, assessment: Assessment
) -> None:
    requirement = assessment.framework.requirements.get(ref="1.1")
    address = reverse("gap_requirement", args=[contracts.pk, assessment.pk, requirement.pk])
    page = browser_of(alice).get(address, HTTP_HX_REQUEST="true").content.decode()
    assert "Passages that may say it, for you to judge" in page
    assert BACKUPS in page
    assert "Agree," not in page
    assert "Covered</span>" not in page
    assert "Give a result" in page


def test_nearest_words_are_no_evidence_and_gaps_that_nobody_looked_for_are_not_none(
    contracts: Datasource, alice: User, assessment: Assessment
) -> None:
    browser, address = browser_of(alice), reverse("gaps", args=[contracts.pk])
    told = text_of(browser.get(address))
    assert "Nearest words, to be judged" in told
    assert "Evidence" not in told
    assert "Gaps (not judged)" in told
    requirement = assessment.framework.requirements.get(ref="1.1")
    review = reverse("gap_review", args=[contracts.pk, assessment.pk, requirement.pk])
    browser.post(review, {"action": "change", "verdict": "covered", "reason": "It says so."})
    told = text_of(browser.get(address, {"show": "gaps"}))
    assert "Gaps 0 so far" in told
    assert "No point here is a gap so far: 2 are not judged." in told


def test_a_report_says_a_requirement_once_and_no_quote_is_broken_where_its_line_ends(
    contracts: Datasource, alice: User, assessment: Assessment
) -> None:
    Evidence.objects.update(quote="Backups are kept\nfor thirty days.")
    part = {"verdict": "to_judge", "statement": "", "reason": ""}
    told = [part | {"text": "It says how long."}, part | {"text": "of backups", "reason": "Not found."}]
    Finding.objects.filter(requirement__ref="2.1").update(parts=told)
    address = reverse("gap_report", args=[contracts.pk, assessment.pk, "docx"])
    content = browser_of(alice).get(address).content
    with zipfile.ZipFile(io.BytesIO(content)) as document:
        words = text_of(document.read("word/document.xml").decode())
    assert "“Backups are kept for thirty days.”" in words
    assert words.count("The supplier says how long backups are kept.") == 1
    assert "To be judged: It says how long. " in words
    assert "To be judged: of backups. Not found." in words


def test_a_report_writes_when_somebody_reviewed_as_its_language_does_and_rest_as_programs_read_it(
    contracts: Datasource, alice: User, assessment: Assessment
) -> None:
    requirement = assessment.framework.requirements.get(ref="1.1")
    change(assessment, requirement, alice, Verdict.PARTIAL, "Late payment is not dealt with.")
    Review.objects.update(created=datetime(2026, 11, 30, 6, 25, tzinfo=UTC))
    address = reverse("gap_report", args=[contracts.pk, assessment.pk, "csv"])
    browser = browser_of(alice)
    assert ",30 Nov 2026 06:25 UTC," in browser.get(address).content.decode()
    word = browser.get(reverse("gap_report", args=[contracts.pk, assessment.pk, "docx"])).content
    with zipfile.ZipFile(io.BytesIO(word)) as document:
        assert ", 30 Nov 2026 06:25 UTC. Late payment is not dealt with." in text_of(
            document.read("word/document.xml").decode()
        )
    findings = program(alice)[0].get(f"assessments/{assessment.pk}/findings").json()["findings"]
    assert "2026-11-30 06:25 UTC" in [each["reviewed"] for each in findings]


def test_what_was_added_since_the_check_is_told(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    made, _ = vendor(contracts, alice)
    subject = create_subject(contracts, "All documents", has_all=True)
    check = start_check(alice, made, subject)
    work()
    page = reverse("gaps", args=[contracts.pk]) + f"?framework={made.pk}&vendor={subject.pk}&at=all"
    browser = browser_of(alice)
    before = contracts.documents.count()
    assert "since" not in text_of(browser.get(page))
    make_document(contracts, "Annex", "Something new.", ready_at=timezone.now())
    make_document(contracts, "Schedule", "Something else.", ready_at=timezone.now())
    delete(contracts.documents.get(title="Questionnaire"))
    told = text_of(browser.get(page))
    assert f"3 points against {before} documents (All documents)" in told, "as many as were searched"
    assert "2 added since, 1 gone: check again." in told
    report = report_of(check.assessment, list(made.requirements.filter(is_assessable=True)), "").summary
    assert f"{before} documents were searched" in report
    assert "The documents have changed: 2 added since, 1 gone. Check again." in report


def test_a_check_of_a_part_does_not_speak_for_the_rest(
    contracts: Datasource, alice: User, work: Callable[[], None]
) -> None:
    made, _ = vendor(contracts, alice)
    subject = create_subject(contracts, "All documents", has_all=True)
    start_check(alice, made, subject)
    work()
    make_document(contracts, "Annex", "Something new.", ready_at=timezone.now())
    part = made.requirements.get(ref="1")
    start_check(alice, made, subject, scope=part)
    work()
    page = reverse("gaps", args=[contracts.pk]) + f"?framework={made.pk}&vendor={subject.pk}&at="
    browser = browser_of(alice)
    assert "1 added since: check again." in text_of(browser.get(f"{page}all"))
    assert "since" not in text_of(browser.get(f"{page}{part.pk}"))


def test_evidence_says_under_which_headings_of_the_file_it_stands(
    contracts: Datasource, alice: User, assessment: Assessment
) -> None:
    requirement = assessment.framework.requirements.get(ref="1.1")
    evidence = Evidence.objects.filter(finding__requirement=requirement).first()
    assert evidence is not None
    under_heading(evidence.document, "Continuity")
    address = reverse("gap_requirement", args=[contracts.pk, assessment.pk, requirement.pk])
    page = browser_of(alice).get(address, HTTP_HX_REQUEST="true").content.decode()
    assert f"p. {evidence.pages[0]}, Continuity" in page
    card = browser_of(alice).get(reverse("gap_card", args=[contracts.pk, evidence.pk])).content.decode()
    assert f"Page {evidence.pages[0]}, Continuity" in card


def test_a_verdict_leads_back_to_the_part_and_the_filter_that_were_shown(
    contracts: Datasource, alice: User, assessment: Assessment
) -> None:
    browser, chapter = browser_of(alice), assessment.framework.requirements.get(ref="1")
    requirement = assessment.framework.requirements.get(ref="1.1")
    shown: dict[str, str | int] = {"at": chapter.pk, "show": "open", "open": requirement.pk}
    page = browser.get(reverse("gaps", args=[contracts.pk]), shown).content.decode()
    address = reverse("gap_review", args=[contracts.pk, assessment.pk, requirement.pk])
    action = f"{address}?at={chapter.pk}&show=open"
    assert f'action="{action.replace("&", "&amp;")}"' in page
    done = browser.post(action, {"action": "change", "verdict": "partial", "reason": "Only thirty days."})
    assert f"&at={chapter.pk}&show=open&open={requirement.pk}" in done["Location"]


def test_who_may_only_read_gets_no_form_for_a_vendor(contracts: Datasource, alice: User, bob: User) -> None:
    _, subject = vendor(contracts, alice)
    address = reverse("gap_vendor", args=[contracts.pk, subject.pk])
    assert "disabled" not in browser_of(alice).get(address).content.decode()
    assert '<fieldset class="stack stack-4" disabled>' in browser_of(bob).get(address).content.decode()


def test_saving_a_vendor_keeps_documents_beyond_those_that_are_listed(
    contracts: Datasource, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, subject = vendor(contracts, alice)
    make_document(contracts, "Another", "Nothing of it.")
    monkeypatch.setattr(subject_views, "MOST_LISTED", 0)
    browser, address = browser_of(alice), reverse("gap_vendor", args=[contracts.pk, subject.pk])
    page = browser.get(address).content.decode()
    assert "1 other document cannot be listed here" in page
    ticked = re.findall(r'name="document" value="(\d+)" checked', page)
    browser.post(address, {"action": "save", "name": "Renamed", "which": "chosen", "document": ticked})
    assert {each.title for each in subject.documents.all()} == {"Questionnaire", "Agreement"}


def test_lists_take_as_few_statements_for_many_as_for_one(contracts: Datasource, alice: User) -> None:
    _, subject = vendor(contracts, alice)
    browser = browser_of(alice)
    addresses = {reverse("frameworks"): "3</td>", reverse("gap_vendors", args=[contracts.pk]): "2</td>"}
    before = {}
    for address, count in addresses.items():
        with CaptureQueriesContext(connection) as statements:
            assert f'">{count}' in browser.get(address).content.decode()
        before[address] = len(statements)
    for name in ("Second", "Third"):
        framework(alice, name)
        create_subject(contracts, name, [subject.documents.all()[0].pk])
    create_subject(contracts, "Everything", has_all=True)
    for address in addresses:
        with CaptureQueriesContext(connection) as statements:
            page = browser.get(address).content.decode()
        assert len(statements) == before[address]
    assert page.count('data-label="Documents">1</td>') == 2
    assert f'data-label="Documents">{contracts.documents.count()} (all)</td>' in page


def test_text_that_goes_with_a_framework_is_named(contracts: Datasource, alice: User) -> None:
    made, _ = vendor(contracts, alice)
    address, browser = reverse("gap_attach", args=[contracts.pk]), browser_of(alice)
    browser.post(address, {"framework": made.pk, "action": "text"})
    page = browser.post(address, {"framework": made.pk, "action": "detach"}, follow=True).content.decode()
    assert "Its text was deleted from the documents" in page


def test_reports_have_quotes_pages_and_hashes_and_no_formula(
    contracts: Datasource, alice: User, assessment: Assessment
) -> None:
    def made(form: str) -> bytes:
        address = reverse("gap_report", args=[contracts.pk, assessment.pk, form])
        answer = browser_of(alice).get(address)
        assert answer.status_code == 200
        return bytes(answer.content)

    sha256 = contracts.documents.get(title="Questionnaire").sha256
    rows = list(csv.reader(io.StringIO(made("csv").decode("utf-8-sig"))))
    assert [row[0] for row in rows[1:]] == ["1.1", "1.2", "2.1"]
    assert f"“{BACKUPS}” (Questionnaire, page 1" in rows[1][7]
    with zipfile.ZipFile(io.BytesIO(made("xlsx"))) as book:
        words = book.read("xl/sharedStrings.xml").decode()
        assert BACKUPS in words
        assert sha256 in words
        assert all(b"<f>" not in book.read(name) for name in book.namelist() if "worksheets" in name)
    with zipfile.ZipFile(io.BytesIO(made("docx"))) as document:
        words = document.read("word/document.xml").decode()
        assert BACKUPS in words
        assert sha256 in words
    assert made("pdf").startswith(b"%PDF")


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1"])
def test_a_cell_that_would_be_a_formula_is_text(cell: str) -> None:
    assert inert(cell) == f"'{cell}"


def test_another_datasource_s_assessment_is_not_found(
    contracts: Datasource, alice: User, charlie: User, assessment: Assessment
) -> None:
    requirement = assessment.framework.requirements.get(ref="1.1")
    stranger = browser_of(charlie)
    for address in (
        reverse("gaps", args=[contracts.pk]),
        reverse("gap_report", args=[contracts.pk, assessment.pk, "csv"]),
        reverse("gap_requirement", args=[contracts.pk, assessment.pk, requirement.pk]),
        reverse("framework", args=[assessment.framework_id]),
        reverse("api-findings", args=[assessment.pk]),
    ):
        assert stranger.get(address).status_code == 404
    assert framework(charlie).pk != assessment.framework_id

"""Documents at a glance: the page of one and of all, what is carried out, who may see it."""

import io
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar
from python_calamine import CalamineWorkbook

from accounts.models import User
from chat.models import Citation
from datasources.models import Datasource, Document
from digest import gathering
from digest.points import Kind
from ingestion.models import Page
from jobs.fair_slots import FairSlots
from tests.factories import make_document, make_turn
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db

AHEAD = date.today() + timedelta(days=400)
TEXT = (
    f'"End Date" means {AHEAD.day} {AHEAD:%B %Y}. It was signed on 3 March 2024.\n'
    "The Supplier shall keep each backup for at least 35 days. The fee is =SUM(£900)."
)


@pytest.fixture
def lease(contracts: Datasource) -> Document:
    return make_document(contracts, "Lease", TEXT)


def test_a_document_at_a_glance_leads_to_its_pages(lease: Document, bob: User) -> None:
    client = browser_of(bob)
    page = client.get(reverse("document_glance", args=[lease.datasource_id, lease.pk]))
    said = text_of(page)
    assert (
        said.index("To come 1") < said.index("End Date") < said.index("Past 1") < said.index("3 March 2024")
    )
    assert "at least 35 days" in said
    assert "Supplier 1" in said
    assert "£900" in said
    reader = reverse("reader", args=[lease.datasource_id, lease.pk])
    address = (
        f"{reader}?page=1&q=The%20Supplier%20shall%20keep%20each%20backup%20for%20at%20least%2035%20days."
    )
    assert address.replace("&", "&amp;") in page.content.decode()
    assert "<mark" in client.get(address).content.decode()
    assert "At a glance" in client.get(reader).content.decode()


def test_all_documents_at_a_glance_name_theirs(lease: Document, alice: User) -> None:
    make_document(lease.datasource, "Rota", "The Customer must clean the yard every week.")
    address = reverse("glance", args=[lease.datasource_id])
    said = text_of(browser_of(alice).get(address))
    assert "in 2 documents of Contracts" in said
    assert "Rota, page 1" in said
    one = text_of(browser_of(alice).get(address, {"documents": lease.pk}))
    assert "Rota" not in one


def test_a_party_is_listed_once(contracts: Datasource, alice: User) -> None:
    parties = (
        'This is made between Tarnbeck Systems Limited (the "Supplier") '
        'and Hallowmere Foods Limited (the "Customer").'
    )
    agreement = make_document(
        contracts, "Agreement", f'{parties}\n\nSigned for Tarnbeck Systems Limited (the "Supplier").'
    )
    make_document(contracts, "Amendment", f"It is changed. {parties}")
    for address in (
        reverse("glance", args=[contracts.pk]),
        reverse("document_glance", args=[contracts.pk, agreement.pk]),
    ):
        page = browser_of(alice).get(address)
        [(_, found)] = dict(page.context["sections"])[Kind.PARTY]
        named = [each.placed.point.label for each in found]
        assert named == ["Tarnbeck Systems Limited", "Hallowmere Foods Limited"]


def test_what_is_too_much_is_told(lease: Document, alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    Page.objects.create(document=lease, number=2, text="It ends on 9 May 2031.", width=1, height=1)
    make_document(lease.datasource, "Rota", "It ends on 8 May 2031.")
    monkeypatch.setattr(gathering, "MOST_PAGES", 1)
    said = text_of(browser_of(alice).get(reverse("glance", args=[lease.datasource_id])))
    assert "Only 1 document of 2 was read" in said
    assert "Of “Lease” only the first pages were read." in said
    assert "2031" not in said


def test_a_document_without_any_says_so(contracts: Datasource, alice: User) -> None:
    empty = make_document(contracts, "Poem", "The moon is round.")
    page = browser_of(alice).get(reverse("document_glance", args=[contracts.pk, empty.pk]))
    assert "Nothing found at a glance" in text_of(page)


def test_who_must_wait_for_others_is_told(
    lease: Document, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "READING", FairSlots(0, patience=0.01))
    client, told = browser_of(alice), "Several documents are being read for you just now."
    pages = [
        reverse("glance", args=[lease.datasource_id]),
        reverse("document_glance", args=[lease.datasource_id, lease.pk]),
        reverse("glance_file", args=[lease.datasource_id, "ics"]),
    ]
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 503
        assert told in text_of(answer)
    assert client.get(f"/api/v1/documents/{lease.pk}/points").status_code == 429


def test_the_calendar_has_its_days_and_the_spreadsheet_no_formulas(lease: Document, alice: User) -> None:
    client = browser_of(alice)
    address = reverse("document_glance_file", args=[lease.datasource_id, lease.pk, "ics"])
    file = client.get(address)
    assert file.headers["Content-Disposition"] == 'attachment; filename="Lease.ics"'
    events = Calendar.from_ical(file.content).walk("VEVENT")
    assert [event.decoded("dtstart") for event in events] == [date(2024, 3, 3), AHEAD]
    assert events[1]["summary"] == "End Date"
    assert "Lease, page 1" in str(events[1]["description"])
    again = Calendar.from_ical(client.get(address).content).walk("VEVENT")
    assert [event["uid"] for event in again] == [event["uid"] for event in events]
    rows = sheet_of(client.get(address.replace("/ics/", "/xlsx/")).content)
    assert ["Duties and rights", "must", "", "Supplier", "must"] in [row[:5] for row in rows]
    assert client.get(address.replace("/ics/", "/exe/")).status_code == 404


def sheet_of(content: bytes) -> list[list[Any]]:
    return CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0).to_python()


def test_programs_get_the_points_and_strangers_nothing(lease: Document, alice: User, charlie: User) -> None:
    address = f"/api/v1/documents/{lease.pk}/points"
    told = browser_of(alice).get(address).json()
    assert told["complete"]
    kinds = [(point["kind"], point["value"], point["page"]) for point in told["points"]]
    assert ("limit", "35 days", 1) in kinds
    assert ("duty", "shall", 1) in kinds
    stranger = browser_of(charlie)
    pages = [
        address,
        reverse("glance", args=[lease.datasource_id]),
        reverse("document_glance", args=[lease.datasource_id, lease.pk]),
        reverse("document_glance_file", args=[lease.datasource_id, lease.pk, "xlsx"]),
        reverse("glance_file", args=[lease.datasource_id, "ics"]),
    ]
    assert {stranger.get(page).status_code for page in pages} == {404}
    assert Client().get(pages[1]).status_code == 302
    assert not Citation.objects.exists(), "nothing is kept"


def test_defined_words_stand_beside_a_quote_and_a_page(contracts: Datasource, alice: User) -> None:
    text = "“Charges” means the sums in Schedule 2. The Customer pays the Charges each month."
    lease = make_document(contracts, "Lease", text)
    client, address = browser_of(alice), reverse("document_terms", args=[contracts.pk, lease.pk])
    quote = text.index("The Customer")
    told = client.get(address, {"start": quote, "end": len(text)})
    assert text_of(told) == "Defined terms Charges “Charges” means the sums in Schedule 2. page 1"
    assert "Charges" in text_of(client.get(address, {"page": 1}))
    parties = "This Agreement is between Brightwell Ltd (the “Supplier”) and Halden Ltd (the “Customer”)."
    both = make_document(contracts, "Agreement", f"{parties} The Supplier serves the Customer.")
    of_both = text_of(client.get(reverse("document_terms", args=[contracts.pk, both.pk]), {"page": 1}))
    assert of_both == f"Defined terms Supplier Customer {parties} page 1", "one sentence stands once"
    for nothing in ({"start": quote, "end": quote + 12}, {"page": 7}, {"page": "9" * 18}, {"end": "x"}, {}):
        assert text_of(client.get(address, nothing)) == "", nothing
    assert address in client.get(reverse("reader", args=[contracts.pk, lease.pk])).content.decode()
    source = reverse("source", args=[make_turn(alice, lease).pk, 1])
    assert (
        f"{address}?start=0&amp;end=" in client.get(source, headers={"hx-request": "true"}).content.decode()
    )

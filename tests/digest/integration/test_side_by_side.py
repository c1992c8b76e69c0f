"""Two documents side by side: which ones, what is shown, who may see it."""

import pytest
from django.urls import reverse

from accounts.models import User
from datasources.models import Datasource, Document
from datasources.services import create_datasource
from digest.side_by_side import in_order
from ingestion.lifecycle.deletion import delete
from ingestion.models import Page
from tests.factories import make_document
from tests.people import browser_of
from tests.responses import text_of

pytestmark = pytest.mark.django_db

BEFORE = "The Supplier shall keep each backup for 35 days.\nStaff are trained every year in spring."
AFTER = "The Supplier may keep each backup for 60 days.\nStaff are trained every year in autumn."


@pytest.fixture
def older(contracts: Datasource) -> Document:
    return make_document(contracts, "Agreement", BEFORE)


@pytest.fixture
def newer(older: Document) -> Document:
    return make_document(older.datasource, "Agreement 2", AFTER, replaces=older, version=2)


def address(document: Document) -> str:
    return reverse("compare_documents", args=[document.datasource_id, document.pk])


def test_a_version_is_held_against_the_one_before(older: Document, newer: Document, bob: User) -> None:
    page = browser_of(bob).get(address(newer))
    said = text_of(page)
    assert "2 changed, 0 added, 0 left out, 0 moved, 0 sentences the same." in said
    assert "35 days → becomes 60 days" in said
    assert "Supplier must → becomes Supplier may" in said
    content = page.content.decode()
    assert "<del>35</del>" in content
    assert "<ins>60</ins>" in content
    assert f"{reverse('reader', args=[older.datasource_id, older.pk])}?page=1" in content
    assert (
        "compare/"
        in browser_of(bob).get(reverse("reader", args=[newer.datasource_id, newer.pk])).content.decode()
    )


def test_changes_that_change_no_figure_can_be_left_out(newer: Document, alice: User) -> None:
    said = text_of(browser_of(alice).get(address(newer), {"only": "meaning"}))
    assert "35 days" in said
    assert "autumn" not in said


def test_any_two_documents_are_compared_the_older_on_the_left(older: Document, alice: User) -> None:
    other = make_document(older.datasource, "Offer", f"{BEFORE}\nNothing else is due.")
    for one, with_ in ((older, other), (other, older)):
        said = text_of(browser_of(alice).get(address(one), {"with": with_.pk}))
        assert "0 changed, 1 added, 0 left out" in said
    assert "Choose another document to compare it with." in text_of(browser_of(alice).get(address(older)))


def test_the_mark_of_a_clause_leads_to_its_pair_not_to_a_sentence_that_stands_alone(
    contracts: Datasource, alice: User
) -> None:
    notice = "15.2 The Customer may end this Agreement by not less than 180 days' written notice."
    older = make_document(contracts, "Agreement", f"15.2 Early end and what follows.\n\n{notice}")
    newer = make_document(contracts, "Agreement", notice.replace("180", "90"), replaces=older, version=2)
    page = browser_of(alice).get(address(newer)).content.decode()
    assert page.count('id="clause-15.2"') == 1
    assert "180" in page[page.index('id="clause-15.2"') :].partition("</article>")[0]


def test_the_older_by_its_own_day_is_on_the_left_whichever_was_added_first(
    contracts: Datasource, alice: User
) -> None:
    amendment = make_document(
        contracts, "Amendment", "This Amendment is made on 14 November 2025.\nNotice is 90 days."
    )
    made = "This Agreement is made on 3 February 2025.\nNotice is 180 days. Staff are trained in spring."
    agreement = make_document(contracts, "Agreement", made)
    for one, with_ in ((amendment, agreement), (agreement, amendment)):
        said = text_of(browser_of(alice).get(address(one), {"with": with_.pk}))
        assert "180 days → becomes 90 days" in said
        assert "1 left out" in said
    newer = make_document(contracts, "Agreement", made.replace("2025", "2024"), replaces=agreement, version=2)
    assert in_order(newer, agreement) == (agreement, newer), "a version follows the one before it"


def test_an_amendment_is_no_later_version_of_what_it_amends(contracts: Datasource, alice: User) -> None:
    lease = make_document(
        contracts,
        "Lease of Unit 4",
        "This Lease is dated 14 March 2022.\n\n4. Rent review\n\n"
        "3.1 The Tenant may end it by six months' notice.\n\n"
        "9.1 The Tenant shall insure it.",
    )
    deed = make_document(
        contracts,
        "Deed of variation",
        "This Deed is supplemental to the Lease.\n\n4. Notice\n\n"
        'In clause 3.1 "six months\'" is replaced by "nine months\'".',
    )
    said = text_of(browser_of(alice).get(address(lease), {"with": deed.pk}))
    assert "Deed of variation amends Lease of Unit 4." in said
    assert "1 clause changed, 2 other sentences." in said
    assert "six months → becomes nine months" in said
    assert "shall insure" not in said
    assert "4. Notice" in said, "a heading's number is not a row of its own"


def test_what_changed_comes_before_what_only_one_document_has(older: Document, alice: User) -> None:
    other = make_document(older.datasource, "Offer", f"Nothing else is due.\n{AFTER}\nThe end.")
    said = text_of(browser_of(alice).get(address(other), {"with": older.pk}))
    places = ["35 days → becomes 60 days", "autumn", "2 sentences that only Offer has", "Nothing else"]
    assert sorted(places, key=said.index) == places


def test_what_a_document_amends_is_shown_beside_it(contracts: Datasource, alice: User) -> None:
    lease = make_document(
        contracts, "Lease of Unit 4", "This Lease is dated 14 March 2022.\n\n“Rent” means £9,000."
    )
    make_document(contracts, "Contract of Employment", "This contract is dated 2 May 2021.")
    deed = make_document(
        contracts, "Deed of variation", "It is supplemental to the Lease of Unit 4.\n\nThe Rent is £9,500."
    )
    for opened in (deed, lease):
        said = text_of(browser_of(alice).get(address(opened)))
        assert "Deed of variation amends Lease of Unit 4." in said
        assert "£9,000 → becomes £9,500" in said


def test_words_of_documents_are_no_markup(older: Document, alice: User) -> None:
    Page.objects.filter(document=older).update(text="A <script>alert(1)</script> costs £5.")
    other = make_document(older.datasource, "Offer", "A <script>alert(1)</script> costs £6.")
    content = browser_of(alice).get(address(other), {"with": older.pk}).content.decode()
    assert "<script>alert" not in content
    assert "£5" in content


def test_a_deleted_version_is_not_shown(older: Document, newer: Document, alice: User) -> None:
    delete(older, alice)
    said = text_of(browser_of(alice).get(address(newer)))
    assert "35 days" not in said
    assert browser_of(alice).get(address(newer), {"with": older.pk}).status_code == 404


def test_a_clause_that_was_left_out_is_shown_among_figures_and_duties(older: Document, alice: User) -> None:
    Page.objects.filter(document=older).update(text="All is well.\nThe Supplier shall pay £5,000.\nThe end.")
    other = make_document(older.datasource, "Offer", "All is well.\nThe end.")
    said = text_of(browser_of(alice).get(address(other), {"with": str(older.pk), "only": "meaning"}))
    assert "1 sentence that only Agreement has The Supplier shall pay £5,000." in said
    assert "Both say the same" not in said


def test_a_document_is_not_held_against_itself(older: Document, alice: User) -> None:
    assert browser_of(alice).get(address(older), {"with": older.pk}).status_code == 404


def test_nobody_compares_with_what_they_may_not_see(
    older: Document, newer: Document, alice: User, charlie: User
) -> None:
    foreign = make_document(create_datasource(charlie, "Foreign"), "Foreign", BEFORE)
    assert browser_of(charlie).get(address(newer)).status_code == 404
    assert browser_of(alice).get(address(newer), {"with": foreign.pk}).status_code == 404
    assert "Foreign" not in text_of(browser_of(alice).get(address(newer)))


def test_a_german_contract_shows_its_changed_figures_and_counts_what_is_shown(
    contracts: Datasource, alice: User
) -> None:
    said = (
        "Die Vergütung beträgt {} Euro und ist von dem Auftraggeber zu zahlen.\n"
        "Der Vertrag wird mit einer Frist von {} Monaten gekündigt.\nDas Recht {} bleibt unberührt."
    )
    older = make_document(contracts, "Vertrag", said.format("18.500", "sechs", "zur Kündigung"))
    newer = make_document(
        contracts, "Vertrag", said.format("21.000", "drei", "auf Kündigung"), replaces=older, version=2
    )
    page = text_of(browser_of(alice).get(address(newer), {"only": "meaning"}))
    assert "18.500 Euro → becomes 21.000 Euro" in page
    assert "sechs Monaten → becomes drei Monaten" in page
    assert (
        "2 changed, 0 added, 0 left out, 0 sentences the same. 1 more, in words or place alone, is not shown"
        in page
    )
    assert "In this language only figures and dates are recognised" in page

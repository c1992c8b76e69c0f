"""A redline in the reader: how much was changed, by whom, and where on the page."""

import pytest
from playwright.sync_api import Page as BrowserPage
from playwright.sync_api import expect

from accounts.models import User
from datasources.models import Datasource
from formats.base.annotations import AnnotationKind
from ingestion.models import Annotation
from tests.browser import DESKTOP, PHONE, Live
from tests.factories import make_document

pytest_plugins = ["tests.browser"]


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_comment_leads_to_its_words(
    live: Live,
    page: BrowserPage,
    transactional_db: None,
    contracts: Datasource,
    alice: User,
    size: dict[str, int],
) -> None:
    document = make_document(contracts, "Redline", "The fee is 475 pounds a month.")
    (first,) = document.pages.all()
    said = {"author": "Ann Lee", "made": "2026-03-05T10:30:00"}
    Annotation.objects.create(
        page=first, position=1, kind=AnnotationKind.COMMENT, text="Too much?", quote="475 pounds", **said
    )
    Annotation.objects.create(
        page=first, position=2, kind=AnnotationKind.DELETED, text="a week", quote="475 pounds", **said
    )
    live.login(page, alice)
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.goto(f"{live.base_url}/d/{contracts.pk}/documents/{document.pk}/")
    page.get_by_role("link", name="1 tracked change, 1 comment").click()
    listed = page.get_by_role("listitem").filter(has_text="Comment by Ann Lee")
    expect(listed).to_contain_text("Too much?")
    expect(page.get_by_text("The text here is with all changes accepted.")).to_be_in_viewport()
    listed.get_by_role("link", name="Show on the page").click()
    expect(page.locator("mark").first).to_have_text("475 pounds")
    expect(page.locator("del")).to_have_text("a week")

"""The map of documents in a real browser: choosing a document, changing what ties them, zooming, a phone."""

from playwright.sync_api import Page, expect

from accounts.models import User
from datasources.models import Datasource
from ingestion.models import ChunkEmbedding
from ingestion.similarity import document_map
from tests import axe
from tests.browser import Live
from tests.factories import make_document

pytest_plugins = ["tests.browser"]


def test_a_person_looks_for_what_is_like_a_document(
    live: Live, page: Page, alice: User, contracts: Datasource
) -> None:
    for i, title in enumerate(("Lease", "Sublease", "Tax notice", "Tax appeal")):
        chunk = make_document(contracts, title).chunks.get()
        vector = [0.9 * (j == i // 2) + 0.4 * (j == 2 + i) for j in range(6)]
        ChunkEmbedding.objects.create(chunk=chunk, datasource=contracts, vector=vector)
    document_map.rebuild(contracts.pk)
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{contracts.pk}/graph/documents/")
    squares = page.locator(".map-d")
    expect(squares).to_have_count(4)

    squares.filter(has_text="Sublease").click()
    panel = page.locator("#panel")
    expect(panel.get_by_role("heading", name="Sublease")).to_be_visible()
    expect(page.locator(".map-d.near")).to_have_count(1)
    assert "document=" in page.url
    panel.locator(".nbr").first.click()
    expect(panel.get_by_role("heading", name="Lease", exact=True)).to_be_visible()

    page.get_by_label("Similarity above").fill("95")
    page.get_by_label("Similarity above").dispatch_event("change")
    expect(page.locator("#above-said")).to_have_text("0.95")
    expect(page.locator(".map-d.near")).to_have_count(0)

    page.get_by_label("Find a document").fill("tax")
    expect(page.locator(".map-d.dim")).to_have_count(2)

    before = page.locator("[data-map]").get_attribute("viewBox")
    page.get_by_role("button", name="Zoom in").click()
    expect(page.locator("[data-map]")).not_to_have_attribute("viewBox", before or "")

    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.wait_for_timeout(400)  # colours fade over
        assert axe.violations(page) == []

    page.reload()
    expect(panel.get_by_role("heading", name="Lease", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()

    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

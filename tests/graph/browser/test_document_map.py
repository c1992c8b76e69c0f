"""The map of documents in a real browser: choosing a document, changing what ties them, zooming, a phone."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from datasources.models import Datasource
from graph.document_map import build
from tests import axe
from tests.browser import Live
from tests.factories import make_document, make_vector

pytest_plugins = ["tests.browser"]


@pytest.fixture
def four(live: Live, page: Page, alice: User, contracts: Datasource) -> Page:
    """Alice's browser on the map of four documents, two and two alike."""
    for i, title in enumerate(("Lease", "Sublease", "Tax notice", "Tax appeal")):
        chunk = make_document(contracts, title).chunks.get()
        vector = [0.9 * (j == i // 2) + 0.4 * (j == 2 + i) for j in range(6)]
        make_vector(chunk, vector)
    build.rebuild(contracts.pk)
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{contracts.pk}/graph/documents/")
    expect(page.locator(".map-wide .map-d")).to_have_count(4)
    return page


def test_a_choice_changes_the_panel_alone_and_has_a_way_back(four: Page) -> None:
    panel, squares = four.locator("#panel"), four.locator(".map-wide .map-d")
    four.evaluate("window.here = true")
    squares.filter(has_text="Sublease").click()
    expect(panel.get_by_role("heading", name="Sublease")).to_be_visible()
    squares.filter(has_text="Tax notice").click()
    expect(panel.get_by_role("heading", name="Tax notice")).to_be_visible()
    assert four.evaluate("window.here")
    four.go_back()
    expect(panel.get_by_role("heading", name="Sublease")).to_be_visible()
    four.go_forward()
    expect(panel.get_by_role("heading", name="Tax notice")).to_be_visible()


def test_the_map_by_keyboard(four: Page) -> None:
    panel, squares = four.locator("#panel"), four.locator(".map-wide .map-d")
    notice = squares.filter(has=four.locator("title", has_text="Tax notice"))
    notice.focus()
    four.keyboard.press("Enter")
    expect(panel.get_by_role("heading", name="Tax notice")).to_be_visible()
    expect(notice).to_be_focused()
    panel.locator(".nbr").first.focus()
    four.keyboard.press("Enter")
    expect(panel.get_by_role("heading", name="Tax appeal")).to_be_focused()
    four.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(squares.filter(has_text="Tax appeal")).to_be_focused()
    places: list[Any] = [squares.nth(i).bounding_box() for i in range(4)]
    leftmost = squares.nth(min(range(4), key=lambda i: places[i]["x"]))
    leftmost.focus()
    four.keyboard.press("ArrowRight")
    expect(leftmost).not_to_be_focused()
    expect(four.locator(".map-wide .map-d:focus")).to_have_count(1)


def test_a_person_looks_for_what_is_like_a_document(four: Page) -> None:
    page = four
    squares = page.locator(".map-wide .map-d")

    squares.filter(has_text="Sublease").click()
    panel = page.locator("#panel")
    expect(panel.get_by_role("heading", name="Sublease")).to_be_visible()
    expect(page.locator(".map-wide .map-d.near")).to_have_count(1)
    expect(page).to_have_url(re.compile("document="))
    panel.locator(".nbr").first.click()
    expect(panel.get_by_role("heading", name="Lease", exact=True)).to_be_visible()

    page.get_by_label("Similarity above").fill("95")
    page.get_by_label("Similarity above").dispatch_event("change")
    expect(page.locator("#above-said")).to_have_text("0.95")
    expect(page.locator(".map-wide .map-d.near")).to_have_count(0)

    page.get_by_label("Find a document").fill("tax")
    expect(page.locator(".map-wide .map-d.dim")).to_have_count(2)

    before = page.locator(".map-wide").get_attribute("viewBox")
    page.get_by_role("button", name="Zoom in").click()
    expect(page.locator(".map-wide")).not_to_have_attribute("viewBox", before or "")

    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        # Settled, not finished: what begins anew in the middle is called off.
        page.evaluate(
            "Promise.allSettled(document.getAnimations().map((fading) => fading.finished)).then(() => null)"
        )
        assert axe.violations(page) == []

    page.reload()
    expect(panel.get_by_role("heading", name="Lease", exact=True)).to_be_visible()
    page.keyboard.press("?")
    page.keyboard.press("Escape")
    expect(page.locator("dialog:modal")).to_have_count(0)
    expect(panel).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()

    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390

"""A share link from its dialog to whoever it was made for, in a browser without an account."""

import itertools
from typing import Any

from django.urls import reverse
from playwright.sync_api import Browser, Dialog, Page, expect

from accounts.models import User
from citations.marks import mark
from datasources.models import Datasource
from tests import axe
from tests.browser import DESKTOP, PATIENCE, PHONE, Live
from tests.factories import make_document, make_turn

pytest_plugins = ["tests.browser"]

PASSWORD = "Seven-Herons"
BOXES = {"1": [[80, 290, 900, 308]]}


def test_a_link_is_made_and_opened(
    live: Live, page: Page, browser: Browser, contracts: Datasource, alice: User
) -> None:
    turn = make_turn(alice, make_document(contracts), answer=f"Backups are kept for thirty days. {mark(1)}")
    turn.citations.update(claim="Backups are kept for thirty days.", boxes=BOXES)
    live.login(page, alice)
    page.goto(live.base_url + reverse("conversation", args=[contracts.pk, turn.conversation_id]))
    page.click("a[aria-label='Share by a link']")
    page.fill("#dialog [name=recipient]", "Dora Arden, Arden & Sons")
    page.fill("#dialog [name=password]", PASSWORD)
    page.click("#dialog button[type=submit]")
    address = page.locator("#dialog [data-copy]").get_attribute("data-copy")
    assert address
    assert address.startswith(f"{live.base_url}/s/")
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error('refused')); }")
    shown: list[str] = []

    def close(dialog: Dialog) -> None:
        shown.append(dialog.default_value)
        dialog.dismiss()

    page.once("dialog", close)
    page.click("#dialog [data-copy]")
    assert shown == [address], "a browser that does not copy shows what is to be copied"
    page.goto(live.base_url + reverse("share_links"))
    expect(page.locator("main table")).to_contain_text("Dora Arden, Arden & Sons")
    assert axe.violations(page) == []

    context = browser.new_context()
    try:
        seen = context.new_page()
        seen.set_default_timeout(PATIENCE * 1000)
        requests: list[str] = []
        context.on("request", lambda request: requests.append(request.url))
        for_everybody(seen, address)
        seen.fill("#password", PASSWORD)
        seen.click("button")
        picture = seen.locator("article img")
        picture.scroll_into_view_if_needed()
        expect(picture).to_have_js_property("complete", True)
        assert picture.evaluate("picture => picture.naturalWidth") > 0
        for_everybody(seen)
        assert seen.title() == turn.question
        marks = seen.locator(".watermark span")
        assert (marks.first.get_attribute("data-words") or "").startswith("Dora Arden, Arden & Sons, ")
        assert marks.first.bounding_box()["width"] > 200  # type: ignore[index]
        with context.expect_page() as opened:
            seen.locator("article a:has(img)").click()
        whole = opened.value
        whole.wait_for_url("**/page.webp")
        assert whole.evaluate("document.images[0].naturalWidth") > 1000
        expect(seen).to_have_title(turn.question)  # the answer stays open
        ours = (address, f"{live.base_url}/static/", f"{live.base_url}/favicon.ico")
        assert [each for each in requests if not each.startswith(ours)] == []
    finally:
        context.close()


def for_everybody(page: Page, address: str = "") -> None:
    """It can be read in the window of a desktop and of a phone, light and dark."""
    if address:
        page.goto(address)
    sizes: tuple[Any, ...] = (DESKTOP, PHONE)
    schemes: tuple[Any, ...] = ("light", "dark")
    for scheme, size in itertools.product(schemes, sizes):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size(size)
        assert axe.violations(page) == [], (scheme, size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

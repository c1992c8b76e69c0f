"""The palette by keyboard, on a desktop and a phone: what Enter, the arrows and further typing do."""

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from accounts.models import User
from datasources.models import Datasource
from tests.browser import DESKTOP, PHONE, Live
from tests.factories import make_document

pytest_plugins = ["tests.browser"]


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_passage_is_found_and_its_page_opened_by_keyboard(
    live: Live, page: Page, alice: User, contracts: Datasource, size: ViewportSize
) -> None:
    make_document(contracts, "Port rules", "The harbour opens at noon.")
    live.login(page, alice)
    page.set_viewport_size(size)
    page.goto(f"{live.base_url}/d/{contracts.pk}/")
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Search or jump to")
    page.keyboard.type("harb")
    passage = palette.get_by_role("link", name=re.compile("harbour opens"))
    expect(passage.locator("mark")).to_have_text("harb")
    page.keyboard.press("ArrowUp")
    expect(palette.locator("a").last).to_be_focused()
    page.keyboard.type("our")
    expect(palette.get_by_role("searchbox")).to_have_value("harbour")
    expect(passage.locator("mark")).to_have_text("harbour")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(passage).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"\?page=1&q=harbour$"))
    expect(page.locator("mark").first).to_have_text("harbour")


def test_enter_waits_for_the_answer_to_what_is_typed(
    live: Live, page: Page, alice: User, contracts: Datasource
) -> None:
    make_document(contracts, "Port rules")
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{contracts.pk}/")
    page.keyboard.press("Control+k")
    page.keyboard.type("who opens the port?")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/chat/\?q=who"))
    expect(page.get_by_role("textbox", name="Question")).to_have_value("who opens the port?")


def test_what_is_typed_after_opening_it_again_takes_the_place_of_what_was_there(
    live: Live, page: Page, alice: User, contracts: Datasource
) -> None:
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{contracts.pk}/")
    box = page.get_by_role("dialog", name="Search or jump to").get_by_role("searchbox")
    page.keyboard.press("Control+k")
    page.keyboard.type("service credit")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")
    expect(box).to_have_value("service credit")
    page.keyboard.type("harbour")
    expect(box).to_have_value("harbour")


def test_escape_closes_it_at_once(live: Live, page: Page, alice: User, contracts: Datasource) -> None:
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{contracts.pk}/")
    page.keyboard.press("Control+k")
    palette = page.get_by_role("dialog", name="Search or jump to")
    page.keyboard.type("harb")
    page.keyboard.press("Escape")
    expect(palette).to_be_hidden()

"""Searching with a keyboard and by touch: results as one types, the page with its words marked, and back."""

import re

import pytest
from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from accounts.models import User
from datasources.models import Datasource
from tests.browser import DESKTOP, PHONE, Live
from tests.reader.integration.test_search import CHARGE, add

pytest_plugins = ["tests.browser"]


@pytest.fixture
def papers(transactional_db: None, contracts: Datasource) -> Datasource:
    add(contracts, "Amendment", "Notices are in writing.", CHARGE)
    add(contracts, "Order form", "The early termination charge equals 25 % of the fees.")
    add(contracts, "Lunch", "Soup is served at noon.")
    return contracts


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_results_appear_as_one_types_and_open_by_keyboard(
    live: Live, page: Page, alice: User, papers: Datasource, size: ViewportSize
) -> None:
    live.login(page, alice)
    page.set_viewport_size(size)
    page.goto(f"{live.base_url}/d/{papers.pk}/search/")
    box = page.get_by_role("searchbox", name="Search", exact=True)
    expect(box).to_be_focused()
    page.keyboard.type("early termination")
    expect(page.locator("mark").first).to_have_text(re.compile("early termination", re.IGNORECASE))
    expect(page).to_have_url(re.compile(r"/search/\?q=early\+termination$"))
    page.keyboard.type(" charge customer")
    expect(page).to_have_url(re.compile("customer$"))
    first = page.locator("[data-hit]").first
    expect(first).to_contain_text("The Customer shall pay")
    page.keyboard.press("ArrowDown")
    expect(first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-hit]").nth(1)).to_be_focused()
    page.keyboard.press("k")
    expect(first).to_be_focused()
    page.keyboard.press("Escape")
    expect(box).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/documents/\d+/\?page=2&chunk=\d+&search="))
    expect(page.locator("mark").first).to_have_text("Customer")
    page.go_back()
    expect(box).to_have_value("early termination charge customer")
    expect(first).to_contain_text("The Customer shall pay")
    box.focus()
    page.keyboard.press("Escape")
    expect(box).to_have_value("")
    expect(page.get_by_text("Results appear as you type")).to_be_visible()


def test_the_last_of_what_was_typed_is_what_is_shown(
    live: Live, page: Page, alice: User, papers: Datasource
) -> None:
    """An answer that comes late does not replace a later one."""
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{papers.pk}/search/")

    late: list[Route] = []
    page.route(re.compile(r"q=soup"), lambda route: late.append(route))
    with page.expect_request(re.compile(r"q=soup")):
        page.keyboard.type("soup")
    page.keyboard.press("Control+a")
    page.keyboard.type("fees")
    expect(page.locator("[data-hit]").first).to_contain_text("25 %")
    late[0].continue_()
    late[0].request.response()  # none, where the page has given the request up
    page.wait_for_timeout(100)  # for it to be shown
    expect(page.locator("#found")).to_have_attribute("data-found", "fees")


def test_filters_and_the_very_words_by_mouse(live: Live, page: Page, alice: User, papers: Datasource) -> None:
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{papers.pk}/search/?q=charge")
    expect(page.locator(".sg")).to_have_count(2)
    page.get_by_role("checkbox", name=re.compile("Order form")).check()
    expect(page.locator(".sg")).to_have_count(1)
    expect(page).to_have_url(re.compile(r"q=charge&document=\d+$"))
    expect(page.get_by_role("checkbox", name=re.compile("Order form"))).to_be_checked()
    page.get_by_role("radio", name="Every passage with these exact words").check()
    expect(page.locator("#found")).to_contain_text("1 passage in 1 document has these exact words")
    expect(page).to_have_url(re.compile("exact=1"))
    page.get_by_role("link", name="Clear all filters").click()
    expect(page.locator("#found")).to_contain_text("2 passages in 2 documents have these exact words")


def test_on_a_phone_the_filters_that_are_set_stand_beside_their_button(
    live: Live, page: Page, alice: User, papers: Datasource
) -> None:
    live.login(page, alice)
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    page.goto(f"{live.base_url}/d/{papers.pk}/search/?q=charge&since=2020-01-31")
    expect(page.get_by_text("Day added: since 31 Jan 2020")).to_be_visible()
    page.get_by_role("button", name="Filters", exact=True).click()
    page.get_by_role("checkbox", name=re.compile("Order form")).check()
    page.get_by_role("button", name="Close the filters").click()
    expect(page.get_by_role("checkbox", name=re.compile("Order form"))).to_be_hidden()
    expect(page.locator(".sg")).to_have_count(1)
    page.get_by_role("link", name="Remove the filter Document: Order form").click()
    expect(page.locator(".sg")).to_have_count(2)
    expect(page.get_by_text("Document: Order form")).to_have_count(0)
    expect(page.get_by_text("Day added: since 31 Jan 2020")).to_be_visible()


def test_escape_closes_the_page_beside_the_results_before_it_leaves_them(
    live: Live, page: Page, alice: User, papers: Datasource
) -> None:
    live.login(page, alice)
    page.set_viewport_size({"width": DESKTOP["width"], "height": DESKTOP["height"]})
    page.goto(f"{live.base_url}/d/{papers.pk}/search/?q=charge+customer")
    near, box = page.locator("#near"), page.get_by_role("searchbox", name="Search", exact=True)
    first = page.locator("[data-hit]").first
    first.click()
    expect(near).to_contain_text("Page 2 of 2")
    page.keyboard.press("?")
    page.keyboard.press("Escape")
    expect(page.locator("dialog:modal")).to_have_count(0)
    expect(near).to_be_visible()
    first.focus()
    page.keyboard.press("Escape")
    expect(near).to_be_hidden()
    expect(first).to_be_focused()
    first.click()
    expect(near).to_contain_text("Page 2 of 2")
    box.focus()
    page.keyboard.press("Escape")
    expect(near).to_be_hidden()
    expect(box).to_have_value("charge customer")
    page.keyboard.press("Escape")
    expect(box).to_have_value("")


def test_a_click_shows_the_page_beside_the_results_where_there_is_room(
    live: Live, page: Page, alice: User, papers: Datasource
) -> None:
    live.login(page, alice)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{live.base_url}/d/{papers.pk}/search/?q=charge+customer")
    near = page.get_by_role("complementary", name="The page of a result")
    expect(near).to_be_hidden()
    first, second = page.locator("[data-hit]").nth(0), page.locator("[data-hit]").nth(1)
    first.click()
    expect(near).to_contain_text("Amendment")
    expect(near).to_contain_text("Page 2 of 2")
    expect(near.locator("mark").first).to_have_text("Customer")
    expect(page).to_have_url(re.compile(r"/search/\?q=charge\+customer$"))
    page.keyboard.press("j")
    expect(second).to_be_focused()
    expect(near).to_contain_text("Order form")
    page.keyboard.press("k")
    near.get_by_role("link", name="Previous page").click()
    expect(near).to_contain_text("Page 1 of 2")
    near.get_by_role("button", name="Close the page").click()
    expect(near).to_be_hidden()
    expect(first).to_be_focused()
    page.set_viewport_size({"width": 1100, "height": 800})
    first.click()
    expect(page).to_have_url(re.compile(r"/documents/\d+/\?page=2"))


def test_the_page_of_a_result_that_is_not_listed_any_more_is_closed(
    live: Live, page: Page, alice: User, papers: Datasource
) -> None:
    live.login(page, alice)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{live.base_url}/d/{papers.pk}/search/?q=charge+customer")
    near, box = page.locator("#near"), page.get_by_role("searchbox", name="Search", exact=True)
    page.locator("[data-hit]").first.click()
    expect(near).to_contain_text("Amendment")
    box.fill("charge customer shall")
    expect(page).to_have_url(re.compile("shall$"))
    expect(page.locator(".sr.on")).to_contain_text("The Customer shall pay")
    expect(near).to_contain_text("Amendment")
    box.fill("qqqq")
    page.get_by_label("Every passage with these exact words").check()
    expect(page.locator("[data-hit]")).to_have_count(0)
    expect(near).to_be_hidden()
    expect(box).to_have_value("qqqq")


def test_it_works_without_scripts(live: Live, browser: Browser, alice: User, papers: Datasource) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{papers.pk}/search/")
    page.get_by_role("searchbox", name="Search", exact=True).fill("early charge")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(page.locator("[data-hit]").first).to_contain_text("harge")
    page.get_by_text("Why this result").first.click()
    expect(page.locator(".why").first).to_be_visible()
    page.get_by_text("Hide why").first.click()
    expect(page.locator(".why").first).to_be_hidden()
    expect(page.get_by_text("Hide why").first).to_be_hidden()
    page.locator("[data-hit]").first.click()
    expect(page.locator("mark").first).to_be_visible()
    context.close()


def test_the_title_of_a_document_can_be_read_on_a_phone(
    live: Live, page: Page, alice: User, contracts: Datasource
) -> None:
    contracts.name = "Sample: Tarnbeck and Hallowmere"
    contracts.save()
    add(contracts, "Master services agreement of 2021", "Notices are in writing.", CHARGE)
    live.login(page, alice)
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    page.goto(f"{live.base_url}/search/?q=notices")
    title = page.get_by_role("link", name="Master services agreement of 2021")
    assert title.evaluate("title => title.scrollWidth <= title.clientWidth")

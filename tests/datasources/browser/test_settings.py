"""The settings of a datasource in a real browser: one scroll bar, the bar in place, errors in sight."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from datasources.models import Datasource, Membership
from tests.browser import DESKTOP, PHONE, Live, browser, live, live_variables, page, static_files  # noqa: F401
from tests.people import person


@pytest.fixture
def settings_page(live: Live, page: Page, contracts: Datasource, alice: User) -> Page:  # noqa: F811
    for n in range(12):
        Membership.objects.create(datasource=contracts, user=person(f"member{n}"))
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{contracts.pk}/settings/")
    return page


def window_scrolls(page: Page) -> int:  # noqa: F811
    """By how many pixels the window itself, not a part of the page, can be scrolled."""
    return int(page.evaluate("document.scrollingElement.scrollHeight - innerHeight"))


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_window_never_scrolls_beside_the_settings(settings_page: Page, size: Any) -> None:
    settings_page.set_viewport_size(size)
    assert window_scrolls(settings_page) <= 0
    settings_page.get_by_role("navigation", name="Settings").get_by_role("link", name="People").click()
    expect(settings_page.get_by_role("heading", name="People")).to_be_in_viewport()
    expect(settings_page.get_by_role("banner")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_a_refused_share_says_so_where_it_was_typed(settings_page: Page, size: Any) -> None:
    settings_page.set_viewport_size(size)
    address = settings_page.get_by_label("E-mail address")
    address.fill("alice@example.org")
    settings_page.get_by_role("button", name="Share").click()
    expect(settings_page.get_by_text("The owner already has every right here")).to_be_in_viewport()
    expect(address).to_have_value("alice@example.org")
    expect(address).to_be_focused()
    address.fill("nobody@example.org")
    settings_page.get_by_role("button", name="Share").click()
    expect(settings_page.locator("#toasts")).to_contain_text("Shared with nobody@example.org")
    expect(settings_page.get_by_label("Role of nobody@example.org")).to_be_visible()


def test_without_scripts_the_page_opens_at_the_refused_field(
    live: Live,  # noqa: F811
    settings_page: Page,
    alice: User,
) -> None:
    context = settings_page.context.browser.new_context(java_script_enabled=False, viewport=DESKTOP)  # type: ignore[union-attr,arg-type]
    plain = context.new_page()
    live.login(plain, alice)
    plain.goto(settings_page.url)
    plain.get_by_label("E-mail address").fill("alice@example.org")
    plain.get_by_role("button", name="Share").click()
    expect(plain.get_by_text("The owner already has every right here")).to_be_in_viewport()
    plain.goto(plain.url)  # the address bar again: what a kept link asks for
    expect(plain.get_by_role("heading", name="People")).to_be_visible()
    context.close()

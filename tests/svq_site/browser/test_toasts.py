"""Toasts: they go by themselves, wait for whoever reads them, close, and stay readable for screen readers."""

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from tests.browser import Live

pytest_plugins = ["tests.browser"]

TEXT = "The server could not do this."


@pytest.fixture
def home(live: Live, page: Page, alice: User) -> Page:
    """A page whose time stands still until the test moves it."""
    live.login(page, alice)
    page.clock.install()
    page.goto(live.base_url)
    return page


def show(page: Page, kind: str = "bad") -> None:
    page.evaluate(
        "detail => document.dispatchEvent(new CustomEvent('toast', { detail }))", {"text": TEXT, "kind": kind}
    )


def test_an_error_goes_after_a_while_and_can_still_be_read_by_a_screen_reader(home: Page) -> None:
    show(home)
    alert = home.get_by_role("alert")
    expect(alert).to_have_text(TEXT)
    home.clock.fast_forward(10_000)
    expect(alert).to_be_visible()
    home.clock.fast_forward(10_000)
    expect(alert).to_have_count(0)
    expect(home.get_by_role("list", name="Messages").get_by_text(TEXT)).to_have_count(1)


def test_it_waits_while_the_mouse_or_the_focus_is_on_it(home: Page) -> None:
    show(home)
    alert = home.get_by_role("alert")
    alert.hover()
    home.clock.fast_forward(60_000)
    expect(alert).to_be_visible()
    home.mouse.move(0, 0)
    alert.get_by_role("button", name="Dismiss").focus()
    home.clock.fast_forward(60_000)
    expect(alert).to_be_visible()
    home.keyboard.press("Enter")
    expect(alert).to_have_count(0)


def test_nothing_counts_as_open_after_the_last_one(home: Page) -> None:
    show(home, "")
    expect(home.locator(".toast")).to_have_text(TEXT)
    home.get_by_role("button", name="Dismiss").click()
    expect(home.locator("[popover]:popover-open")).to_have_count(0)

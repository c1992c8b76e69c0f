"""Checks where there are none yet: the list that comes with SVQ in one click, or one of one's own."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from datasources.models import Datasource
from desks.compliance.frameworks.shipped import NAME
from tests import axe
from tests.browser import DESKTOP, PHONE, Live
from tests.compliance.world import TABLE, documents

pytest_plugins = ["tests.browser"]


@pytest.fixture
def checks(live: Live, page: Page, alice: User, contracts: Datasource) -> Page:
    documents(contracts)
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{contracts.pk}/")
    page.get_by_role("navigation", name="Datasource").get_by_role("link", name="Checks").click()
    return page


def test_one_click_checks_all_documents_against_the_list_that_comes_with_svq(checks: Page) -> None:
    expect(checks.get_by_role("heading", name=NAME)).to_be_visible()
    expect(checks.get_by_text("Countries in which data is kept", exact=True)).to_be_visible()
    expect(checks.get_by_text("No language model needed.")).to_be_visible()
    expect(checks.get_by_text("Without a model SVQ finds the passages and you judge.")).to_be_visible()
    for size in (DESKTOP, PHONE):
        checks.set_viewport_size(size)  # type: ignore[arg-type]
        assert axe.violations(checks) == []
        assert checks.evaluate("document.documentElement.scrollWidth") <= size["width"]
    checks.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    checks.get_by_text("Read all 13 points").click()
    expect(checks.get_by_text("take part in the security training")).to_be_visible()
    assert axe.violations(checks) == []
    checks.get_by_role("button", name="Check these 13 points").click()
    expect(checks.get_by_role("heading", name=NAME)).to_be_visible()
    expect(checks.locator("main")).to_contain_text("13 points against 2 documents (All documents)")
    row = checks.locator("tr", has_text="it says how long they are kept")
    expect(checks.locator(".gp-sum")).to_contain_text("To be judged")
    expect(row).to_contain_text("Questionnaire, p. 1")


def test_only_some_documents_are_checked(checks: Page) -> None:
    checks.get_by_text("all 2 documents").click()
    checks.get_by_label("Agreement").check()
    expect(checks.get_by_label("These:")).to_be_checked()
    expect(checks.locator("summary", has_text="Check")).to_contain_text("1 document")
    checks.get_by_label("All, later ones too").check()
    expect(checks.get_by_label("Agreement")).not_to_be_checked()
    checks.get_by_label("Agreement").check()
    checks.get_by_role("button", name="Check these 13 points").click()
    expect(checks.locator("main")).to_contain_text("13 points against 1 document (Agreement)")


def test_a_list_of_one_s_own_is_used_once_it_is_chosen(checks: Page, tmp_path: Path) -> None:
    file = tmp_path / "rules.csv"
    file.write_text(TABLE)
    checks.get_by_label("Choose a file").set_input_files(file)
    expect(checks.get_by_role("heading", name="rules")).to_be_visible()
    expect(checks.get_by_role("link", name="Check", exact=True)).to_be_visible()
    checks.get_by_role("link", name="Lists of points", exact=True).click()
    expect(checks.get_by_role("heading", name="Bring your own list")).to_be_visible()
    expect(checks.get_by_label("A list of yours")).to_contain_text("rules")


def test_without_scripts_one_click_is_enough_too(
    live: Live, browser: Browser, alice: User, contracts: Datasource
) -> None:
    documents(contracts)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{contracts.pk}/gaps/")
    page.get_by_role("button", name="Check these 13 points").click()
    expect(page.get_by_role("heading", name=NAME)).to_be_visible()
    context.close()

"""The gap analysis in a browser: from a requirement to its words on the page, to one's own verdict."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.conf import settings as project
from django.db import connections
from playwright.sync_api import Page, expect

from accounts.models import AuditEntry, User
from datasources.models import Datasource
from desks.compliance.checks.run import carry_on
from desks.compliance.checks.services import start_check
from desks.compliance.models import Evidence
from tests.browser import DESKTOP, PHONE, Live
from tests.compliance.world import BACKUPS, assessor, vendor
from tests.openai_server import ScriptedOpenAI

pytest_plugins = ["tests.browser"]
PICTURES = project.BASE_DIR / "var" / "pictures" / "gaps"


@pytest.fixture
def assessed(transactional_db: None, contracts: Datasource, alice: User, settings: Any) -> Datasource:
    made, subject = vendor(contracts, alice)
    with ScriptedOpenAI(assessor) as server:
        settings.LLM_BASE_URL, settings.LLM_MODEL = server.base_url, "scripted"
        check = start_check(alice, made, subject, queued=False)
        in_a_thread(lambda: async_to_sync(carry_on)(check.pk))
    Evidence.objects.update(boxes={"1": [[100, 100, 600, 120]]})
    return contracts


def in_a_thread(act: Callable[[], None]) -> None:
    """The browser's event loop runs in this one."""

    def run() -> None:
        try:
            act()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(run).result()


def picture(page: Page, name: str) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    for theme in ("light", "dark"):
        page.evaluate("theme => document.documentElement.dataset.theme = theme", theme)
        page.screenshot(path=PICTURES / f"{name}-{theme}.png")


def test_a_requirement_is_opened_proved_and_judged(
    live: Live, page: Page, alice: User, assessed: Datasource
) -> None:
    live.login(page, alice)
    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    page.goto(f"{live.base_url}/d/{assessed.pk}/gaps/")
    expect(page.get_by_role("heading", name="Rules")).to_be_visible()
    row = page.locator("tr", has_text="how long backups are kept")
    expect(row).to_contain_text("Covered")
    expect(row).to_contain_text("Questionnaire, p. 1")
    page.wait_for_load_state("networkidle")
    opened: list[bool] = []
    cards = AuditEntry.objects.filter(subject="evidence")
    in_a_thread(lambda: opened.append(cards.exists()))
    row.locator(".chip").hover()
    expect(page.locator("#hovercard img")).to_be_visible()
    in_a_thread(lambda: opened.append(cards.exists()))
    assert opened == [False, True]  # the audit log has what was looked at, and nothing before that
    page.mouse.move(5, 5)
    row.get_by_role("link", name="how long backups").click()
    pane = page.locator("#pane")
    expect(pane).to_contain_text(BACKUPS)
    expect(pane).to_contain_text("Supports the statement")
    expect(row).to_have_class("sel")
    picture(page, "desktop")
    pane.get_by_role("button", name="Agree, covered").click()
    expect(page.locator("#pane")).to_contain_text("agreed: covered")
    page.get_by_text("Change or assign").click()
    page.get_by_label("Result").select_option("partial")
    page.get_by_label("Why").fill("No word of the region's name.")
    picture(page, "change")
    page.get_by_role("button", name="Save the result").click()
    expect(page.locator("tr", has_text="how long backups are kept")).to_contain_text("Partial")
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    picture(page, "phone")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_label("Close point").click()
    picture(page, "phone-list")
    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    for name in ("frameworks/", f"d/{assessed.pk}/gaps/vendors/", f"d/{assessed.pk}/gaps/check/"):
        page.goto(f"{live.base_url}/{name}")
        picture(page, name.strip("/").replace("/", "-"))
    page.goto(f"{live.base_url}/d/{assessed.pk}/gaps/compare/")
    expect(page.get_by_role("heading", name="Tarnbeck over time")).to_be_visible()
    picture(page, "compare")
    page.goto(f"{live.base_url}/frameworks/")
    page.get_by_role("link", name="Rules").click()
    picture(page, "framework")

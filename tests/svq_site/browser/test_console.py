"""A day's work in the browser leaves nothing in its console: no script error, no swap without a place."""

from typing import Any

from playwright.sync_api import Page, expect

from accounts.models import User
from datasources.models import Datasource
from tests.browser import Live
from tests.factories import SAMPLE, make_document

pytest_plugins = ["tests.browser"]


def test_nothing_is_logged_while_files_come_and_go_and_questions_are_asked(
    live: Live, page: Page, alice: User, contracts: Datasource
) -> None:
    said: list[str] = []

    def hear(message: Any) -> None:
        if message.type in ("error", "warning"):
            said.append(f"{message.text} {message.location['url']}")

    for number in range(60):  # more than a page of the list
        make_document(contracts, f"Contract {number:02}", f"Contract {number} begins in May.")
    page.on("console", hear)
    live.login(page, alice)
    documents = f"{live.base_url}/d/{contracts.pk}/"
    page.goto(documents)
    page.locator("input[name=files]").set_input_files([SAMPLE, SAMPLE.parent / "amendment-no-1.pdf"])
    row = page.locator("tr[data-row]", has_text="security-questionnaire")
    expect(row).to_contain_text("Ready")
    row.get_by_role("group").last.click()
    row.get_by_text("Delete").click()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo")).to_have_count(0)
    other = page.context.new_page()
    other.on("console", hear)
    other.goto(f"{documents}?q=Contract+1")
    page.locator("tr[data-row] input[type=checkbox]").first.check()
    page.locator("[data-selection]").get_by_role("button", name="Delete").click()
    expect(page.get_by_role("button", name="Undo")).to_be_visible()

    page.goto(f"{documents}chat/")
    box = page.get_by_role("textbox", name="Question")
    box.fill("How long are backups kept?")
    box.evaluate("box => box.style.height = '90px'")  # as composer.js does where CSS cannot grow it
    page.keyboard.press("Enter")
    expect(page.locator(".me")).to_be_visible()
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()
    expect(page.locator("#follow-ups[hx-get]")).to_have_count(0)  # which are asked for, not yet there
    page.get_by_label("More about this conversation").click()
    page.get_by_role("link", name="Delete conversation").click()
    page.get_by_role("button", name="Delete conversation").click()
    expect(page.get_by_role("heading", name="What do you want to know?")).to_be_visible()
    assert not said, said

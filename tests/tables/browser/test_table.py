"""A table in the browser: it fills without a reload, a cell's source opens and closes, it fits a phone."""

import re
from typing import Literal

import pytest
from django.conf import settings
from playwright.sync_api import Page, ViewportSize, expect

from accounts.models import User
from datasources.models import Datasource
from desks.tables.filling.proof import Found, put
from desks.tables.models import Cell
from desks.tables.services import Asked, create_table
from tests import axe
from tests.browser import DESKTOP, PHONE, Live
from tests.tables.world import COLUMNS, LAW, cell_at, documents, table_of

pytest_plugins = ["tests.browser"]

PICTURES = settings.BASE_DIR / "var" / "pictures" / "tables"
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_table_fills_while_one_looks_and_shows_the_proof_of_a_cell(
    live: Live, page: Page, alice: User, contracts: Datasource, size: ViewportSize
) -> None:
    table = table_of(contracts, alice)
    live.login(page, alice)
    page.set_viewport_size(size)
    page.goto(f"{live.base_url}/d/{contracts.pk}/tables/")
    page.get_by_role("link", name="Agreements").click()
    page.get_by_role("button", name="Fill the table").click()
    law = cell_at(table, "Brook agreement", "Law")
    chip = page.locator(f"#cell-{law.pk} .chip")
    expect(chip).to_be_visible()
    expect(page.get_by_role("button", name="Stop")).to_have_count(0)
    chip.click()
    proof = page.locator("#proof")
    expect(proof.get_by_role("heading", name="Brook agreement")).to_be_visible()
    expect(proof).to_contain_text("please judge for yourself")
    expect(page).to_have_url(re.compile(rf"cell={law.pk}$"))
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        PICTURES.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=PICTURES / f"table-{theme}-{size['width']}.png")
        assert axe.violations(page) == []
    across = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert across <= 0, "nothing is wider than the window"
    page.reload()
    expect(proof.get_by_role("heading", name="Brook agreement")).to_be_visible()
    page.keyboard.press("Escape")
    expect(proof.locator("> *")).to_have_count(0)
    expect(chip).to_be_focused()
    Cell.objects.filter(pk=law.pk).update(value="The laws of Denmark, as they stand on the day. " * 9)
    page.goto(f"{live.base_url}/d/{contracts.pk}/tables/{table.pk}/")
    said, more = page.locator(f"#said-{law.pk}"), page.locator(f"#cell-{law.pk} .lt-more")
    lines = "said => said.clientHeight / parseFloat(getComputedStyle(said).lineHeight)"
    assert round(said.evaluate(lines)) == 5
    expect(more).to_be_visible()  # once the script has measured the lines
    more.press("Enter")
    expect(more).to_have_attribute("aria-expanded", "true")
    assert said.evaluate(lines) > 5.5
    page.goto(f"{live.base_url}/d/{contracts.pk}/tables/new/")
    page.screenshot(path=PICTURES / f"new-{size['width']}.png")
    assert axe.violations(page) == []


def test_the_cell_whose_source_is_opened_is_seen_whole_beside_it(
    live: Live, page: Page, alice: User, contracts: Datasource
) -> None:
    chosen = [document.pk for document in documents(contracts)]
    asked = [*COLUMNS, *(Asked(name=f"Law {n}", question=COLUMNS[1].question) for n in range(5))]
    table = create_table(alice, contracts, "Wide", asked, chosen)
    cell = cell_at(table, "Brook agreement", "Law 4")
    put(cell, Found(value="", quote=LAW, start=27, method="exact"), cell.row.document)
    cell.save()
    live.login(page, alice)
    for width in (1440, 1100):
        page.set_viewport_size({"width": width, "height": 900})
        page.goto(f"{live.base_url}/d/{contracts.pk}/tables/{table.pk}/?cell={cell.pk}")
        expect(page.locator("#proof")).to_contain_text("Brook agreement")
        right = "element => element.getBoundingClientRect().right"
        left = page.locator("#proof").evaluate("element => element.getBoundingClientRect().left")
        assert page.locator(f"#cell-{cell.pk}").evaluate(right) <= left + 1
        page.locator("[data-cell-close]").click()
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (
            "the table scrolls alone"
        )


def test_columns_to_begin_with_keep_what_was_typed(
    live: Live, page: Page, alice: User, contracts: Datasource
) -> None:
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{contracts.pk}/tables/")
    page.goto(f"{live.base_url}/d/{contracts.pk}/tables/new/")
    columns = page.get_by_label("Columns, one per line")
    page.get_by_label("Name", exact=True).fill("What was agreed")
    page.get_by_role("link", name="Reports").click()
    expect(columns).to_have_value(re.compile(r"^Period: [^\0]*Outlook: What is said about the future\?$"))
    columns.fill("Notice: How much notice?\n" + columns.input_value())
    page.get_by_role("link", name="Contracts").click()
    expect(columns).to_have_value(re.compile(r"^Notice: How much notice\?\nParties: "))
    expect(columns).not_to_have_value(re.compile("Outlook"))
    expect(page.get_by_role("link", name="Contracts")).to_have_attribute("aria-current", "true")
    expect(page.get_by_label("Name", exact=True)).to_have_value("What was agreed")
    page.go_back()
    expect(page.get_by_role("heading", name="Tables", exact=True)).to_be_visible()

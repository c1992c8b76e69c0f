"""Putting the graph right in a real browser: the queue by keyboard alone, an entity's menu and its search."""

from typing import Any

from playwright.sync_api import Page, expect

from accounts.models import User
from datasources.models import Datasource
from graph.curation import review
from graph.models import Decision, DecisionKind
from tests.browser import Live, browser, live, live_variables, page, static_files, wait_until  # noqa: F401
from tests.graph.corpus import PAIRS, TEXTS, named, picture, upload


def opened(live: Live, page: Page, user: User, path: str) -> Page:  # noqa: F811
    live.login(page, user)
    page.goto(live.base_url + path)
    return page


def kinds() -> list[Any]:
    return list(Decision.objects.order_by("pk").values_list("kind", flat=True))


def test_two_pairs_are_reviewed_by_keyboard_alone_and_undone(
    live: Live,  # noqa: F811
    page: Page,  # noqa: F811
    contracts: Datasource,
    alice: User,
) -> None:
    upload(contracts, *PAIRS)
    before = picture(contracts)
    assert review.count(contracts.pk) == 2
    tab = opened(live, page, alice, f"/d/{contracts.pk}/graph/review/")
    status, toast = tab.locator("#review [role=status]").first, tab.locator("#undo")
    expect(status).to_contain_text("2 pairs left")
    first = tab.locator(".cu-n h2").all_inner_texts()
    tab.evaluate("window.here = true")
    tab.keyboard.press("y")
    expect(status).to_contain_text("1 pair left")
    expect(toast).to_contain_text("are one thing.")
    expect(tab.locator(".cu-n h2")).not_to_have_text(first)
    tab.keyboard.press("n")
    expect(tab.get_by_role("heading", name="Nothing to decide")).to_be_visible()
    assert kinds() == [DecisionKind.MERGE, DecisionKind.APART]
    tab.keyboard.press("u")
    expect(status).to_contain_text("1 pair left")
    expect(toast).to_have_count(0)
    tab.keyboard.press("s")
    expect(tab.get_by_text("1 pair that you passed over is still open.")).to_be_visible()
    assert tab.evaluate("window.here")
    tab.goto(f"{live.base_url}/d/{contracts.pk}/graph/decisions/")
    tab.get_by_role("button", name="Undo").press("Enter")
    expect(tab.get_by_text("Nothing was decided yet")).to_be_visible()
    assert picture(contracts) == before


def test_a_held_key_decides_once(
    live: Live,  # noqa: F811
    page: Page,  # noqa: F811
    contracts: Datasource,
    alice: User,
) -> None:
    upload(contracts, *PAIRS)
    tab = opened(live, page, alice, f"/d/{contracts.pk}/graph/review/")
    for _ in range(3):
        tab.keyboard.down("y")
        expect(tab.locator("#undo")).to_contain_text("are one thing.")
    tab.keyboard.up("y")
    expect(tab.locator("#review [role=status]").first).to_contain_text("1 pair left")
    assert kinds() == [DecisionKind.MERGE]


def test_an_entity_is_merged_from_its_menu(
    live: Live,  # noqa: F811
    page: Page,  # noqa: F811
    contracts: Datasource,
    alice: User,
) -> None:
    upload(contracts, *TEXTS[:5])
    beats = named(contracts, "beats electronics")
    tab = opened(live, page, alice, f"/d/{contracts.pk}/graph/?view=list&entity={beats.pk}")
    tab.get_by_label("Change Beats Electronics").press("Enter")
    tab.get_by_role("link", name="Merge with another").press("Enter")
    dialog = tab.get_by_role("dialog", name="Merge “Beats Electronics” with another entity")
    expect(dialog.get_by_label("The other entity")).to_be_focused()
    tab.keyboard.type("apple")
    dialog.get_by_role("radio", name="Apple").press("Space")
    dialog.get_by_role("button", name="Merge the two").press("Enter")
    expect(tab.locator("#toasts")).to_contain_text("are now one")
    merged = named(contracts, "apple")
    assert named(contracts, "beats electronics") == merged
    assert tab.url.endswith(f"?entity={merged.pk}")
    expect(tab.get_by_role("heading", name="Decisions")).to_be_visible()
    tab.get_by_role("button", name="Undo: “Beats Electronics” and “Apple” are one thing.").press("Enter")
    expect(tab.locator("#toasts")).to_contain_text("The decision was undone.")
    assert not Decision.objects.exists()

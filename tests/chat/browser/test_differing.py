"""The card of two documents that differ, as wide as the screen lets it be, with the pages they say it on."""

from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from chat import services
from chat.models import Turn, TurnStatus
from datasources.models import DocumentStatus
from datasources.services import create_datasource
from ingestion.adding.upload import accept_upload
from svq_site.settings import BASE_DIR
from tests import axe
from tests.browser import DESKTOP, PHONE, Live, wait_until
from tests.people import person

pytest_plugins = ["tests.browser"]
pytestmark = pytest.mark.django_db

LOADED = "images => images.length == 2 && images.every(image => image.complete && image.naturalWidth > 0)"
DOCUMENTS = ("master-services-agreement.pdf", "security-questionnaire.pdf")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """`session` is the cookie of who asked; `answered` is the address of the conversation with the turn."""

    session: Any
    answered: str


@pytest.fixture(scope="module")
def world(kept_live: Live) -> World:
    """What the samples say about backups, which are kept for 35 or for 90 days."""
    alice = person("alice")
    contracts = create_datasource(alice, "Contracts")
    added = []
    for name in DOCUMENTS:
        with (BASE_DIR / "samples" / name).open("rb") as file:
            (accepted,) = accept_upload(contracts, alice, name, file)
        added.append(accepted.document)

    def are_read() -> bool:
        for document in added:
            document.refresh_from_db()
            assert document.status != DocumentStatus.FAILED, document.error_message
        return all(document.status == DocumentStatus.READY for document in added)

    wait_until(are_read, "the reading of the documents")
    turn = services.ask(alice, contracts, "How long are backups kept?")
    wait_until(lambda: Turn.objects.get(pk=turn.pk).status == TurnStatus.QUOTES, "the passages")
    address = f"{kept_live.base_url}/d/{contracts.pk}/chat/{turn.conversation_id}/"
    return World(session=kept_live.session_of(alice), answered=address)


@pytest.fixture
def shown(world: World, page: Page) -> Page:
    page.context.add_cookies([world.session])
    page.goto(world.answered)
    return page


def box(locator: Locator) -> dict[str, float]:
    found = locator.bounding_box()
    assert found
    return {"x": found["x"], "y": found["y"], "width": found["width"]}


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_both_sides_are_on_the_screen_with_their_pages(shown: Page, size: dict[str, Any]) -> None:
    shown.set_viewport_size(size)  # type: ignore[arg-type]
    card = shown.get_by_role("region", name="Two documents give different figures")
    sides = [card.get_by_text(value, exact=True) for value in ("35 days", "90 days")]
    crops = card.get_by_role("img")
    for each in (card, *sides, crops.nth(0), crops.nth(1)):
        each.scroll_into_view_if_needed()
        expect(each).to_be_visible()
    assert box(card)["x"] >= 0
    assert box(card)["x"] + box(card)["width"] <= size["width"]
    assert not shown.evaluate("document.documentElement.scrollWidth > innerWidth")
    wait_until(lambda: crops.evaluate_all(LOADED), "the crops")
    one, other = box(sides[0]), box(sides[1])
    assert (one["y"] == other["y"]) == (size is DESKTOP)
    for theme in ("light", "dark"):
        shown.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        assert axe.violations(shown, within=".dfr") == []
    # The agreement's line is wider than a phone, and its "35 days" stands near the end of it.
    of_agreement = card.get_by_role("group").filter(has=shown.get_by_role("img", name="35 days"))
    assert (of_agreement.evaluate("group => group.scrollLeft") > 0) == (size is PHONE)


def test_the_number_below_a_side_opens_its_page(shown: Page) -> None:
    card = shown.get_by_role("region", name="Two documents give different figures")
    card.get_by_role("link", name="Master Services Agreement").first.click()
    pane = shown.get_by_role("dialog", name="Source")
    expect(pane.get_by_role("img", name="35 days")).to_be_visible()

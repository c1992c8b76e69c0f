"""The bar of a datasource that has every tab: the last one is seen wherever the tabs do not scroll."""

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from datasources.models import Datasource
from research.models import Paper
from tests.browser import Live
from tests.compliance.world import vendor
from tests.factories import make_document
from tests.graph.corpus import LETTERS, learn

pytest_plugins = ["tests.browser"]

PICTURES = settings.BASE_DIR / "var" / "pictures" / "bar"


@pytest.mark.parametrize("width", [1440, 1280, 1180])
def test_every_tab_is_seen(live: Live, page: Page, alice: User, contracts: Datasource, width: int) -> None:
    vendor(contracts, alice)
    title, text = next(iter(LETTERS.items()))
    letter = make_document(contracts, title, text)
    learn(letter)
    now = timezone.now()
    Paper.objects.create(
        document=letter, number="2401.00001", version=1, newest=1, title=title, published=now, updated=now
    )
    live.login(page, alice)
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(f"{live.base_url}/d/{contracts.pk}/settings/")
    tabs = page.get_by_role("navigation", name="Datasource").get_by_role("link")
    expect(tabs).to_have_count(10)
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"bar-{width}.png", clip={"x": 0, "y": 0, "width": width, "height": 60})
    bar, last = page.locator(".tabs").bounding_box(), tabs.last.bounding_box()
    assert bar
    assert last
    assert last["x"] + last["width"] <= bar["x"] + bar["width"] + 1

"""Importing papers as a person does: search, tick, import, follow the queue, ask only some of them."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from datasources.models import Datasource
from tests.browser import DESKTOP, PHONE, Live
from tests.research.arxiv_server import Arxiv
from tests.research.world import TITLES, papers

pytest_plugins = ["tests.browser"]


@pytest.fixture(scope="module")
def arxiv(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arxiv]:
    with Arxiv(papers=papers(tmp_path_factory.mktemp("papers"))) as server:
        yield server


@pytest.fixture
def live_variables(arxiv: Arxiv) -> dict[str, str]:
    return {
        "SVQ_ARXIV_API_URL": f"{arxiv.url}/api/query",
        "SVQ_ARXIV_PDF_URL": f"{arxiv.url}/pdf",
        "SVQ_ARXIV_PAUSE": "1",
    }


def seen(page: Page, name: str) -> None:
    folder = os.environ.get("SHOTS", "")
    for width, size in (("wide", DESKTOP), ("phone", PHONE)):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (
            f"{name} is wider than the {width}"
        )
        for theme in ("light", "dark") if folder else ():
            page.emulate_media(color_scheme=theme)
            page.screenshot(path=Path(folder) / f"{name}-{width}-{theme}.png", full_page=True)
    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]


def test_papers_are_searched_for_and_imported(
    live: Live, page: Page, contracts: Datasource, alice: User
) -> None:
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{contracts.pk}/")
    page.get_by_label("More ways to add documents").click()
    page.get_by_role("link", name="Import papers from arXiv").click()
    page.get_by_role("searchbox").fill("lanterns")
    page.keyboard.press("Enter")
    expect(page.get_by_text("5 papers, 1 to 5 shown")).to_be_visible()
    page.get_by_label(TITLES["2401.00001"]).check()
    page.get_by_label(TITLES["2401.00002"]).check()
    expect(page.locator("[data-selected-count]")).to_have_text("2")
    seen(page, "results")
    page.get_by_role("button", name="Import selected").click()
    expect(page.locator("#queue")).to_contain_text("2 of 2 done")
    seen(page, "queue")
    expect(page.locator("#queue")).to_contain_text("Ready to be asked")
    page.reload()
    expect(page.get_by_text("2 already here")).to_be_visible()
    page.goto(f"{live.base_url}/d/{contracts.pk}/papers/")
    expect(page.get_by_text("Byron et al. 2020")).to_be_visible()
    seen(page, "papers")
    page.get_by_label(TITLES["2401.00001"]).check()
    page.get_by_role("button", name="Ask only these").click()
    expect(page.get_by_text("Search in 1 of 2 documents")).to_be_visible()

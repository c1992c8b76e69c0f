"""The first page in a browser: from its answer to the conversation, from its button to a datasource."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from accounts.models import User
from datasources.models import Datasource
from datasources.services import create_datasource
from svq_site.dashboard import welcome
from svq_site.models import Welcome
from tests.browser import DESKTOP, PHONE, Live
from tests.factories import SAMPLE, make_document, make_turn

pytest_plugins = ["tests.browser"]


@pytest.fixture
def first(live: Live, page: Page, alice: User) -> Page:
    sample = create_datasource(alice, "Sample")
    sample.suggested_questions = ["How long are backups kept?", "Who pays?"]
    sample.save()
    document = make_document(sample)
    welcome.begin(alice, sample)
    Welcome.objects.update(turn=make_turn(alice, document))
    live.login(page, alice)
    page.goto(live.base_url)
    return page


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_answer_leads_to_its_conversation(first: Page, size: dict[str, int]) -> None:
    first.set_viewport_size(size)  # type: ignore[arg-type]
    expect(first.get_by_role("img", name="Page 1 of Questionnaire. Marked words: Backups")).to_be_visible()
    wide = first.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    first.get_by_role("link", name="Open in Ask").click()
    expect(first.get_by_role("article", name="Question")).to_have_text("How long are backups kept?")


def test_a_question_to_try_is_asked_at_once(first: Page) -> None:
    first.get_by_role("button", name="Who pays?").click()
    expect(first.get_by_role("article", name="Question")).to_have_text("Who pays?")


def test_the_closest_passage_is_seen_on_its_page_beside_the_answer(first: Page) -> None:
    first.set_viewport_size({"width": 1440, "height": 900})
    first.goto(f"{first.url}d/{Datasource.objects.get().pk}/chat/")
    first.get_by_role("textbox", name="Question").fill("For how long are the backups kept?")
    first.keyboard.press("Enter")
    expect(first.get_by_role("heading", name="Passages that may answer")).to_be_in_viewport()
    expect(first.locator("#pane .sp-h[data-chip]")).to_be_visible()
    expect(first.locator(".chip.on")).to_have_text("1")
    assert "cite" not in first.url, "nobody has opened it"


def test_chosen_files_get_a_datasource_of_their_own(first: Page, tmp_path: Path) -> None:
    file = tmp_path / "Lease of the head office.pdf"
    file.write_bytes(SAMPLE.read_bytes() + b"\n%another")
    with first.expect_file_chooser() as chosen:
        first.get_by_role("link", name="Choose files").click()
    chosen.value.set_files(file)
    dialog = first.get_by_role("dialog", name="New datasource")
    expect(dialog.get_by_label("Name")).to_have_value("Lease of the head office")
    expect(dialog).to_contain_text("“Lease of the head office.pdf” will be added to it.")
    dialog.get_by_role("button", name="Make the datasource").click()
    # As its title until it is read, then as the name of its file.
    expect(first.locator("[data-row]")).to_contain_text("Lease of the head office")

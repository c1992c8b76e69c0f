"""A memo in the browser, from the notes to its file. The pictures are left for people in var/pictures."""

import re
from typing import Literal

import pytest
from django.conf import settings
from django.urls import reverse
from playwright.sync_api import Dialog, Page, expect

from accounts.models import User
from datasources.models import Datasource
from memos.models import Memo
from tests import axe
from tests.browser import DESKTOP, PHONE, Live
from tests.memos.made import make_notes

pytest_plugins = ["tests.browser"]
pytestmark = pytest.mark.django_db

PICTURES = settings.BASE_DIR / "var" / "pictures" / "memos"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SEVERAL = "End: in May [2]. Rent: 900 euro [1], proof of which is [9]."


def seen(page: Page, name: str) -> None:
    """At both widths nothing is wider than the window, and axe finds nothing; a picture of each."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    problems: list[object] = []
    for size, width in ((DESKTOP, "1440"), (PHONE, "390")):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (name, width)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.screenshot(path=PICTURES / f"{name}-{width}-{scheme}.png")
            problems += [(name, width, scheme, found) for found in axe.violations(page)]
    assert not problems
    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    page.emulate_media(color_scheme="light")


def test_notes_become_a_memo_that_saves_itself_and_overwrites_nothing(
    live: Live, page: Page, contracts: Datasource, alice: User
) -> None:
    make_notes(contracts, alice)
    live.login(page, alice)
    page.goto(live.base_url + reverse("notebook", args=[contracts.pk]))
    for box in page.locator("[name=note]").all():
        box.check()
    seen(page, "notebook")
    page.get_by_role("button", name="Write a memo from the chosen").click()

    # It saves itself, and the preview follows.
    text, title = page.get_by_label("Text", exact=True), page.get_by_label("Title")
    title.fill("Rent and term")
    expect(page.locator("#memo-preview h1")).to_have_text("Rent and term")
    text.fill(SEVERAL)
    expect(page.locator(".st-state")).to_have_text("Not saved yet")
    expect(page.locator(".st-state")).to_have_text("Saved")
    chips = page.locator(".memo-prose .chip")
    expect(chips).to_have_text(["1", "2", "9: no source"])
    memo = Memo.objects.get()
    assert (memo.title, memo.text) == ("Rent and term", SEVERAL)
    chips.first.click()
    expect(page.locator("li:target")).to_contain_text("The lease ends in May.")
    seen(page, "memo")

    # Saved elsewhere meanwhile: both texts stay, and one goes on in one's own.
    Memo.objects.filter(pk=memo.pk).update(text="Elsewhere.", edition=99)
    text.fill("Mine [1].")
    expect(page.get_by_role("alert")).to_contain_text("Nothing was overwritten")
    expect(page).not_to_have_url(re.compile(rf"/memos/{memo.pk}/"))
    expect(text).to_have_value("Mine [1].")
    memo.refresh_from_db()
    assert memo.text == "Elsewhere."
    text.fill("Mine, longer [1].")
    expect(page.locator(".memo-prose")).to_contain_text("longer")
    assert Memo.objects.count() == 2
    seen(page, "both-kept")
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.locator("#memo-preview").scroll_into_view_if_needed()
    assert page.locator("#memo-preview").bounding_box()["y"] > text.bounding_box()["y"]  # type: ignore[index]
    page.screenshot(path=PICTURES / "preview-390-light.png")
    page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    page.get_by_role("button", name="Take out source 2").click()
    expect(page.get_by_role("heading", name="Not cited")).to_have_count(0)

    with page.expect_download() as taken:
        page.get_by_role("link", name="Word").click()
    assert taken.value.suggested_filename.endswith(".docx")

    # A file has what was typed a moment ago.
    text.fill("Typed just now [1].")
    with page.expect_download() as taken:
        page.get_by_role("link", name="Markdown").click()
    assert "Typed just now" in taken.value.path().read_text()

    # What could not be stored is kept, asked for, and sent again.
    questions: list[str] = []

    def stay(dialog: Dialog) -> None:
        questions.append(dialog.type)
        dialog.dismiss()

    page.on("dialog", stay)
    title.fill("")
    text.fill("No title, then more words [1].")
    expect(page.locator(".st-state")).to_contain_text("A memo needs a title. Not saved.")
    with page.expect_event("dialog"):
        page.get_by_role("link", name="Notebook").click()
    assert questions == ["beforeunload"]
    expect(text).to_have_value("No title, then more words [1].")
    page.context.set_offline(True)
    title.fill("Back again")
    expect(page.locator(".st-state")).to_contain_text("sent again by itself")
    page.context.set_offline(False)
    expect(page.locator(".st-state")).to_have_text("Saved")
    expect(page.locator("#memo-preview h1")).to_have_text("Back again")
    page.get_by_role("link", name="Delete").click()
    page.get_by_role("button", name="Delete memo").click()
    expect(page.locator("#memos")).to_contain_text("Rent and term")
    seen(page, "notebook-with-memo")


def test_what_was_not_saved_before_a_reload_is_put_back_and_saved_in_the_same_memo(
    live: Live, page: Page, contracts: Datasource, alice: User
) -> None:
    memo = Memo.objects.create(datasource=contracts, author=alice, title="Rent", text="Begun.")
    live.login(page, alice)
    page.goto(live.base_url + reverse("memo", args=[contracts.pk, memo.pk]))
    text = page.get_by_label("Text", exact=True)
    text.press("Control+End")
    text.press_sequentially(" And")
    page.reload()
    expect(text).to_have_value("Begun. And")
    expect(page.locator(".st-state")).to_have_text("Saved")
    text.press("Control+End")
    text.press_sequentially(" ended.")
    page.go_back()
    page.go_forward()
    expect(text).to_have_value("Begun. And ended.")
    expect(page.locator(".st-state")).to_have_text("Saved")
    assert [each.text for each in Memo.objects.all()] == ["Begun. And ended."]

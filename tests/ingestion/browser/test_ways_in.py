"""Mail with attachments, pasted text and the details of a document in a real browser."""

from email.message import EmailMessage
from pathlib import Path
from typing import Any, Literal

import pytest
from django.conf import settings
from playwright.sync_api import Page, expect

from accounts.models import User
from datasources.models import Datasource
from tests.browser import DESKTOP, PHONE, Live, browser, live, live_variables, page, static_files  # noqa: F401

PATIENCE = 60_000  # milliseconds: two processes start and read files meanwhile
THEMES: tuple[Literal["dark", "light"], ...] = ("dark", "light")
PICTURES = settings.BASE_DIR / "var" / "pictures"


@pytest.fixture
def documents(live: Live, page: Page, contracts: Datasource, alice: User) -> Page:  # noqa: F811
    expect.set_options(timeout=PATIENCE)
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{contracts.pk}/")
    return page


def row(page: Page, title: str) -> Any:  # noqa: F811
    return page.locator("tr[data-row]", has_text=title)


def pictures(page: Page, name: str) -> None:  # noqa: F811
    """For people to look at; git ignores them."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    sizes: tuple[Any, ...] = (PHONE, DESKTOP)
    for size in sizes:
        page.set_viewport_size(size)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            page.screenshot(path=str(PICTURES / f"{name}-{size['width']}-{theme}.png"))


def mail(path: Path) -> Path:
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = "ann@example.org", "bob@example.org", "Scaffold licence"
    made.set_content("Please see the two files.")
    made.add_attachment("The rent is four thousand euro a month.", filename="Rent agreed.txt")
    made.add_attachment("hour,limit\nday,55 dB\n", subtype="csv", filename="Noise limits.csv")
    made.add_attachment(b"MZ", maintype="application", subtype="octet-stream", filename="setup.exe")
    path.write_bytes(made.as_bytes())
    return path


def test_mail_text_and_details(documents: Page, tmp_path: Path) -> None:
    documents.locator("input[name=files]").set_input_files(mail(tmp_path / "Scaffold licence.eml"))
    expect(row(documents, "Scaffold licence")).to_contain_text("2 attachments")
    expect(documents.locator("#n-ready")).to_have_text("3")
    expect(row(documents, "Rent agreed")).to_have_count(0)
    row(documents, "Scaffold licence").get_by_role("button", name="2 attachments").click()
    expect(row(documents, "Rent agreed")).to_contain_text("Ready")

    documents.get_by_label("More ways to add documents").click()
    documents.get_by_role("link", name="Paste text").click()
    documents.get_by_role("textbox", name="Name").fill("Call on Tuesday")
    documents.get_by_label("Text", exact=True).fill("The mooring fee is nineteen euro a night.")
    documents.get_by_role("button", name="Add the text").click()
    expect(row(documents, "Call on Tuesday")).to_contain_text("Ready")
    expect(row(documents, "Rent agreed")).to_have_count(1)  # what was unfolded stays so

    row(documents, "Call on Tuesday").get_by_label("More actions").click()
    documents.get_by_role("link", name="Rename, tag, describe").click()
    documents.get_by_role("textbox", name="Name").fill("Call about mooring")
    documents.get_by_role("textbox", name="Tags").fill("harbour\ncalls")
    documents.get_by_role("button", name="Save").click()
    expect(row(documents, "Call about mooring")).to_contain_text("tagged harbour, calls")
    pictures(documents, "documents-with-mail")

    row(documents, "Scaffold licence").get_by_role("link", name="Scaffold licence", exact=True).click()
    aside = documents.locator("aside.rd-s")
    expect(aside).to_contain_text("setup.exe")
    expect(aside).to_contain_text("SVQ cannot read files of this kind.")
    pictures(documents, "reader-of-mail")
    aside.get_by_role("link", name="Rent agreed.txt").click()
    expect(documents.locator("aside.rd-s")).to_contain_text("Attached to Scaffold licence")
    documents.get_by_role("link", name="Rename, tag, describe").click()
    expect(documents.get_by_role("dialog")).to_be_visible()
    pictures(documents, "dialog-details")
    documents.get_by_role("textbox", name="Name").fill("Rent")
    documents.get_by_role("button", name="Save").click()
    expect(documents.get_by_role("heading", name="Rent", exact=True)).to_be_visible()


def test_what_was_not_sent_is_asked_about_and_told_after_a_reload(documents: Page, tmp_path: Path) -> None:
    held: list[Any] = []
    documents.route("**/upload/", lambda route: held.append(route))  # no answer: the upload goes on
    files = [tmp_path / name for name in ("Lease.txt", "Offer.txt", "tool.exe")]
    for file in files:
        file.write_text("The rent is due.")
    documents.locator("input[name=files]").set_input_files(files)
    uploads = documents.locator("#uploads")
    expect(uploads).to_contain_text("Offer.txt")
    asked: list[str] = []

    def leave(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.accept()

    documents.on("dialog", leave)
    documents.reload()
    assert asked == ["beforeunload"]
    expect(uploads).to_contain_text("tool.exe")
    expect(uploads).to_contain_text("2 files were not sent")
    expect(uploads).to_contain_text("Lease.txt, Offer.txt. Choose them again.")
    documents.reload()
    assert asked == ["beforeunload"], "nothing is being sent any more"
    expect(uploads).to_contain_text("2 files were not sent")
    for _ in range(2):
        uploads.get_by_role("button", name="Dismiss").first.click()
    documents.reload()
    expect(documents.locator("#uploads .up")).to_have_count(0)

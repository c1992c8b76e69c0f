"""The documents page in a real browser: what changes by itself, what an Undo brings back, how it fits."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader, PdfWriter

from accounts.models import User
from datasources.models import Datasource
from ingestion.adding.upload import accept_upload
from tests import axe
from tests.browser import DESKTOP, PHONE, Live, browser, live, live_variables, page, static_files  # noqa: F401
from tests.factories import SAMPLE, make_document

PATIENCE = 60_000  # milliseconds: two processes start and read files meanwhile
SAMPLES = SAMPLE.parent


@pytest.fixture
def documents(live: Live, page: Page, contracts: Datasource, alice: User) -> Page:  # noqa: F811
    """Alice's browser on the documents of `contracts`."""
    expect.set_options(timeout=PATIENCE)
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{contracts.pk}/")
    return page


def row(page: Page, title: str) -> Any:  # noqa: F811
    return page.locator("tr[data-row]", has_text=title)


def add(page: Page, *paths: Path) -> None:  # noqa: F811
    page.locator("input[name=files]").set_input_files(list(paths))


def overflow(page: Page) -> int:  # noqa: F811
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def test_a_dropped_file_becomes_ready_without_a_reload(documents: Page) -> None:
    expect(documents.get_by_text("No documents yet")).to_be_visible()
    documents.evaluate("window.here = true")
    add(documents, SAMPLES / "security-questionnaire.pdf")
    expect(row(documents, "security-questionnaire")).to_contain_text("Ready")
    expect(documents.locator("#n-ready")).to_have_text("1")
    expect(documents.locator("#ingest")).to_be_empty()
    assert documents.evaluate("window.here")
    add(documents, SAMPLES / "security-questionnaire.pdf")
    expect(documents.locator("#uploads")).to_contain_text("Already here as “Supplier Security Questionnaire”")
    assert row(documents, "security-questionnaire").count() == 1


def test_each_stop_of_the_keyboard_is_drawn(documents: Page) -> None:
    documents.locator("main").focus()
    stops: list[tuple[str, float]] = []
    while not stops or stops[-1][0] != "Find a document":
        documents.keyboard.press("Tab")
        stops.append(
            documents.evaluate(
                "() => { const at = document.activeElement, box = at.getBoundingClientRect();"
                "return [at.getAttribute('aria-label') || at.textContent.trim(), box.width * box.height] }"
            )
        )
        assert len(stops) < 40
    assert [name for name, area in stops if area < 100] == []


def test_a_file_that_is_refused_says_why(documents: Page, tmp_path: Path) -> None:
    wrong = tmp_path / "notes.exe"
    wrong.write_bytes(b"PK")
    add(documents, wrong)
    expect(documents.locator("#uploads")).to_contain_text("Files of this kind cannot be read")
    expect(documents.locator("#uploads")).not_to_contain_text(".pdf")  # the list of kinds unfolds above
    documents.get_by_role("button", name="Dismiss").click()
    expect(documents.locator("#uploads")).to_be_empty()


def test_a_sealed_file_fails_with_a_password_field_and_is_read(documents: Page, tmp_path: Path) -> None:
    sealed = PdfWriter(clone_from=PdfReader(SAMPLE))
    sealed.encrypt("hunter2", algorithm="AES-256")
    sealed.write(tmp_path / "sealed.pdf")
    add(documents, tmp_path / "sealed.pdf")
    expect(row(documents, "sealed")).to_contain_text("This file is password protected")
    row(documents, "sealed").get_by_role("link", name="Enter password").click()
    password = documents.get_by_label("Password of the file")
    expect(password).to_be_focused()
    password.fill("wrong")
    password.press("Enter")
    expect(documents.get_by_role("dialog")).to_contain_text("That password does not open")
    password.fill("hunter2")
    password.press("Enter")
    expect(documents.get_by_role("dialog")).to_have_count(0)
    expect(row(documents, "sealed")).to_contain_text("Ready")
    expect(documents.get_by_text("This file is password protected")).to_have_count(0)


def test_undo_brings_a_deleted_document_back(documents: Page, contracts: Datasource) -> None:
    make_document(contracts, "Treasure")
    make_document(contracts, "Trinket")  # with a row left, the answer to a deletion begins with rows
    documents.reload()
    row(documents, "Treasure").get_by_label("More actions").click()
    row(documents, "Treasure").get_by_role("button", name="Delete").click()
    expect(row(documents, "Treasure")).to_have_count(0)
    expect(documents.locator("#n-all")).to_have_text("1")
    message = documents.locator("#undo .toast")
    expect(message).to_contain_text("“Treasure” is deleted.")
    message.get_by_role("button", name="Undo").click()
    expect(row(documents, "Treasure")).to_have_count(1)
    expect(documents.locator("#undo")).to_be_empty()


def test_a_deletion_that_nobody_undoes_is_final(documents: Page, contracts: Datasource) -> None:
    document = make_document(contracts, "Rubbish")
    documents.reload()
    row(documents, "Rubbish").get_by_label("More actions").click()
    row(documents, "Rubbish").get_by_role("button", name="Delete").click()
    expect(documents.get_by_role("button", name="Undo")).to_be_visible()
    expect(documents.get_by_role("button", name="Undo")).to_have_count(0)  # the stream takes it away
    assert not contracts.documents.filter(pk=document.pk).exists()


def test_a_ticked_box_survives_live_changes(documents: Page, contracts: Datasource) -> None:
    make_document(contracts, "Chosen")
    documents.reload()
    row(documents, "Chosen").get_by_role("checkbox").check()
    add(documents, SAMPLES / "amendment-no-1.pdf")
    expect(row(documents, "amendment-no-1")).to_contain_text("Ready")
    expect(row(documents, "Chosen").get_by_role("checkbox")).to_be_checked()
    expect(documents.locator("[data-selected-count]")).to_have_text("1")
    documents.get_by_role("button", name="Ask these").click()
    documents.wait_for_url(re.compile(r"/chat/\?documents=\d+$"))


def test_other_tabs_follow_uploads_replacements_and_deletions(
    documents: Page,
    contracts: Datasource,
    alice: User,
    tmp_path: Path,
) -> None:
    """Rows, counts and the tabs of the datasource change together, in a tab that nobody touches."""
    other = documents.context.new_page()
    other.goto(documents.url)
    graph = documents.context.new_page()
    graph.goto(documents.url + "settings/")
    expect(other.get_by_text("No documents yet")).to_be_visible()
    add(documents, SAMPLES / "security-questionnaire.pdf")
    for page in (documents, other):  # noqa: F402
        expect(row(page, "security-questionnaire")).to_contain_text("Ready")
        expect(page.locator("#n-all")).to_have_text("1")
        expect(page.locator("#tabs")).to_contain_text("Documents 1")
    expect(graph.locator("#tabs")).to_contain_text("Documents 1")
    lines = '{"title": "One", "text": "The harbour opens."}\n{"title": "Two", "text": "The harbour closes."}'
    (tmp_path / "facts.jsonl").write_text(lines)
    add(documents, tmp_path / "facts.jsonl")
    expect(row(other, "One")).to_contain_text("Ready")
    expect(other.locator("#n-ready")).to_have_text("3")
    with (SAMPLES / "amendment-no-1.pdf").open("rb") as file:
        old = contracts.documents.get(filename="security-questionnaire.pdf")
        accept_upload(contracts, alice, "newer.pdf", file, replaces=old)
    for page in (documents, other):
        expect(row(page, "newer")).to_contain_text("Ready")
        expect(row(page, "security-questionnaire")).to_have_count(0)
        expect(page.locator("#n-ready")).to_have_text("3")
    row(documents, "newer").get_by_label("More actions").click()
    row(documents, "newer").get_by_role("button", name="Delete").click()
    for page in (documents, other):
        expect(row(page, "newer")).to_have_count(0)
        expect(page.locator("#n-all")).to_have_text("2")
        expect(page.locator("#tabs")).to_contain_text("Documents 2")
    expect(graph.locator("#tabs")).to_contain_text("Documents 2")


def test_an_open_menu_and_a_filter_survive_live_changes(
    documents: Page, contracts: Datasource, alice: User
) -> None:
    make_document(contracts, "Chosen")
    make_document(contracts, "Broken", status="failed", error_code="corrupt", error_message="It is damaged.")
    documents.goto(documents.url + "?state=ready&find=chosen")
    row(documents, "Chosen").get_by_label("More actions").click()
    with SAMPLE.open("rb") as file:
        accept_upload(contracts, alice, "another.pdf", file)
    expect(documents.locator("#tabs")).to_contain_text("Documents 3")
    expect(row(documents, "Chosen").get_by_role("button", name="Delete")).to_be_visible()
    expect(documents.locator("#n-all")).to_have_text("1")  # of those with the words
    assert documents.locator("tr[data-row]").count() == 1


def test_ask_now_appears_with_the_first_ready_file_and_progress_never_goes_back(
    documents: Page, contracts: Datasource
) -> None:
    expect(documents.get_by_text("You can ask now")).to_have_count(0)
    documents.evaluate("""() => {
        window.told = [];
        new MutationObserver(() => {
            const bar = document.querySelector("#ingest progress");
            if (bar) window.told.push(bar.value / bar.max);
        }).observe(document.getElementById("ingest"), { subtree: true, childList: true, attributes: true });
    }""")
    names = ("master-services-agreement", "amendment-no-1", "security-questionnaire")
    add(documents, *(SAMPLES / f"{name}.pdf" for name in names))
    expect(documents.get_by_text("You can ask now")).to_be_visible()
    expect(documents.locator("#ingest")).to_contain_text("pages searchable")
    expect(documents.locator("#ingest")).to_be_empty()
    told = documents.evaluate("window.told")
    assert told == sorted(told)


def test_finding_changes_rows_and_address_and_keeps_the_focus(documents: Page, contracts: Datasource) -> None:
    make_document(contracts, "Alpha")
    make_document(contracts, "Beta")
    documents.reload()
    documents.keyboard.press("/")
    documents.keyboard.type("bet")
    expect(row(documents, "Alpha")).to_have_count(0)
    expect(row(documents, "Beta")).to_have_count(1)
    assert "find=bet" in documents.url
    assert documents.evaluate("document.activeElement.id") == "find"


def test_a_filter_without_a_match_can_be_cleared(documents: Page, contracts: Datasource) -> None:
    make_document(contracts, "Alpha")
    documents.reload()
    documents.get_by_label("Find a document").fill("zebra")
    expect(documents.get_by_text("No document has “zebra” in its name.")).to_be_visible()
    expect(documents.get_by_text("No documents yet")).to_have_count(0)
    documents.get_by_role("link", name="Clear the filter").click()
    expect(row(documents, "Alpha")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_fit_a_phone_in_both_themes(
    documents: Page,
    contracts: Datasource,
    scheme: Any,
    live: Live,  # noqa: F811
) -> None:
    make_document(contracts, "A very long title that goes on and on, and then a word_without_any_space" * 2)
    make_document(
        contracts,
        "Broken",
        status="failed",
        error_code="encrypted",
        error_message="This PDF is password protected, so its text could not be read.",
    )
    documents.emulate_media(color_scheme=scheme)
    colours = set()
    for size in (PHONE, DESKTOP):
        documents.set_viewport_size(size)  # type: ignore[arg-type]
        for path in ("/", f"/d/{contracts.pk}/", f"/d/{contracts.pk}/settings/", "/new/"):
            documents.goto(live.base_url + path)
            assert overflow(documents) <= 0, path
            colours.add(documents.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert colours == {"rgb(251, 249, 245)" if scheme == "light" else "rgb(22, 21, 18)"}


def test_a_datasource_is_made_in_a_dialog(documents: Page, live: Live) -> None:  # noqa: F811
    documents.goto(live.base_url)
    documents.get_by_role("link", name="New datasource").first.click()
    dialog = documents.get_by_role("dialog", name="New datasource")
    dialog.get_by_label("Name").fill("contracts")
    dialog.get_by_role("button", name="Make the datasource").click()
    expect(dialog).to_contain_text("You already have a datasource called")
    dialog.get_by_label("Name").fill("Papers")
    dialog.get_by_role("button", name="Make the datasource").dblclick()  # the second click makes no other
    expect(documents.get_by_role("heading", name="Papers")).to_be_visible()


def drop(page: Page, selector: str, *paths: Path) -> None:  # noqa: F811
    """As from the desktop: folders stay folders."""
    box = page.locator(selector).bounding_box()
    assert box
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    data = {"items": [], "files": [str(path) for path in paths], "dragOperationsMask": 1}
    session = page.context.new_cdp_session(page)
    for kind in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent", {"type": kind, **at, "data": data})


def test_a_folder_dropped_on_home_becomes_a_datasource(documents: Page, live: Live, tmp_path: Path) -> None:  # noqa: F811
    folder = tmp_path / "Security answers"
    (folder / "2025").mkdir(parents=True)
    shutil.copy(SAMPLES / "security-questionnaire.pdf", folder / "2025")
    documents.goto(live.base_url)
    drop(documents, ".ds-new", folder)
    name = documents.get_by_role("textbox", name="Name", exact=True)
    expect(name).to_have_value("Security answers")
    expect(name).to_be_focused()
    expect(documents.get_by_text("“security-questionnaire.pdf” will be added to it.")).to_be_visible()
    documents.keyboard.press("Enter")
    documents.wait_for_url(re.compile(r"/d/\d+/$"))
    expect(documents.get_by_role("heading", name="Security answers")).to_be_visible()
    expect(row(documents, "security-questionnaire")).to_contain_text("Ready")


def test_home_stays_when_a_dropped_file_is_refused(documents: Page, live: Live, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "notes.exe").write_text("Not a PDF")
    documents.goto(live.base_url)
    drop(documents, ".ds-new", tmp_path / "notes.exe")
    documents.get_by_role("button", name="Cancel").click()
    documents.locator(".ds-new").click()  # what was dropped before went with the dialog
    expect(documents.get_by_role("textbox", name="Name", exact=True)).to_have_value("")
    documents.keyboard.press("Escape")
    drop(documents, ".ds-new", tmp_path / "notes.exe")
    documents.get_by_role("button", name="Make the datasource").click()
    expect(documents.locator("[data-upload-list]")).to_contain_text("SVQ cannot read “notes.exe”")
    assert axe.violations(documents) == []
    documents.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert overflow(documents) <= 0
    documents.get_by_role("link", name="Show the documents").click()
    expect(documents.get_by_text("No documents yet")).to_be_visible()


def open_passages(documents: Page) -> None:
    documents.locator(".more-b").click()
    documents.get_by_role("menuitem", name="Passages").click()


def test_the_owner_cuts_a_document_anew(documents: Page) -> None:
    add(documents, SAMPLES / "security-questionnaire.pdf")
    expect(row(documents, "security-questionnaire")).to_contain_text("Ready")
    open_passages(documents)
    before = documents.locator("tr[data-row]").count()
    documents.get_by_role("link", name="Split again").press("Enter")
    size = documents.get_by_label("Passage size")
    expect(size).to_be_focused()
    size.fill("10")
    documents.keyboard.press("Enter")
    expect(documents.get_by_text("Passages have 200 to 8,000 characters.")).to_be_visible()
    assert axe.violations(documents) == []
    size.fill("300")
    documents.keyboard.press("Enter")
    documents.wait_for_url(re.compile(r"/d/\d+/$"))
    expect(row(documents, "security-questionnaire")).to_contain_text("Ready")
    open_passages(documents)
    documents.get_by_label("Search this document").fill("Where are backups kept?")
    documents.keyboard.press("Enter")
    expect(documents.locator("[data-hit]").first).to_contain_text("backup")
    open_passages(documents)
    expect(documents.locator("tr[data-row]").nth(before)).to_be_visible()

"""The settings in a real browser: fields that save themselves, search, one screen a section."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Dialog, Page, Route, expect

from accounts.models import User
from datasources.models import Datasource, Membership
from datasources.settings.sections import SECTIONS
from tests.browser import DESKTOP, PHONE, Live, browser, live, live_variables, page, static_files  # noqa: F401
from tests.people import person
from tests.processes import wait_until


@pytest.fixture
def settings_page(live: Live, page: Page, contracts: Datasource, alice: User) -> Page:  # noqa: F811
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{contracts.pk}/settings/")
    return page


@pytest.fixture
def people_page(settings_page: Page, contracts: Datasource) -> Page:
    for n in range(12):
        Membership.objects.create(datasource=contracts, user=person(f"member{n}"))
    settings_page.goto(settings_page.url + "people/")
    return settings_page


@pytest.fixture
def plain(live: Live, settings_page: Page, alice: User) -> Iterator[Page]:  # noqa: F811
    """The same page without scripts."""
    context = settings_page.context.browser.new_context(java_script_enabled=False, viewport=DESKTOP)  # type: ignore[union-attr,arg-type]
    tab = context.new_page()
    live.login(tab, alice)
    tab.goto(settings_page.url)
    yield tab
    context.close()


def hidden_below(page: Page, selector: str) -> int:  # noqa: F811
    """How many pixels of it, or of the window beside it, are out of sight."""
    return int(
        page.evaluate(
            "(name) => { const part = document.querySelector(name);"
            "const below = part.scrollHeight - part.clientHeight;"
            "return Math.max(below, document.body.scrollWidth - innerWidth) }",
            selector,
        )
    )


def test_each_section_fits_on_one_screen(settings_page: Page, contracts: Datasource) -> None:
    settings_page.set_viewport_size(DESKTOP)  # type: ignore[arg-type]
    home = settings_page.url
    for one in SECTIONS:
        settings_page.goto(f"{home}{one.name}/")
        expect(settings_page.get_by_role("heading", level=1)).to_have_text(str(one.label))
        assert hidden_below(settings_page, ".main") <= 0, one.name


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_the_window_never_scrolls_beside_the_settings(people_page: Page, size: Any) -> None:
    people_page.set_viewport_size(size)
    assert hidden_below(people_page, "html") <= 0
    people_page.get_by_role("navigation", name="Settings").get_by_role("link", name="Reading").click()
    expect(people_page.get_by_role("heading", name="Reading")).to_be_in_viewport()
    expect(people_page.get_by_role("banner")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_a_field_saves_itself_and_says_so_beside_it(
    settings_page: Page, contracts: Datasource, size: Any
) -> None:
    settings_page.set_viewport_size(size)
    settings_page.goto(settings_page.url + "general/")
    name = settings_page.get_by_label("Name", exact=True)
    state = settings_page.locator("#set-name .st-state")
    name.fill("Deals")
    name.press("Enter")
    expect(state).to_have_text("Saved")
    expect(state).to_be_in_viewport()
    expect(settings_page.locator("#dsname")).to_have_text("Deals")
    expect(settings_page).to_have_title("General, settings, Deals")
    expect(name).to_be_focused()
    name.press("End")
    name.press_sequentially("x")
    expect(state).to_have_text("Not saved yet")
    name.press("Backspace")
    name.press("Tab")
    expect(state).to_be_empty()
    name.fill("")
    name.press("Tab")
    expect(state).to_contain_text("A datasource needs a name.")
    expect(state).to_contain_text("Still: Deals")
    expect(name).to_have_attribute("aria-invalid", "true")
    settings_page.get_by_label("What is in it").fill("Signed")
    settings_page.get_by_label("What is in it").blur()
    expect(settings_page.locator("#set-description .st-state")).to_have_text("Saved")
    contracts.refresh_from_db()
    assert (contracts.name, contracts.description) == ("Deals", "Signed")
    name.fill("Agreements")
    name.press("Tab")
    expect(state).to_have_text("Saved")
    expect(name).not_to_have_attribute("aria-invalid", "true")


def test_an_answer_is_not_about_what_was_typed_since(settings_page: Page, contracts: Datasource) -> None:
    """Nor is Enter, which also tells of a change, sent twice."""
    settings_page.goto(settings_page.url + "general/")
    held: list[Route] = []
    settings_page.route("**/settings/save/", lambda route: held.append(route))
    name, state = settings_page.get_by_label("Name", exact=True), settings_page.locator("#set-name .st-state")
    name.fill("Deals")
    with settings_page.expect_request("**/settings/save/"):
        name.press("Enter")
    name.press_sequentially("x")
    expect(state).to_have_text("Not saved yet")
    assert len(held) == 1
    held[0].continue_()
    expect(settings_page.locator("#dsname")).to_have_text("Deals")
    expect(state).to_have_text("Not saved yet")
    settings_page.unroute("**/settings/save/")
    name.press("Enter")
    expect(state).to_have_text("Saved")
    contracts.refresh_from_db()
    assert contracts.name == "Dealsx"


def test_text_is_not_lost_without_a_word(settings_page: Page, contracts: Datasource) -> None:
    settings_page.goto(settings_page.url + "general/")
    asked: list[str] = []

    def stay(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.dismiss()

    settings_page.on("dialog", stay)
    settings_page.get_by_label("What is in it").click()
    settings_page.keyboard.type("Signed")
    with settings_page.expect_event("dialog"):
        settings_page.evaluate("setTimeout(() => location.reload())")
    assert asked == ["beforeunload"]
    expect(settings_page.get_by_label("What is in it")).to_have_value("Signed")
    settings_page.get_by_label("Name", exact=True).focus()
    expect(settings_page.locator("#set-description .st-state")).to_have_text("Saved")
    settings_page.reload()
    assert asked == ["beforeunload"]


def test_languages_are_told_while_they_are_folded(settings_page: Page, contracts: Datasource) -> None:
    settings_page.goto(settings_page.url + "reading/")
    languages = settings_page.locator("#set-scan_languages")
    expect(languages.locator("summary")).to_have_text("None chosen")
    languages.locator("summary").click()
    languages.get_by_label("German").check()
    languages.get_by_label("French").check()
    expect(languages.locator("summary")).to_have_text("French, German")
    expect(languages.locator(".st-state")).to_have_text("Saved")

    def stored() -> bool:
        contracts.refresh_from_db()
        return contracts.scan_languages == ["deu", "fra"]

    wait_until(stored, "saving both languages")


def test_what_costs_waits_for_its_button(settings_page: Page, contracts: Datasource) -> None:
    settings_page.goto(settings_page.url + "reading/")
    sent: list[str] = []
    settings_page.on("request", lambda request: sent.append(request.method))
    settings_page.get_by_label("Passage size").fill("600")
    settings_page.get_by_label("Passage size").blur()
    settings_page.get_by_label("Overlap").fill("400")
    settings_page.get_by_label("Overlap").blur()
    expect(settings_page.locator(".st-foot .st-state")).to_have_text("Not saved yet")
    settings_page.wait_for_timeout(300)
    assert "POST" not in sent
    settings_page.get_by_role("button", name="Save splitting").click()
    expect(settings_page.locator(".st-foot .st-state")).to_contain_text("at most half of a passage")
    settings_page.get_by_label("Overlap").fill("60")
    settings_page.get_by_role("button", name="Save splitting").click()
    expect(settings_page.locator(".st-foot .st-state")).to_have_text("Saved")
    contracts.refresh_from_db()
    assert (contracts.chunk_size, contracts.chunk_overlap) == (600, 60)
    settings_page.get_by_label("Passage size").fill("1000")  # as it was when the page was opened
    expect(settings_page.locator(".st-foot .st-state")).to_have_text("Not saved yet")
    settings_page.get_by_role("button", name="Save splitting").click()
    expect(settings_page.locator(".st-foot .st-state")).to_have_text("Saved")
    contracts.refresh_from_db()
    assert (contracts.chunk_size, contracts.chunk_overlap) == (1000, 60)


def test_a_change_that_does_not_arrive_says_so(settings_page: Page, contracts: Datasource) -> None:
    settings_page.goto(settings_page.url + "answers/")
    settings_page.route("**/chat/settings/", lambda route: route.abort())
    settings_page.get_by_role("switch", name="Strict").click()
    expect(settings_page.locator("#set-strict .st-state")).to_contain_text("the server did not answer")
    expect(settings_page.locator("#toasts .toast")).to_have_count(0)
    settings_page.unroute("**/chat/settings/")
    settings_page.route("**/chat/settings/", lambda route: route.fulfill(status=403))
    settings_page.get_by_role("switch", name="Strict").click()
    expect(settings_page.locator("#set-strict .st-state")).to_have_text("Not saved.")
    expect(settings_page.locator("#toasts")).to_contain_text("not allowed for you here")
    settings_page.unroute("**/chat/settings/")
    settings_page.get_by_role("switch", name="Strict").click()
    expect(settings_page.locator("#set-strict .st-state")).to_have_text("Saved")


def test_search_leads_to_the_field_and_marks_it(settings_page: Page) -> None:
    settings_page.keyboard.press("/")
    settings_page.keyboard.type("seconds")
    expect(settings_page.locator("#st-found a").first).to_contain_text("Seconds")
    settings_page.keyboard.press("Enter")
    settings_page.wait_for_url("**/settings/answers/#set-seconds")
    field = settings_page.get_by_label("Seconds")
    expect(field).to_be_in_viewport()  # it was folded away
    expect(field).to_be_focused()
    row = settings_page.locator("#set-seconds")
    assert row.evaluate("row => getComputedStyle(row).backgroundColor") != "rgba(0, 0, 0, 0)"


def test_the_search_box_is_in_every_section_on_a_phone(settings_page: Page) -> None:
    settings_page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    settings_page.goto(settings_page.url + "danger/")
    settings_page.get_by_role("searchbox", name="Find a setting").fill("overlap")
    expect(settings_page.locator("#st-found a").first).to_be_in_viewport(ratio=1)
    expect(settings_page.get_by_role("link", name="Danger")).to_be_in_viewport()
    settings_page.locator("#st-found a").first.click()
    settings_page.wait_for_url("**/settings/reading/#set-chunk_overlap")


@pytest.mark.parametrize(
    ("anchor", "leads_to"), [("people", "people/"), ("budget", "models/"), ("summaries", "reading/")]
)
def test_old_links_lead_to_the_section(settings_page: Page, anchor: str, leads_to: str) -> None:
    settings_page.goto("about:blank")
    settings_page.go_back()
    settings_page.evaluate(f"location.hash = '{anchor}'")
    settings_page.wait_for_url(f"**/settings/{leads_to}#{anchor}")
    expect(settings_page.locator(f"#{anchor}")).to_be_in_viewport()


def test_an_export_says_that_it_is_being_written_until_it_comes(settings_page: Page) -> None:
    settings_page.goto(settings_page.url + "webhooks/")
    note = settings_page.get_by_text("The file is being written")
    note.evaluate(
        "note => new MutationObserver(() => { note.dataset.shown ||= note.checkVisibility() })"
        ".observe(note, { attributes: true, attributeFilter: ['hidden'] })"
    )
    with settings_page.expect_download():
        settings_page.get_by_role("button", name="Export").click()
    expect(note).to_be_hidden()
    expect(note).to_have_attribute("data-shown", "true")


def test_a_reload_leaves_no_invitation_one_key_from_its_end(people_page: Page) -> None:
    people_page.get_by_text("Invite by a link").click()
    people_page.get_by_role("button", name="Make the invitation").click()
    expect(people_page.get_by_role("button", name="Copy")).to_be_focused()
    people_page.reload()
    expect(people_page.get_by_role("button", name="Withdraw the invitation")).to_be_visible()
    expect(people_page.locator("#links").get_by_label("For which address")).to_be_focused()


@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_a_refused_share_says_so_where_it_was_typed(people_page: Page, size: Any) -> None:
    people_page.set_viewport_size(size)
    address = people_page.get_by_label("E-mail address")
    address.fill("alice@example.org")
    people_page.get_by_role("button", name="Share").click()
    expect(people_page.get_by_text("The owner already has every right here")).to_be_in_viewport()
    expect(address).to_have_value("alice@example.org")
    expect(address).to_be_focused()
    address.fill("nobody@example.org")
    people_page.get_by_role("button", name="Share").click()
    expect(people_page.locator("#toasts")).to_contain_text("Shared with nobody@example.org")
    expect(people_page.get_by_label("Role of nobody@example.org")).to_be_visible()


def test_a_role_saves_itself(people_page: Page, contracts: Datasource) -> None:
    role = people_page.get_by_label("Role of member3@example.org")
    role.select_option("editor")
    row = people_page.locator("tr", has=role)
    expect(row.get_by_role("status")).to_have_text("Saved")
    assert contracts.memberships.get(user__email="member3@example.org").role == "editor"


def test_the_theme_is_seen_at_once(live: Live, settings_page: Page) -> None:  # noqa: F811
    settings_page.goto(f"{live.base_url}/settings/appearance/")
    settings_page.get_by_role("radio", name="Dark").check()
    expect(settings_page.locator("html")).to_have_attribute("data-theme", "dark")
    settings_page.reload()
    expect(settings_page.locator("html")).to_have_attribute("data-theme", "dark")


def test_without_scripts_a_button_saves(plain: Page, contracts: Datasource) -> None:
    plain.get_by_role("link", name="Change: General").click()
    plain.get_by_label("Name", exact=True).fill("")
    plain.locator("#set-name").get_by_role("button", name="Save").click()
    expect(plain.get_by_text("A datasource needs a name.")).to_be_in_viewport()
    plain.get_by_label("Name", exact=True).fill("Deals")
    plain.locator("#set-name").get_by_role("button", name="Save").click()
    expect(plain.locator("#toasts")).to_contain_text("Saved: Name.")
    contracts.refresh_from_db()
    assert contracts.name == "Deals"


def test_without_scripts_the_page_opens_at_the_refused_field(plain: Page) -> None:
    plain.goto(plain.url + "people/")
    plain.get_by_label("E-mail address").fill("alice@example.org")
    plain.get_by_role("button", name="Share").click()
    expect(plain.get_by_text("The owner already has every right here")).to_be_in_viewport()
    plain.goto(plain.url)  # the address bar again: what a kept link asks for
    expect(plain.get_by_role("heading", name="People")).to_be_visible()


def test_without_scripts_a_setting_is_found(plain: Page) -> None:
    plain.get_by_role("searchbox", name="Find a setting").fill("overlap")
    plain.get_by_role("searchbox", name="Find a setting").press("Enter")
    plain.get_by_role("link", name="Overlap").click()
    expect(plain.get_by_label("Overlap")).to_be_in_viewport()

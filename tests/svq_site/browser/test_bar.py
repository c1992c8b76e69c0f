"""The bar of a datasource: five tabs and the menu behind them, by mouse and by keyboard; a phone's bar."""

from collections.abc import Iterator
from itertools import pairwise

import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from datasources.models import Datasource
from desks.research.models import Paper
from tests import axe
from tests.browser import PHONE, Live
from tests.compliance.world import vendor
from tests.factories import make_document, make_turn
from tests.graph.corpus import LETTERS, learn

pytest_plugins = ["tests.browser"]

PICTURES = settings.BASE_DIR / "var" / "pictures" / "bar"
TABS = ["Documents", "Ask", "Search", "Tables", "Checks"]
# Until the history stands at the entry of what is open, or does not.
ENTRY = """wanted => new Promise((done) => {
  const look = () => Boolean(history.state?.sheet) === wanted ? done() : setTimeout(look, 20);
  look();
})"""
MORE = ["Graph", "Passages", "Evaluation", "Papers", "Activity"]
PLACES = {
    "a": "chat/",
    "s": "search/",
    "t": "tables/",
    "c": "gaps/",
    "g": "graph/",
    "p": "chunks/",
    "e": "evaluation/",
    "l": "activity/",
    ",": "settings/",
    "d": "",
}


@pytest.fixture
def full(contracts: Datasource, alice: User) -> Datasource:
    """With all that a datasource can have, papers too."""
    vendor(contracts, alice)
    title, text = next(iter(LETTERS.items()))
    letter = make_document(contracts, title, text)
    learn(letter)
    now = timezone.now()
    Paper.objects.create(
        document=letter, number="2401.00001", version=1, newest=1, title=title, published=now, updated=now
    )
    contracts.name = "Sample: Tarnbeck and Hallowmere"
    contracts.save()
    return contracts


@pytest.fixture
def bar(live: Live, page: Page, alice: User, full: Datasource) -> Page:
    """The documents of a datasource that has everything."""
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{full.pk}/")
    return page


@pytest.fixture
def phone(live: Live, browser: Browser, alice: User, full: Datasource) -> Iterator[Page]:
    context = browser.new_context(viewport=PHONE, has_touch=True)  # type: ignore[arg-type]
    page = context.new_page()
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{full.pk}/")
    yield page
    context.close()


def labels(page: Page, selector: str) -> list[str]:
    return [" ".join(text.split()) for text in page.locator(selector).filter(visible=True).all_inner_texts()]


@pytest.mark.parametrize("width", [1440, 1280, 1100])
def test_every_tab_and_the_search_box_are_seen(bar: Page, width: int) -> None:
    bar.set_viewport_size({"width": width, "height": 800})
    assert labels(bar, ".tabs > *") == ["Documents 3", *TABS[1:], "More"]
    PICTURES.mkdir(parents=True, exist_ok=True)
    bar.screenshot(path=PICTURES / f"bar-{width}.png", clip={"x": 0, "y": 0, "width": width, "height": 60})
    for part in (".crumb > a.ds-all", ".dsname", ".gear", ".kbar span", ".kbar kbd", ".tabs"):
        expect(bar.locator(part)).to_be_visible()
    ends = [bar.locator(part).bounding_box() for part in (".crumb", ".tabs", ".topright")]
    for left, right in pairwise(ends):
        assert left
        assert right
        assert left["x"] + left["width"] <= right["x"] + 1
    box = bar.locator(".kbar").bounding_box()
    assert box
    assert box["width"] > 200
    is_cut = "name => name.scrollWidth > name.clientWidth || name.scrollHeight > name.clientHeight"
    assert not bar.locator(".dsname .trunc").evaluate(is_cut), "it takes two lines where one is too short"


def test_below_the_width_of_all_the_word_datasources_goes(bar: Page) -> None:
    bar.set_viewport_size({"width": 1060, "height": 800})
    expect(bar.locator(".crumb > a.ds-all")).to_be_hidden()
    expect(bar.locator(".dsname")).to_be_visible()


def test_the_menu_is_opened_with_the_mouse_and_leads_to_a_page_that_says_where_it_is(bar: Page) -> None:
    more = bar.get_by_role("button", name="More", exact=True)
    more.click()
    menu = bar.get_by_role("menu", name="More")
    expect(menu).to_be_visible()
    assert [text.split("\n")[0] for text in menu.get_by_role("menuitem").all_inner_texts()] == MORE
    expect(menu.get_by_role("menuitem", name="Graph")).to_contain_text("Names and how they are linked")
    expect(menu.get_by_role("menuitem", name="Graph")).to_contain_text("G G")
    assert axe.violations(bar) == []
    box, button = menu.bounding_box(), more.bounding_box()
    assert box
    assert button
    assert abs(box["x"] - button["x"]) < 2, "it stands below its button"
    bar.mouse.click(200, 600)
    expect(menu).to_be_hidden()
    more.click()
    menu.get_by_role("menuitem", name="Activity").click()
    bar.wait_for_url("**/activity/")
    expect(more).to_have_attribute("aria-current", "true")
    trail = bar.get_by_role("navigation", name="Breadcrumb")
    expect(trail.locator("[aria-current]")).to_have_text("Activity")
    trail.get_by_role("link", name="Sample").click()
    expect(bar.locator(".tabs [aria-current]")).to_contain_text("Documents")


@pytest.mark.parametrize("key", ["Enter", " ", "ArrowDown"])
def test_the_menu_is_used_with_the_keyboard(bar: Page, key: str) -> None:
    more, menu = bar.get_by_role("button", name="More", exact=True), bar.get_by_role("menu")
    more.focus()
    bar.keyboard.press(key)
    focused = menu.locator(":focus")
    for press, expected in (
        ("", "Graph"),
        ("ArrowDown", "Passages"),
        ("ArrowUp", "Graph"),
        ("ArrowUp", "Activity"),
        ("ArrowDown", "Graph"),
        ("End", "Activity"),
        ("Home", "Graph"),
    ):
        if press:
            bar.keyboard.press(press)
        expect(focused).to_contain_text(expected)
    bar.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(more).to_be_focused()
    bar.keyboard.press(key)
    expect(focused).to_contain_text("Graph")
    bar.keyboard.press("End")
    bar.keyboard.press("Enter" if key == "ArrowDown" else key)
    bar.wait_for_url("**/activity/")


def test_two_keys_lead_to_each_place_and_the_list_of_keys_says_so(bar: Page, full: Datasource) -> None:
    for key, place in PLACES.items():
        bar.evaluate("document.activeElement.blur()")  # a page may begin in a field
        bar.keyboard.press("g")
        bar.keyboard.press(key)
        bar.wait_for_url(f"**/d/{full.pk}/{place}")
    bar.keyboard.press("?")
    keys = bar.locator("#shortcuts")
    expect(keys).to_contain_text("Documents, Ask, Search, Tables, Checks")
    expect(keys).to_contain_text("Graph, Passages, Evaluation, Activity")


def test_the_gear_opens_the_settings(bar: Page) -> None:
    bar.get_by_role("link", name="Settings of this datasource").click()
    bar.wait_for_url("**/settings/")
    expect(bar.locator(".gear")).to_have_attribute("aria-current", "page")


def test_without_scripts_the_menu_opens_all_the_same(
    live: Live, browser: Browser, alice: User, full: Datasource
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{full.pk}/")
    page.locator(".more-b").click()
    page.locator("#more a", has_text="Passages").click()
    page.wait_for_url("**/chunks/")
    context.close()


def test_a_phone_has_its_tabs_at_the_bottom(phone: Page) -> None:
    assert labels(phone, ".bbar > *") == ["Documents", "Ask", "Search", "Checks", "More"]
    expect(phone.locator(".tabs")).to_be_hidden()
    for each in phone.locator(".bbar > *").all():
        box = each.bounding_box()
        assert box
        assert box["height"] == 52
    phone.locator(".bbar button").tap()
    sheet = phone.get_by_role("menu", name="More")
    names = [text.split("\n")[0] for text in sheet.get_by_role("menuitem").all_inner_texts()]
    assert names == ["Tables", *MORE, "Settings of this datasource"]
    box, below = sheet.bounding_box(), phone.locator(".bbar").bounding_box()
    assert box
    assert below
    assert box["y"] + box["height"] <= below["y"] + 1, "the sheet stands on the bar"
    assert axe.violations(phone) == []
    sheet.get_by_role("menuitem", name="Tables").tap()
    phone.wait_for_url("**/tables/")
    expect(phone.locator(".bbar button")).to_have_attribute("aria-current", "true")


def test_on_a_phone_back_closes_what_is_open_before_it_leaves_the_page(phone: Page, full: Datasource) -> None:
    here = phone.url
    phone.goto(here + "search/")
    sheet = phone.get_by_role("menu", name="More")
    phone.locator(".bbar button").tap()
    expect(sheet).to_be_visible()
    phone.evaluate(ENTRY, True)
    phone.go_back()
    expect(sheet).to_be_hidden()
    assert phone.url == here + "search/"
    phone.locator(".bbar button").tap()
    phone.evaluate(ENTRY, True)
    phone.keyboard.press("Escape")
    phone.evaluate(ENTRY, False)
    phone.locator("details.menu-d summary.dsname").tap()
    phone.evaluate(ENTRY, True)
    phone.go_back()
    expect(phone.locator("details[data-menu][open]")).to_have_count(0)
    phone.locator(".bbar button").tap()
    phone.evaluate(ENTRY, True)
    sheet.get_by_role("menuitem", name="Passages").tap()
    phone.wait_for_url("**/chunks/")
    phone.go_back()
    phone.wait_for_url("**/search/")
    expect(sheet).to_be_hidden()
    phone.go_back()
    phone.wait_for_url(here)


def test_the_bar_of_a_phone_makes_room_for_the_keyboard(phone: Page, full: Datasource) -> None:
    phone.goto(phone.url + "chat/")
    phone.get_by_role("textbox", name="Question").tap()
    bar = phone.locator(".bbar")
    expect(bar).to_be_visible()
    phone.evaluate("""() => {
        Object.defineProperty(visualViewport, 'height', { value: 480, configurable: true });
        visualViewport.dispatchEvent(new Event('resize'));
    }""")
    expect(bar).to_be_hidden()
    phone.evaluate("delete visualViewport.height; visualViewport.dispatchEvent(new Event('resize'))")
    expect(bar).to_be_visible()


COVERED = """selector => {
    const bar = document.querySelector('.bbar').getBoundingClientRect();
    const found = [...document.querySelectorAll(selector)].filter((each) => each.checkVisibility()).at(-1);
    found.scrollIntoView({ block: 'end' });
    return found.getBoundingClientRect().bottom - bar.top;
}"""


def test_the_bar_of_a_phone_covers_nothing(live: Live, phone: Page, full: Datasource, alice: User) -> None:
    turn = make_turn(alice, full.documents.get(title="Agreement"))
    for number in range(20):
        make_document(full, f"Order {number}", f"Backups of order {number} are kept.")
    here = f"{live.base_url}/d/{full.pk}/"
    for path, last in {
        "": "[data-row]",
        "chat/": "form[data-composer]",
        f"chat/{turn.conversation_id}/": "form[data-composer]",
        "gaps/": ".gp-t tr",
        "activity/": "tbody tr",
        "search/?q=backups": ".sr",
        "settings/": ".panel",
        "graph/?view=list": "tbody tr",
        "chunks/": "tbody tr",
        "tables/": ".empty",
        "evaluation/": "main p",
    }.items():
        phone.goto(here + path)
        assert phone.evaluate(COVERED, last) <= 1, path
    phone.evaluate("document.dispatchEvent(new CustomEvent('toast', { detail: { text: 'Copied' } }))")
    expect(phone.locator(".toast")).to_be_visible()
    assert phone.evaluate(COVERED, ".toast") <= 1

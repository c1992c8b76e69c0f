"""The graph page in a browser: drawing, filters, panel, keyboard, list, phone."""

import re
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Browser, Page, expect

from accounts.models import User
from datasources.models import Datasource
from graph.layout import node_positions
from graph.models import Entity
from graph.values.extraction import VALUES
from tests import axe
from tests.browser import DESKTOP, PHONE, Live, wait_until
from tests.factories import make_document
from tests.graph.corpus import LETTERS, entity, learn

pytest_plugins = ["tests.browser"]

IS_DRAWN = """canvas => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height)
  .data.some(value => value)"""


@pytest.fixture
def drawn(live: Live, page: Page, contracts: Datasource, alice: User) -> Datasource:
    """The graph of three documents, laid out; alice is signed in."""
    for title, text in LETTERS.items():
        learn(make_document(contracts, title, text))
    node_positions.lay_out(contracts.pk)
    live.login(page, alice)
    return contracts


def visit(page: Page, live: Live, datasource: Datasource, query: str = "?shown=90") -> Any:
    """Open the page, with ninety unless `query` says else, and wait for the drawing; gives the canvas."""
    page.goto(f"{live.base_url}/d/{datasource.pk}/graph/{query}")
    canvas = page.locator("#canvas")
    expect(canvas).to_have_attribute("data-ready", "true")
    return canvas


def count(datasource: Datasource, **chosen: Any) -> str:
    return str(Entity.objects.filter(datasource=datasource, **chosen).count())


def at_first(datasource: Datasource, **chosen: Any) -> str:
    """How many are shown until a person chooses types: no amounts, dates and references."""
    return str(
        Entity.objects.filter(datasource=datasource, **chosen).exclude(types__overlap=[*VALUES]).count()
    )


def test_everything_is_drawn(live: Live, page: Page, drawn: Datasource) -> None:
    canvas = visit(page, live, drawn)
    expect(canvas).to_have_attribute("data-visible", at_first(drawn))
    expect(page.locator("#graph-count")).to_have_text(
        f"{at_first(drawn)} of {count(drawn)} entities, best linked first"
    )
    assert int(canvas.get_attribute("data-edges") or 0) > 0
    wait_until(lambda: page.locator("canvas.sigma-labels").evaluate(IS_DRAWN), "the drawing of names")
    expect(page.locator("[data-graph-more]")).to_be_hidden()


def test_finding_an_entity_opens_it_and_the_address_keeps_it(
    live: Live, page: Page, drawn: Datasource
) -> None:
    canvas = visit(page, live, drawn)
    page.keyboard.press("/")
    page.keyboard.type("brian")
    expect(page.get_by_role("option", name="Brian May")).to_be_visible()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    panel = page.locator("#panel")
    expect(panel.get_by_role("heading", name="Brian May", exact=True)).to_be_visible()
    may = str(entity(drawn, "Brian May").pk)
    expect(canvas).to_have_attribute("data-selected", may)
    expect(page).to_have_url(re.compile(rf"entity={may}\b"))
    page.reload()
    expect(panel.get_by_role("heading", name="Brian May", exact=True)).to_be_visible()
    expect(canvas).to_have_attribute("data-selected", may)
    panel.locator(".rel-o", has_text="Tim Cook").first.click()
    expect(panel.get_by_role("heading", name="Tim Cook", exact=True)).to_be_visible()
    page.go_back()
    expect(panel.get_by_role("heading", name="Brian May", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(canvas).to_have_attribute("data-selected", "")
    expect(page).not_to_have_url(re.compile("entity="))


def test_an_entity_closed_before_it_is_drawn_leaves_the_drawing_in_order(
    live: Live, page: Page, drawn: Datasource
) -> None:
    canvas = visit(page, live, drawn)
    page.evaluate(
        """(id) => {
            for (const one of [id, null])
                document.dispatchEvent(new CustomEvent("entitychange", { detail: { id: one } }));
            return new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        }""",
        entity(drawn, "Brian May").pk,
    )
    expect(canvas).to_have_attribute("data-selected", "")
    expect(canvas).to_have_attribute("data-visible", at_first(drawn))


def test_a_click_on_a_node_opens_it(live: Live, page: Page, drawn: Datasource) -> None:
    # A thing that nothing is related to stands in the middle once it is in focus.
    alone = Entity.objects.create(
        datasource=drawn, key="alone", name="Alone", types=["NAME"], mention_count=9
    )
    node_positions.lay_out(drawn.pk)
    page.emulate_media(reduced_motion="reduce")  # no way of the camera to wait for
    canvas = visit(page, live, drawn, f"?shown=90&entity={alone.pk}")
    page.get_by_role("button", name="Focus").click()
    expect(canvas).to_have_attribute("data-visible", "1")
    page.get_by_role("link", name="Close Alone").click()
    expect(canvas).to_have_attribute("data-visible", at_first(drawn))
    expect(canvas).to_have_attribute("data-selected", "")
    canvas.click()
    expect(page.get_by_role("heading", name="Alone")).to_be_visible()


def test_the_legend_hides_and_the_address_remembers(live: Live, page: Page, drawn: Datasource) -> None:
    canvas = visit(page, live, drawn)
    amounts = page.get_by_role("checkbox", name=re.compile("^Amount"))
    expect(amounts).not_to_be_checked()
    amounts.check()
    more = str(int(at_first(drawn)) + int(count(drawn, types=["AMOUNT"])))
    expect(canvas).to_have_attribute("data-visible", more)
    page.get_by_role("checkbox", name=re.compile("^Person")).uncheck()
    left = str(int(more) - int(count(drawn, types=["PERSON"])))
    expect(canvas).to_have_attribute("data-visible", left)
    page.reload()
    expect(canvas).to_have_attribute("data-visible", left)
    expect(amounts).to_be_checked()
    expect(page.get_by_role("checkbox", name=re.compile("^Person"))).not_to_be_checked()
    page.get_by_role("link", name="Show all").click()
    expect(canvas).to_have_attribute("data-visible", count(drawn))
    page.get_by_role("slider").fill("2")
    expect(canvas).to_have_attribute("data-visible", count(drawn, mention_count__gte=2))
    for box in page.locator(".lg-i input").all():
        box.uncheck()
    expect(page.get_by_role("heading", name="No entity matches")).to_be_visible()
    page.get_by_role("button", name="Show all").click()
    expect(canvas).to_have_attribute("data-visible", count(drawn))


def test_the_list_shows_the_same_with_the_same_choices(live: Live, page: Page, drawn: Datasource) -> None:
    canvas = visit(page, live, drawn)
    page.get_by_role("slider").fill("2")
    expect(canvas).to_have_attribute("data-visible", at_first(drawn, mention_count__gte=2))
    page.get_by_role("link", name="List", exact=True).click()
    rows = page.locator(".gx-tbl tbody tr")
    expect(rows).to_have_count(int(at_first(drawn, mention_count__gte=2)))
    expect(canvas).to_be_hidden()
    rows.get_by_role("link", name="Tim Cook").click()
    expect(page.get_by_role("heading", name="Tim Cook", exact=True)).to_be_visible()
    expect(page).to_have_url(re.compile("view=list"))
    page.get_by_role("checkbox", name=re.compile("^Person")).uncheck()
    expect(rows.get_by_role("link", name="Tim Cook")).to_have_count(0)
    page.get_by_role("link", name="Graph", exact=True).last.click()
    expect(canvas).to_have_attribute("data-ready", "true")


def test_one_document_alone(live: Live, page: Page, drawn: Datasource) -> None:
    canvas = visit(page, live, drawn)
    page.get_by_label("From documents").select_option("Story")
    expect(page).to_have_url(re.compile("document="))
    expect(canvas).not_to_have_attribute("data-visible", at_first(drawn))
    expect(canvas).to_have_attribute("data-ready", "true")
    assert 0 < int(canvas.get_attribute("data-visible") or 0) < int(count(drawn))


def test_the_keyboard_walks_through_the_graph(live: Live, page: Page, drawn: Datasource) -> None:
    canvas = visit(page, live, drawn)
    canvas.focus()
    page.keyboard.press("ArrowRight")
    first = canvas.get_attribute("data-cursor")
    assert first
    expect(page.locator("#status")).to_contain_text("mention")
    seen = {first}
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
        seen.add(canvas.get_attribute("data-cursor"))
    assert len(seen) > 1
    page.keyboard.press("Enter")
    last = Entity.objects.get(pk=canvas.get_attribute("data-cursor") or 0)
    expect(page.locator("#panel h2")).to_have_text(last.name)
    expect(canvas).to_have_attribute("data-selected", str(last.pk))
    for key in ("+", "-", "0"):
        page.keyboard.press(key)


def test_a_relation_opens_its_quotes_and_the_page(live: Live, page: Page, drawn: Datasource) -> None:
    visit(page, live, drawn, f"?entity={entity(drawn, 'Tim Cook').pk}")
    link = page.get_by_role("link", name=re.compile("about Tim Cook and Brian May"))
    quote = page.locator(".rel-e .men")
    link.click()
    expect(quote).to_contain_text("Brian May wrote to Tim Cook")
    expect(link).to_have_attribute("aria-expanded", "true")
    link.click()
    expect(quote).to_have_count(0)
    link.click()
    quote.click()
    expect(page).to_have_url(re.compile(r"/documents/\d+/\?page=1"))
    expect(page.locator("mark").first).to_be_visible()


def test_the_other_theme_repaints(live: Live, page: Page, drawn: Datasource) -> None:
    visit(page, live, drawn)
    labels = page.locator("canvas.sigma-labels")
    before = labels.evaluate("canvas => canvas.toDataURL()")
    page.locator("[data-theme-form] button").click()
    wait_until(lambda: labels.evaluate("canvas => canvas.toDataURL()") != before, "the other colours")


def test_on_a_phone_the_panel_is_a_sheet(live: Live, page: Page, drawn: Datasource) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    visit(page, live, drawn, f"?entity={entity(drawn, 'Tim Cook').pk}")
    panel = page.locator("#panel")
    assert panel.evaluate("panel => panel.matches(':modal')")
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    assert axe.violations(page) == []
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(page).not_to_have_url(re.compile("entity="))
    page.get_by_role("button", name="Filters").click()
    expect(page.get_by_role("checkbox", name=re.compile("^Amount"))).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("checkbox", name=re.compile("^Amount"))).to_be_hidden()


def test_without_webgl_the_list_is_shown(live: Live, page: Page, drawn: Datasource) -> None:
    page.add_init_script(
        "const real = HTMLCanvasElement.prototype.getContext;"
        "HTMLCanvasElement.prototype.getContext ="
        " function (kind, ...more) { return kind === '2d' ? real.call(this, kind, ...more) : null; }"
    )
    page.goto(f"{live.base_url}/d/{drawn.pk}/graph/")
    expect(page.get_by_role("cell", name="Tim Cook")).to_be_visible()
    expect(page.locator("#toasts")).to_contain_text("cannot draw the graph")


def test_without_scripts_the_list_and_the_panel_are_there(
    live: Live, browser: Browser, drawn: Datasource, alice: User
) -> None:
    context = browser.new_context(viewport=DESKTOP, java_script_enabled=False)  # type: ignore[arg-type]
    page = context.new_page()
    live.login(page, alice)
    page.goto(f"{live.base_url}/d/{drawn.pk}/graph/")
    page.get_by_role("checkbox", name=re.compile("^Amount")).uncheck()
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.get_by_role("cell", name="$3 billion")).to_have_count(0)
    page.get_by_role("cell", name="Tim Cook").get_by_role("link").click()
    expect(page.get_by_role("heading", name="Tim Cook", exact=True)).to_be_visible()
    page.get_by_role("link", name=re.compile("about Tim Cook and Brian May")).click()
    expect(page.locator(".rel-e .men")).to_contain_text("Brian May wrote to Tim Cook")
    context.close()


def test_more_entities_are_drawn_on_request(live: Live, page: Page, drawn: Datasource) -> None:
    Entity.objects.bulk_create(
        Entity(datasource=drawn, key=f"k{i}", name=f"Thing {i}", types=["NAME"], mention_count=3)
        for i in range(250)
    )
    canvas = visit(page, live, drawn, "")
    expect(canvas).to_have_attribute("data-visible", "30")
    page.locator("[data-graph-more]").click()
    expect(canvas).to_have_attribute("data-visible", "90")
    page.locator("[data-graph-more]").click()
    expect(canvas).to_have_attribute("data-visible", at_first(drawn))
    least = Entity.objects.get(name="Zanzibar")
    visit(page, live, drawn, "")
    page.get_by_role("combobox", name="Find an entity").fill("zanz")
    page.get_by_role("option", name="Zanzibar").click()
    expect(canvas).to_have_attribute("data-selected", str(least.pk))


def test_names_cover_neither_each_other_nor_nodes_and_the_first_come_first(page: Page) -> None:
    page.add_script_tag(path=settings.BASE_DIR / "static/js/labels.js")
    found = page.evaluate(
        """() => {
            const nodes = [...Array(300).keys()].map((i) => ({
                key: String(i), x: 40 + (i * 137) % 900, y: 30 + (i * 71) % 600,
                radius: 6, width: 90, height: 15,
            }));
            const button = [0, 0, 200, 120];
            const { names, isFree } = placedLabels(nodes, { width: 1000, height: 660 }, new Set(), [button]);
            const boxes = [...names.values()].map(({ box }) => box);
            const meet = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
            const disc = ({ x, y, radius }) => [x - radius, y - radius, x + radius, y + radius];
            return {
                names: boxes.length,
                first: [...names.keys()][0],
                covered: boxes.filter((box, i) => boxes.some((other, k) => k > i && meet(box, other))).length,
                nodes: boxes.filter((box) => nodes.some((node) => meet(box, disc(node)))).length,
                hidden: boxes.filter((box) => meet(box, button)).length,
                free: isFree(boxes[0]),
            };
        }"""
    )
    assert found["names"] > 20
    assert (found["covered"], found["nodes"], found["hidden"], found["free"]) == (0, 0, 0, False)
    assert found["first"] == "2", "the first two stand under the button"


def test_a_line_tells_the_sentence_and_the_quote_of_an_article_its_place_on_the_page(
    live: Live, page: Page, contracts: Datasource, alice: User
) -> None:
    learn(make_document(contracts, "Letter", "In the spring Brian May wrote a long letter to Tim Cook."))
    node_positions.lay_out(contracts.pk)
    live.login(page, alice)
    canvas = visit(page, live, contracts)  # the line between the two crosses its middle
    canvas.hover()
    said = page.locator("#graph-said")
    expect(said).to_contain_text("Brian May and Tim Cook")
    expect(said).to_contain_text("wrote a long letter to")
    page.goto(f"{live.base_url}/d/{contracts.pk}/entities/{entity(contracts, 'Tim Cook').pk}/")
    expect(page.locator("h1")).to_have_text("Tim Cook")
    page.locator(".rel-q").hover()
    expect(page.locator("#hovercard")).to_contain_text("Letter")
    assert page.get_by_text("named together").count() == 0
    assert axe.violations(page) == []

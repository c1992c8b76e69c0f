"""The proof of an answer as a reader sees it: the hover card, the source pane, the chips and the question."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from django.conf import settings
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from reportlab.pdfgen.canvas import Canvas

from chat import services
from chat.models import Turn, TurnStatus
from datasources.models import Datasource, DocumentStatus
from datasources.services import create_datasource
from ingestion.adding.upload import accept_upload
from tests.browser import DESKTOP, PHONE, Live, wait_until
from tests.openai_server import MODEL, ScriptedOpenAI, ScriptedReply, tools_reply
from tests.people import person

pytest_plugins = ["tests.browser"]
pytestmark = pytest.mark.django_db

QUESTION = "Can we end the agreement early?"
LONG = 25  # turns; a page begins with fewer

NOTICE = "The Customer may terminate this Agreement for convenience on not less than sixty days' notice."
CHARGE = "No Early Termination Charge is payable where notice follows a Chronic Failure"
UNLESS = ", unless the Customer has accepted Service Credits for the same months."
CREDITS = "Service Credits accrued before that date remain payable and shall be set off."
FILLER = "Each party keeps its records of the services for seven years and shows them to the other party."
POINT = 595 / 1000  # of the page's width, in 1/1000
ANSWER = (
    f"It can be ended on sixty days' notice /citation[c1, {NOTICE}]. Then comes more of the answer.\n\n"
    f"- Nothing is due if the notice follows a chronic failure /citation[c1, {CHARGE}]\n"
    f"- Credits remain payable and are set off /citation[c1, {CREDITS}]\n\n"
    f"> Credits stay payable after the end of it /citation[c1, {CREDITS}]\n\n"
    "| Matter | Rule |\n|---|---|\n"
    f"| Notice of the end of it | sixty days' notice in writing /citation[c1, {NOTICE}] |\n\n"
    + "\n\n".join(
        f"Paragraph {n}. " + "What follows is prose that needs no source at all. " * 5 for n in range(6)
    )
)


def contract() -> bytes:
    """A page of A4 in print of ten points, with margins of an inch."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(595, 842))
    canvas.setFont("Times-Roman", 10)
    before, between = [FILLER] * 12, [FILLER] * 6
    lines = [*before, NOTICE, *between, f"{CHARGE},", UNLESS[2:], *between, CREDITS, FILLER]
    for row, line in enumerate(lines):
        canvas.drawString(72, 770 - 13 * row, line)
    canvas.save()
    return file.getvalue()


class Model(ScriptedOpenAI):
    """Searches once and answers; a question with "pony" finds nothing."""

    def __init__(self) -> None:
        super().__init__(self.reply)
        self.pace = 0.0

    def reply(self, request: dict[str, Any]) -> ScriptedReply:
        last = max(n for n, one in enumerate(request["messages"]) if one["role"] == "user")
        pony = "pony" in str(request["messages"][last]["content"])
        if any(one["role"] == "tool" for one in request["messages"][last:]):
            answer = {"answer": "", "found": "none"} if pony else {"answer": ANSWER, "found": "all"}
            return tools_reply(("answer", answer), delay=self.pace)
        return tools_reply(("search_literal", {"words": "Service Credits", "limit": 8}))


@pytest.fixture(scope="module")
def server() -> Iterator[Model]:
    model = Model()
    with model:
        yield model


@pytest.fixture(scope="module")
def kept_variables(server: Model) -> dict[str, str]:
    return {"SVQ_LLM_BASE_URL": server.base_url, "SVQ_LLM_API_KEY": "k", "SVQ_LLM_MODEL": MODEL}


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """`chat` is the address of new questions, `answered` that of the conversation with the turn, `long` that
    of one that begins with the same. `session` is the cookie of who asked.
    """

    session: Any
    chat: str
    answered: str
    long: str
    turn: Turn


@pytest.fixture(scope="module")
def world(kept_live: Live) -> World:
    """A document that was really read, and an answer from it: made once, as it takes long."""
    alice = person("alice")
    contracts = create_datasource(alice, "Contracts")
    (accepted,) = accept_upload(contracts, alice, "contract.pdf", io.BytesIO(contract()))
    document = accepted.document

    def is_read() -> bool:
        document.refresh_from_db()
        assert document.status != DocumentStatus.FAILED, document.error_message
        return document.status == DocumentStatus.READY

    wait_until(is_read, "the reading of the document")
    turn, again = answered(contracts), answered(contracts)
    for number in range(2, LONG + 1):
        values = {"question": f"Question {number}", "answer": "Nothing.", "status": "answered"}
        Turn.objects.create(conversation=again.conversation, number=number, **values)
    chat = f"{kept_live.base_url}/d/{contracts.pk}/chat/"
    return World(
        session=kept_live.session_of(alice),
        chat=chat,
        answered=f"{chat}{turn.conversation_id}/",
        long=f"{chat}{again.conversation_id}/",
        turn=turn,
    )


def answered(datasource: Datasource) -> Turn:
    turn = services.ask(datasource.owner, datasource, QUESTION)
    wait_until(lambda: Turn.objects.get(pk=turn.pk).status == TurnStatus.ANSWERED, "the answer")
    return turn


@pytest.fixture
def page(page: Page, world: World, server: Model) -> Page:
    """Of somebody who is signed in."""
    server.pace = 0.0
    page.context.add_cookies([world.session])
    return page


def ask(page: Page, question: str = QUESTION) -> None:
    page.get_by_role("textbox", name="Question").fill(question)
    page.keyboard.press("Enter")
    expect(page.locator(".me").last).to_have_text(question)
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()


def chips(page: Page) -> Locator:
    return page.locator(".prose a.chip")


def box(locator: Locator) -> dict[str, float]:
    found = locator.bounding_box()
    assert found
    return {"x": found["x"], "y": found["y"], "width": found["width"], "height": found["height"]}


def overlap(one: dict[str, float], two: dict[str, float]) -> bool:
    across = min(one["x"] + one["width"], two["x"] + two["width"]) - max(one["x"], two["x"])
    down = min(one["y"] + one["height"], two["y"] + two["height"]) - max(one["y"], two["y"])
    return across > 1 and down > 1


def hover(page: Page, number: int) -> Locator:
    chip = chips(page).nth(number)
    chip.scroll_into_view_if_needed()
    chip.hover()
    card = page.locator("#hovercard")
    expect(card.locator("img")).to_be_visible()
    wait_until(lambda: card.locator("img").evaluate("i => i.complete && i.naturalWidth > 0"), "the crop")
    return card


def crop_of(page: Page, card: Locator) -> np.ndarray:
    content = page.context.request.get(str(card.locator("img").evaluate("i => i.src"))).body()
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB")).astype(int)


def test_the_crop_in_the_card_can_be_read(world: World, page: Page) -> None:
    page.goto(world.answered)
    card = hover(page, 0)
    image = box(card.locator("img"))
    column = box(page.locator(".prose"))
    assert abs(box(card)["width"] - column["width"]) <= 40  # as wide as the answer
    pixels = crop_of(page, card)
    yellow = np.abs(pixels - (0xFF, 0xDE, 0x6B)).max(axis=2) < 40
    citation = world.turn.citations.get(n=1)
    ((x0, _, x1, _),) = citation.boxes_on(1)
    points = (x1 - x0) * POINT
    marked = np.flatnonzero(yellow.any(axis=0))
    on_screen = (marked[-1] - marked[0]) * image["width"] / pixels.shape[1]
    assert 10 * on_screen / points >= 12  # print of ten points
    blank = ~((pixels.min(axis=2) < 200).any(axis=1) | yellow.any(axis=1))
    assert blank.mean() < 0.5
    assert max(len(run) for run in "".join(" x"[not row] for row in blank).split("x")) < 40  # 20 CSS pixels
    assert image["height"] < 160  # five lines
    for width in (1440, 960, 800):
        page.set_viewport_size({"width": width, "height": 900})
        page.mouse.move(0, 0)
        card = hover(page, 0)
        assert card.locator(".hc-c").evaluate("e => e.scrollWidth <= e.clientWidth"), "no line is cut"
        expect(card.locator("img.skel")).to_have_count(0)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_card_hides_neither_chip_nor_claim_nor_question(
    world: World, page: Page, size: dict[str, int]
) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    for number in range(5):
        page.goto(world.answered)
        card = hover(page, number)
        area = box(card)
        claim = page.locator(".hl-claim").first
        assert not overlap(area, box(chips(page).nth(number)))
        assert not overlap(area, box(claim))
        assert not overlap(area, box(page.locator(".me")))
        assert area["x"] >= 0
        assert area["x"] + area["width"] <= size["width"]
        assert area["y"] >= 0
        assert area["y"] + area["height"] <= size["height"]
        assert card.locator(".hc-c").evaluate("e => e.clientHeight") >= 40


def test_brackets_on_the_card_step_through_the_citations(world: World, page: Page) -> None:
    page.goto(world.answered)
    card = hover(page, 0)
    expect(card).to_contain_text("next source")
    page.keyboard.press("]")
    expect(card.locator(".cite")).to_have_text("2")
    page.keyboard.press("]")
    expect(card.locator(".cite")).to_have_text("3")
    page.keyboard.press("[")
    expect(card.locator(".cite")).to_have_text("2")
    assert page.get_by_role("textbox", name="Question").input_value() == ""
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    page.keyboard.type("a [note]")
    assert page.get_by_role("textbox", name="Question").input_value() == "a [note]"


def test_the_rest_of_the_sentence_is_shown_underlined(world: World, page: Page) -> None:
    page.goto(world.answered)
    card = hover(page, 1)
    expect(card.locator("u.rest")).to_contain_text("unless the Customer has accepted")
    chips(page).nth(1).click()
    expect(page.locator("#pane .sp-q u.rest")).to_contain_text("unless the Customer has accepted")
    words, rest = box(page.locator("#pane rect.now").first), box(page.locator("#pane rect.rest").last)
    assert rest["y"] > words["y"] + words["height"]  # it goes on in the next line


def test_an_open_source_has_room_and_a_page_that_can_be_read(world: World, page: Page) -> None:
    page.goto(world.answered)
    wide = box(page.locator(".prose"))["width"]
    chips(page).first.click()
    pane = page.locator("dialog[data-pane]")
    expect(pane.locator("rect.now").first).to_be_visible()
    assert 580 <= box(pane)["width"] <= 600
    assert box(page.locator(".cv"))["width"] <= 57
    assert box(page.locator(".prose"))["width"] == wide  # the answer is not wrapped anew
    assert ten_points(world, pane) >= 12
    page.get_by_role("button", name="Show the conversations").click()
    expect(page.locator(".cv-list")).to_contain_text(QUESTION)
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Close source").click()
    expect(page.locator(".cv-list")).to_be_visible()
    page.set_viewport_size({"width": 900, "height": 800})
    chips(page).first.click()
    expect(pane.locator("rect.now").first).to_be_visible()
    wait_until(lambda: ten_points(world, pane) >= 12, "print that can be read")
    words, seen = box(pane.locator("rect.now").first), box(pane.locator("[data-zoomable]"))
    assert seen["x"] <= words["x"] < seen["x"] + seen["width"]


def test_the_page_keeps_its_room_whatever_else_is_said_of_the_source(world: World, page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(world.answered)
    chips(page).nth(1).click()
    pane = page.locator("#pane")
    expect(pane.locator(".sp-p figure")).to_be_visible()
    for part in (".sp-s", ".sp-q"):  # reasons, defined words, the rest of the sentence
        pane.locator(part).evaluate("part => part.insertAdjacentHTML('beforeend', '<p>More</p>'.repeat(40))")
    tops = [box(pane.locator(part)) for part in (".sp-s", ".sp-p", ".sp-q", ".sp-l")]
    assert tops[1]["height"] >= 320
    assert all(upper["y"] + upper["height"] <= lower["y"] + 1 for upper, lower in pairwise(tops))
    assert tops[-1]["y"] + tops[-1]["height"] <= 901


def ten_points(world: World, pane: Locator) -> float:
    """How many CSS pixels print of ten points has on the page that is shown."""
    ((x0, _, x1, _),) = world.turn.citations.get(n=1).boxes_on(1)
    return 10 * box(pane.locator("rect.now").first)["width"] / ((x1 - x0 + 3) * POINT)


def test_on_a_phone_the_quote_comes_as_text_then_the_crop_at_full_size(world: World, page: Page) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto(world.answered)
    chips(page).first.click()
    sheet = page.locator("dialog[data-pane]:modal")
    quote, crop = sheet.locator(".sp-c .quote"), sheet.locator(".sp-i img")
    expect(quote).to_have_text(NOTICE)
    expect(crop).to_be_visible()
    assert box(quote)["y"] + box(quote)["height"] <= box(crop)["y"]
    assert box(crop)["width"] > PHONE["width"]  # not shrunk: it is panned
    view = sheet.locator(".sp-i")
    assert view.evaluate("e => (e.scrollLeft = 80, e.scrollLeft)") == 80
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(sheet.locator("[data-zoomable]")).to_be_hidden()
    expect(sheet.get_by_role("link", name="Whole page")).to_be_visible()


def test_english_runs_to_the_right_on_an_arabic_page(world: World, page: Page) -> None:
    cookie = {"name": settings.LANGUAGE_COOKIE_NAME, "value": "ar", "url": world.chat}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto(world.answered)
    assert page.locator("html").get_attribute("dir") == "rtl"
    assert runs_to_the_right(page.locator(".me p"))  # its question mark comes last
    chips(page).first.click()
    sheet = page.locator("dialog[data-pane]:modal")
    expect(sheet.locator(".sp-i img")).to_be_visible()
    assert runs_to_the_right(sheet.locator(".sp-c .quote mark"))
    view = box(sheet.locator(".sp-i"))
    assert box(sheet.locator(".sp-i img"))["x"] >= view["x"] - 20  # where the line begins, not where it ends


def runs_to_the_right(text: Locator) -> bool:
    """Whether the first letter stands left of those after it, and the last right of those before it."""
    return bool(
        text.evaluate("""e => {
            const nodes = [], walker = document.createTreeWalker(e, NodeFilter.SHOW_TEXT);
            while (walker.nextNode()) if (walker.currentNode.data.trim()) nodes.push(walker.currentNode);
            const left = (node, at) => {
                const range = document.createRange();
                range.setStart(node, at); range.setEnd(node, at + 1);
                return range.getBoundingClientRect().left;
            };
            const first = nodes[0], begin = first.data.search(/\\S/);
            const last = nodes.at(-1), end = last.data.trimEnd().length;
            return left(first, begin) < left(first, begin + 8) && left(last, end - 4) < left(last, end - 1);
        }""")
    )


def test_no_chip_stands_alone_on_a_line(world: World, page: Page) -> None:
    page.goto(world.answered)
    alone = """() => {
        const prose = document.querySelector('.prose'), alone = [];
        for (let width = 684; width > 150; width -= 7) {
            prose.style.width = `${width}px`;
            for (const chip of prose.querySelectorAll('a.chip')) {
                const range = document.createRange();
                const walker = document.createTreeWalker(chip.closest('.bl'), NodeFilter.SHOW_TEXT);
                let before;
                while (walker.nextNode() && !chip.contains(walker.currentNode))
                    if (walker.currentNode.data.replace(/[\\s\\u2060]/g, '')) before = walker.currentNode;
                const end = before.data.replace(/[\\s\\u2060]+$/, '').length;
                range.setStart(before, end - 1); range.setEnd(before, end);
                const word = range.getBoundingClientRect(), number = chip.getBoundingClientRect();
                if (number.top > word.bottom - 2) alone.push([width, chip.textContent]);
            }
        }
        return alone;
    }"""
    assert page.evaluate(alone) == []


def test_the_steps_fold_when_the_answer_is_there(world: World, page: Page, server: Model) -> None:
    server.pace = 0.02
    page.goto(world.chat)
    page.get_by_role("textbox", name="Question").fill("How can it be ended, step by step?")
    page.keyboard.press("Enter")
    expect(page.locator(".tr-l").last).to_be_visible()
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()
    expect(page.locator(".tr-l")).to_be_hidden()
    page.locator(".tr-s").click()
    expect(page.locator(".tr-l")).to_be_visible()
    page.reload()
    expect(page.locator(".tr-l")).to_be_hidden()


def test_steps_that_the_reader_opened_stay_open(world: World, page: Page, server: Model) -> None:
    server.pace = 0.05
    page.goto(world.chat)
    page.get_by_role("textbox", name="Question").fill("How can it be ended early?")
    page.keyboard.press("Enter")
    expect(page.locator(".tr-l")).to_be_visible()
    page.locator(".tr-s").click()
    page.locator(".tr-s").click()
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()
    expect(page.locator(".tr-l")).to_be_visible()


def test_who_comes_back_from_a_source_reads_on_where_they_were(world: World, page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 500})
    page.goto(world.answered)
    thread = page.locator("[data-follow]")
    most = thread.evaluate("thread => thread.scrollHeight - thread.clientHeight")
    assert most > 300
    thread.evaluate("thread => { thread.scrollTop = 150; }")
    page.goto(world.answered.split("/chat/")[0] + "/")
    page.go_back()
    expect(thread).to_have_js_property("scrollTop", 150)
    page.reload()
    expect(thread).to_have_js_property("scrollTop", 150)


def test_questions_that_lead_on_do_not_cover_the_foot_of_the_answer(world: World, page: Page) -> None:
    page.goto(world.answered)
    expect(page.locator("#follow-ups[hx-get]")).to_have_count(0)
    page.locator("[data-follow]").evaluate("thread => { thread.scrollTop = thread.scrollHeight; }")
    foot = page.get_by_role("button", name="Copy with sources").last
    expect(foot).to_be_in_viewport(ratio=1)
    page.locator("#follow-ups").evaluate(
        "box => { box.innerHTML = '<button class=btn>And how is notice given?</button>'.repeat(9); }"
    )
    expect(foot).to_be_in_viewport(ratio=1)


def test_a_second_click_is_told_once(world: World, page: Page) -> None:
    page.goto(world.answered)
    page.get_by_role("button", name="Keep in the notebook").first.dblclick()
    said = page.locator("#said li")
    expect(said).to_have_count(2)
    expect(page.locator("#toasts .toast")).to_have_count(1)
    expect(page.locator("#toasts")).to_contain_text("for all who read Contracts")


def test_the_question_stays_above_its_answer(world: World, page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 600})
    page.goto(world.answered)
    thread = page.locator("[data-follow]")
    for share in (0.3, 0.6, 1):
        thread.evaluate("(e, share) => e.scrollTop = (e.scrollHeight - e.clientHeight) * share", share)
        assert abs(box(page.locator(".me"))["y"] - box(thread)["y"]) <= 2
        expect(page.locator(".me")).to_be_visible()


def test_not_found_opens_at_its_headline(world: World, page: Page) -> None:
    page.set_viewport_size({"width": 1440, "height": 420})
    page.goto(world.chat)
    ask(page)
    ask(page, "Does every engineer get a pony?")
    for _ in range(2):
        expect(page.locator(".nf h3")).to_be_in_viewport()
        question, headline = box(page.locator(".me").last), box(page.locator(".nf h3"))
        assert headline["y"] > question["y"] + question["height"]
        page.reload()


def test_a_link_to_a_source_works_past_twenty_turns(world: World, page: Page) -> None:
    page.goto(world.answered)
    chips(page).first.click()
    expect(page).to_have_url(re.compile(r"turn=1&cite=1"))
    page.goto(page.url.replace(world.answered, world.long))
    expect(page.locator("#pane")).to_contain_text("On the page.")
    expect(page.locator(".chip.on")).to_be_in_viewport()
    expect(page.locator(".turn")).to_have_count(LONG)


def test_the_page_is_dimmed_in_the_dark(world: World, page: Page) -> None:
    page.emulate_media(color_scheme="dark")
    page.goto(world.answered)
    card = hover(page, 0)
    shot = np.asarray(Image.open(io.BytesIO(card.locator("img").screenshot())).convert("RGB")).astype(int)
    assert 0.8 < shot.max() / 255 < 0.97  # paper, neither white nor inverted
    assert np.median(shot) > 200

"""The chat as a reader uses it: Chromium, a web server, a worker, and a model server with a script."""

import io
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from chat.models import Turn, TurnStatus
from datasources.models import Datasource, DocumentStatus
from ingestion.adding.upload import accept_upload
from tests.browser import PHONE, Live, wait_until
from tests.openai_server import MODEL, ScriptedOpenAI, ScriptedReply, tools_reply

pytest_plugins = ["tests.browser"]

SAMPLE = settings.BASE_DIR / "samples" / "security-questionnaire.pdf"
BACKUPS = "Nightly backups are kept for 90 days by default."
KEYS = "Keys are held in a hardware module in Gateshead and replaced every twelve months."
QUESTION = "How long are backups kept?"
NUMBERS = "first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth, eleventh, twelfth"
ANSWER = (
    f"Backups are kept for **90 days** /citation[c1, {BACKUPS}].\n\n"
    f"- The keys are replaced every twelve months /citation[c1, {KEYS}]\n"
    "- Every engineer gets a pony /citation[c1, Each engineer is given one pony]\n\n"
    + "".join(
        f"The {number} longer explanation follows, sentence after sentence. "
        for number in NUMBERS.split(", ")
    )
)


class Model(ScriptedOpenAI):
    """Searches once, then answers; `pace` is in seconds for each dozen characters."""

    def __init__(self) -> None:
        super().__init__(self.reply)
        self.pace = 0.0

    def reply(self, request: dict[str, Any]) -> ScriptedReply:
        last = max(n for n, one in enumerate(request["messages"]) if one["role"] == "user")
        if any(one["role"] == "tool" for one in request["messages"][last:]):
            return tools_reply(("answer", {"answer": ANSWER, "found": "all"}), delay=self.pace)
        words = ("backups are kept", "hardware module in Gateshead")
        return tools_reply(*(("search_literal", {"words": one, "limit": 8}) for one in words))


@pytest.fixture(scope="module")
def server() -> Iterator[Model]:
    model = Model()
    with model:
        yield model


@pytest.fixture
def model(server: Model) -> Model:
    server.pace = 0.0
    return server


@pytest.fixture
def live_variables(model: Model) -> dict[str, str]:
    return {"SVQ_LLM_BASE_URL": model.base_url, "SVQ_LLM_API_KEY": "k", "SVQ_LLM_MODEL": MODEL}


@pytest.fixture
def chat(live: Live, page: Page, alice: User, contracts: Datasource) -> str:
    """The address of a new chat about a document that was read; alice is signed in."""
    (accepted,) = accept_upload(contracts, alice, SAMPLE.name, io.BytesIO(SAMPLE.read_bytes()))
    document = accepted.document

    def is_read() -> bool:
        document.refresh_from_db()
        assert document.status != DocumentStatus.FAILED, document.error_message
        return document.status == DocumentStatus.READY

    wait_until(is_read, "the reading of the document")
    live.login(page, alice)
    return f"{live.base_url}/d/{contracts.pk}/chat/"


def ask(page: Page, question: str = QUESTION) -> None:
    page.get_by_role("textbox", name="Question").fill(question)
    page.keyboard.press("Enter")
    expect(page.locator(".me").last).to_have_text(question)


def chips(page: Page) -> Locator:
    return page.locator(".prose a.chip")


def finished(page: Page) -> None:
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()


def test_from_the_question_to_the_words_on_the_page(chat: str, page: Page) -> None:
    page.goto(chat)
    ask(page)
    expect(page).to_have_url(re.compile(r"/chat/[0-9a-f-]{36}/$"))
    finished(page)
    expect(page.locator(".vf")).to_contain_text("1 of 15 statements confirmed, 14 for your eye first")
    expect(page.locator(".vf")).to_contain_text("1 without source")
    expect(page.locator("#status")).to_have_text(
        "Answer ready, 2 quotes on the page, 1 without source, 1 of 15 statements confirmed, 14 for your eye,"
        " 12 sentences without a source"
    )
    assert page.locator(".prose strong").text_content() == "90 days"

    page.get_by_text("Riskiest first").click()
    listed = page.get_by_role("list", name="Statements, riskiest first").get_by_role("listitem")
    expect(listed).to_have_count(15)
    expect(listed.first).to_contain_text("No source found")
    expect(listed.last).to_contain_text("Supports, checked by code")
    listed.last.get_by_role("link").click()
    expect(page.locator("#pane")).to_contain_text("Supports, checked by code.")
    page.keyboard.press("Escape")

    chips(page).first.hover()
    card = page.locator("#hovercard")
    expect(card).to_be_visible()
    expect(card).to_contain_text("Facts agree, wording differs")
    assert loaded(card.locator("img"))
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()

    chips(page).first.click()
    pane = page.locator("#pane")
    expect(pane).to_contain_text("These exact words are on the page.")
    assert drawn(page, pane)
    assert marked_part_is_on_the_line(pane)
    page.reload()
    expect(pane).to_contain_text("These exact words are on the page.")
    expect(chips(page).first).to_have_class(re.compile(r"\bon\b"))

    page.get_by_role("link", name="Next source").click()
    expect(pane).to_contain_text("The keys are replaced every twelve months")
    page.go_back()
    expect(pane).to_contain_text("Backups are kept for 90 days")


def loaded(image: Locator) -> bool:
    """Wait for the picture; whether it has arrived whole."""
    return bool(
        wait_until(lambda: image.evaluate("i => i.complete && i.naturalWidth > 300"), "the page's image")
    )


def drawn(page: Page, pane: Locator) -> bool:
    """Whether the page's image in the pane is one that a browser can draw."""
    load = """async i => {
        const image = new Image();
        image.src = i.href.baseVal;
        await image.decode();
        return image.naturalWidth;
    }"""
    return bool(pane.locator(".pg image").evaluate(load) > 300)


def marked_part_is_on_the_line(pane: Locator) -> bool:
    """Whether the yellow rectangle lies inside the drawn page and has about the height of a line."""
    expect(pane.locator("rect.now").first).to_be_visible()  # the pane may just be drawn again
    page_box, mark = pane.locator(".pg").bounding_box(), pane.locator("rect.now").first.bounding_box()
    assert page_box
    assert mark
    inside = page_box["x"] < mark["x"] and mark["x"] + mark["width"] < page_box["x"] + page_box["width"]
    return inside and 0.005 < mark["height"] / page_box["height"] < 0.03


def test_asking_and_reading_sources_by_keyboard(chat: str, page: Page) -> None:
    page.goto(chat)
    expect(page.get_by_role("textbox", name="Question")).to_be_focused()
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator(".me")).to_have_text(QUESTION)
    finished(page)
    expect(page.get_by_role("textbox", name="Question")).to_be_focused()
    expect(page.get_by_role("textbox", name="Question")).to_have_value("")

    for _ in range(40):
        page.keyboard.press("Shift+Tab")
        if page.evaluate("document.activeElement.matches('.prose a.chip')"):
            break
    expect(page.locator("#hovercard")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#hovercard")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator("#pane")).to_contain_text("No source found.")
    page.keyboard.press("[")
    expect(page.locator("#pane")).to_contain_text("On the page.")
    page.keyboard.press("s")
    expect(page.locator("dialog[data-pane]")).to_be_hidden()
    page.keyboard.press("s")
    expect(page.locator("dialog[data-pane]")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[data-pane]")).to_be_hidden()


def test_a_key_right_after_a_source_appears_stays_on_the_page(chat: str, page: Page) -> None:
    page.goto(chat)
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    expect(page.locator("#status")).to_contain_text(
        "Answer ready, 2 quotes on the page, 1 without source, 1 of 15 statements confirmed"
    )
    finished(page)
    page.evaluate("""() => {
        window.stays = true;
        document.getElementById("pane").addEventListener("htmx:afterSwap", () =>
            setTimeout(() => document.querySelector('[data-key="["]').click()), { once: true });
    }""")
    expect(chips(page)).to_have_text(["1", "2", "no source found"])
    chips(page).last.press("Enter")
    expect(page.locator("#pane")).to_contain_text("On the page.")
    assert page.evaluate("window.stays")

    page.reload()
    expect(page.locator("#pane")).to_contain_text("On the page.")
    expect(page.get_by_role("textbox", name="Question")).not_to_be_focused()
    page.keyboard.press("s")
    expect(page.locator("dialog[data-pane]")).to_be_hidden()


def test_a_reload_and_a_second_tab_show_the_same_answer(
    chat: str,
    page: Page,
    model: Model,
) -> None:
    model.pace = 0.1
    page.goto(chat)
    ask(page)
    expect(chips(page).first).to_be_visible()
    page.reload()
    expect(chips(page).first).to_be_visible()
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_role("button", name="Stop")).to_be_visible()
    for tab in (page, other):
        finished(tab)
    assert page.locator(".prose").inner_text() == other.locator(".prose").inner_text()
    assert page.locator(".prose").inner_text().count("Backups are kept for") == 1
    assert page.locator(".turn").count() == 1
    page.reload()
    assert page.locator(".prose").inner_text() == other.locator(".prose").inner_text()


def test_stopping_from_a_second_tab(chat: str, page: Page, model: Model) -> None:
    model.pace = 0.4
    page.goto(chat)
    ask(page)
    expect(page.locator(".prose")).to_contain_text("Backups are kept")
    other = page.context.new_page()
    other.goto(page.url)
    other.get_by_role("button", name="Stop").click()
    for tab in (page, other):
        finished(tab)
        expect(tab.locator(".vf")).to_contain_text("Stopped by you")
    assert Turn.objects.get().status == TurnStatus.STOPPED
    expect(page.locator(".prose")).to_contain_text("Backups are kept")


def test_the_answer_survives_a_restart_of_the_web_server(
    chat: str,
    page: Page,
    live: Live,
    model: Model,
) -> None:
    model.pace = 0.2
    page.goto(chat)
    ask(page)
    expect(page.locator(".prose")).to_contain_text("Backups are kept")
    live.restart_web()
    finished(page)
    assert page.locator(".prose").inner_text().count("Backups are kept for") == 1


def test_a_phone_shows_the_source_as_a_sheet(chat: str, page: Page) -> None:
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    page.goto(chat)
    assert fits(page)
    ask(page)
    finished(page)
    assert fits(page)
    chips(page).first.click()
    expect(page.locator("dialog[data-pane]:modal")).to_contain_text("On the page.")
    assert fits(page)
    page.keyboard.press("Escape")
    expect(chips(page).first).to_be_focused()
    expect(page.locator(".hc:popover-open, .hc:visible")).to_have_count(0)
    page.get_by_role("button", name="Conversations").click()
    expect(page.get_by_role("link", name="New conversation")).to_be_visible()


def fits(page: Page) -> bool:
    """Nothing is wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def test_dark_mode_keeps_the_answer_readable(chat: str, page: Page) -> None:
    page.goto(chat)
    ask(page)
    finished(page)
    light = contrast(page)
    page.get_by_role("button", name="Switch between light and dark").click()
    wait_until(lambda: page.locator("html").get_attribute("data-theme") == "dark", "the dark theme")
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).colorScheme") in ("dark", "light dark", "normal")
    assert light >= 7
    assert contrast(page) >= 7


def contrast(page: Page) -> float:
    """WCAG's ratio between the answer's words and the page behind them."""
    colours = page.evaluate(
        "[getComputedStyle(document.querySelector('.prose')).color,"
        " getComputedStyle(document.body).backgroundColor]"
    )
    one, two = (luminance([int(value) for value in re.findall(r"\d+", colour)[:3]]) for colour in colours)
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)


def luminance(channels: list[int]) -> float:
    shares = [channel / 255 for channel in channels]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_conversation_is_renamed_and_deleted(chat: str, page: Page) -> None:
    page.goto(chat)
    ask(page)
    finished(page)
    page.locator("summary[aria-label='More about this conversation']").click()
    page.get_by_role("link", name="Rename", exact=True).click()
    page.get_by_label("Title").fill("Backups")
    page.get_by_role("button", name="Rename").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Backups")
    page.locator("summary[aria-label='More about this conversation']").click()
    page.get_by_role("link", name="Delete conversation").click()
    expect(page.locator("dialog.dlg[open]")).to_contain_text(
        "1 question with its answer and sources goes with it"
    )
    page.get_by_role("button", name="Delete conversation").click()
    expect(page.get_by_role("heading", name="What do you want to know?")).to_be_visible()
    assert not Turn.objects.exists()

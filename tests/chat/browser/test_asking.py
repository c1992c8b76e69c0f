"""Asking from the page when something comes between: a stop, a second tab, a lost session, a limit."""

import re
from collections.abc import Iterator
from time import sleep
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, ViewportSize, expect

from accounts.models import User
from chat.models import Conversation, Turn, TurnStatus
from datasources.models import Datasource, DocumentStatus
from tests.browser import DESKTOP, PHONE, Live, wait_until
from tests.factories import TEXT, make_document, make_turn
from tests.openai_server import MODEL, ScriptedOpenAI, ScriptedReply, tools_reply

pytest_plugins = ["tests.browser"]

FIRST, SECOND = "How long are backups kept?", "And who keeps them?"
# No sentence comes twice: a model that goes round in circles is stopped.
WORDS = "Much, More, Most, Some, Few, All, Each, Both"
MORE = "".join(f"{word} follows, word after word. " for word in WORDS.split(", "))
ANSWER = f"Backups are kept for thirty days /citation[c1, {TEXT}]. {MORE}"


class Model(ScriptedOpenAI):
    """Searches once, then answers; `pace` is in seconds for each dozen characters."""

    def __init__(self) -> None:
        super().__init__(self.reply)
        self.pace = 0.0

    def reply(self, request: dict[str, Any]) -> ScriptedReply:
        last = max(n for n, each in enumerate(request["messages"]) if each["role"] == "user")
        if any(each["role"] == "tool" for each in request["messages"][last:]):
            return tools_reply(("answer", {"answer": ANSWER, "found": "all"}), delay=self.pace)
        return tools_reply(("search_literal", {"words": "backups", "limit": 8}))


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
def new_chat(live: Live, page: Page, alice: User, contracts: Datasource) -> str:
    make_document(contracts)
    live.login(page, alice)
    return f"{live.base_url}/d/{contracts.pk}/chat/"


def box(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Question")


def ask(page: Page, question: str = FIRST) -> None:
    box(page).fill(question)
    box(page).press("Enter")


def answered(page: Page, question: str = FIRST) -> None:
    ask(page, question)
    expect(page.locator(".me").last).to_have_text(question)
    finished(page)


def finished(page: Page) -> None:
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_visible()


def test_after_a_stop_the_next_question_is_asked(new_chat: str, page: Page, model: Model) -> None:
    model.pace = 0.4
    page.goto(new_chat)
    ask(page)
    expect(page.locator(".prose")).to_contain_text("Backups are kept")
    page.keyboard.press("Escape")
    expect(page.locator(".vf")).to_contain_text("Stopped by you")
    model.pace = 0.0
    ask(page, SECOND)
    expect(page.locator(".me").last).to_have_text(SECOND)
    finished(page)
    first, second = Turn.objects.order_by("number")
    assert (first.status, second.status) == (TurnStatus.STOPPED, TurnStatus.ANSWERED)
    expect(box(page)).to_have_value("")


def test_a_question_right_behind_a_stop_is_asked_once_the_stop_has_arrived(
    new_chat: str, page: Page, model: Model
) -> None:
    model.pace = 0.4
    page.goto(new_chat)
    ask(page)
    expect(page.locator(".prose")).to_contain_text("Backups are kept")

    def slow(route: Route) -> None:
        sleep(0.7)
        route.continue_()

    page.route("**/stop/", slow)
    page.keyboard.press("Escape")
    model.pace = 0.0
    ask(page, SECOND)
    expect(page.locator(".me").last).to_have_text(SECOND)
    finished(page)
    expect(box(page)).to_have_value("")
    assert [turn.status for turn in Turn.objects.order_by("number")] == [
        TurnStatus.STOPPED,
        TurnStatus.ANSWERED,
    ]


def test_a_question_sent_during_an_answer_is_answered_after_it(
    new_chat: str, page: Page, model: Model
) -> None:
    model.pace = 0.3
    page.goto(new_chat)
    ask(page)
    expect(page.locator(".prose")).to_contain_text("Backups are kept")
    ask(page, SECOND)
    expect(page.locator(".me")).to_have_text([FIRST, SECOND])
    expect(box(page)).to_have_value("")
    model.pace = 0.0
    finished(page)
    expect(page.locator(".prose:not([aria-busy=true])")).to_have_count(2)
    first, second = Turn.objects.order_by("number")
    assert (first.status, second.status) == (TurnStatus.ANSWERED, TurnStatus.ANSWERED)
    assert first.finished < second.finished  # type: ignore[operator]


def test_what_is_typed_while_a_question_is_sent_stays(new_chat: str, page: Page) -> None:
    page.goto(new_chat)

    def slow(route: Route) -> None:
        box(page).fill(SECOND)
        route.continue_()

    page.route("**/ask/", slow)
    ask(page)
    expect(page.locator(".me").last).to_have_text(FIRST)
    finished(page)
    expect(box(page)).to_have_value(SECOND)


def test_a_question_asked_while_signed_out_is_asked_after_signing_in(
    new_chat: str, page: Page, live: Live, alice: User
) -> None:
    page.goto(new_chat)
    page.context.clear_cookies()
    ask(page)
    dialog = page.get_by_role("dialog", name="You are signed out")
    expect(dialog).to_be_visible()
    expect(box(page)).to_have_value(FIRST)
    live.login(page, alice)
    dialog.get_by_role("button", name="Try again").click()
    expect(page.locator(".me")).to_have_text(FIRST)
    finished(page)
    expect(box(page)).to_have_value("")
    assert Turn.objects.get().question == FIRST


def test_it_is_asked_by_itself_when_one_comes_back_signed_in(
    new_chat: str, page: Page, live: Live, alice: User
) -> None:
    page.goto(new_chat)
    page.context.clear_cookies()
    ask(page)
    expect(page.get_by_role("dialog", name="You are signed out")).to_be_visible()
    live.login(page, alice)
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page.locator(".me")).to_have_text(FIRST)
    finished(page)
    assert Turn.objects.count() == 1


def test_a_lost_connection_leaves_the_question_in_its_box(new_chat: str, page: Page) -> None:
    page.goto(new_chat)
    page.route("**/ask/", lambda route: route.abort())
    ask(page)
    expect(page.get_by_role("alert")).to_contain_text("The server cannot be reached")
    expect(box(page)).to_have_value(FIRST)
    page.unroute("**/ask/")
    page.reload()
    expect(box(page)).to_have_value(FIRST)
    page.context.set_offline(True)
    expect(page.get_by_text("You are offline. What you type stays here.")).to_be_visible()
    box(page).press("Enter")
    expect(box(page)).to_have_value(FIRST)
    page.context.set_offline(False)
    box(page).press("Enter")
    expect(page.locator(".me")).to_have_text(FIRST)


def test_a_long_question_is_counted_and_not_cut(new_chat: str, page: Page) -> None:
    page.goto(new_chat)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url) if request.method == "POST" else None)
    long = "why " * 1100
    box(page).fill(long)
    expect(page.get_by_text("4,399 of 4,000 characters. Shorten it by 399.")).to_be_visible()
    box(page).press("Enter")
    expect(box(page)).to_have_value(long)
    box(page).fill(long[:3999])
    expect(page.get_by_text("3,999 of 4,000 characters.")).to_be_visible()
    box(page).press("Enter")
    expect(page.locator(".me")).to_be_visible()
    assert len(Turn.objects.get().question) == 3999
    assert len(sent) == 1


def test_a_question_asked_in_one_tab_appears_in_the_other(
    new_chat: str, page: Page, alice: User, live: Live
) -> None:
    page.goto(new_chat)
    answered(page)
    other = page.context.new_page()
    other.goto(page.url)
    ask(page, SECOND)
    expect(other.locator(".me").last).to_have_text(SECOND)
    for tab in (page, other):
        finished(tab)
        expect(tab.locator(".turn")).to_have_count(2)
        expect(tab.locator(".prose").last).to_contain_text("Backups are kept")
    ask(other, "And where?")
    expect(page.locator(".me").last).to_have_text("And where?")


def test_a_question_asked_on_another_device_appears(
    new_chat: str, page: Page, alice: User, live: Live
) -> None:
    page.goto(new_chat)
    answered(page)
    browser = page.context.browser
    assert browser
    elsewhere = browser.new_context()
    other = elsewhere.new_page()
    live.login(other, alice)
    other.goto(page.url)
    ask(other, SECOND)
    expect(page.locator(".me").last).to_have_text(SECOND)
    elsewhere.close()


def test_back_never_shows_a_deleted_conversation(
    new_chat: str, page: Page, alice: User, contracts: Datasource
) -> None:
    turn = make_turn(alice, contracts.documents.get())
    page.goto(f"{new_chat}{turn.conversation_id}/")
    page.get_by_label("More about this conversation").click()
    page.get_by_role("link", name="Delete conversation").click()
    page.get_by_role("button", name="Delete conversation").click()
    expect(page.get_by_role("heading", name="What do you want to know?")).to_be_visible()
    page.go_back()
    expect(page.get_by_text(turn.question)).to_have_count(0)


def test_a_conversation_deleted_elsewhere_is_left(
    new_chat: str, page: Page, alice: User, contracts: Datasource
) -> None:
    turn = make_turn(alice, contracts.documents.get())
    page.goto(f"{new_chat}{turn.conversation_id}/")
    expect(page.locator(".me")).to_have_text(turn.question)
    Conversation.objects.all().delete()
    page.evaluate("dispatchEvent(new Event('focus'))")
    expect(page).to_have_url(re.compile(r"/chat/$"))


def test_deleting_from_the_dialog_of_renaming_asks_first(
    new_chat: str, page: Page, alice: User, contracts: Datasource
) -> None:
    turn = make_turn(alice, contracts.documents.get())
    page.goto(f"{new_chat}{turn.conversation_id}/")
    page.get_by_label("More about this conversation").click()
    page.get_by_role("link", name="Rename", exact=True).click()
    dialog = page.locator("dialog.dlg[open]")
    dialog.get_by_label("Title").fill("x" * 230)
    dialog.get_by_role("button", name="Rename").click()
    expect(dialog).to_contain_text("230 of 200 characters. Shorten it by 30.")
    dialog.get_by_role("link", name="Delete").click()
    expect(dialog).to_contain_text("1 question with its answer and sources goes with it")
    wait_until(lambda: page.locator("dialog.dlg[open]").count() == 1, "one dialog")
    dialog.get_by_role("button", name="Keep it").click()
    expect(page.locator("dialog.dlg[open]")).to_have_count(0)
    assert Turn.objects.filter(pk=turn.pk).exists()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_documents_are_chosen_in_the_picker(
    new_chat: str, page: Page, contracts: Datasource, size: ViewportSize
) -> None:
    lease = make_document(contracts, "Lease", "The rent is due in May.")
    make_document(contracts, "Unread", "x", status=DocumentStatus.FAILED)
    page.set_viewport_size(size)
    page.goto(new_chat)
    opener = page.locator("#scope > summary")
    expect(opener).to_contain_text("Both")
    opener.click()
    picker = page.get_by_role("group", name="Documents to search")
    picker.get_by_role("searchbox").fill("leas")
    expect(picker.get_by_role("checkbox")).to_have_count(1)
    picker.get_by_label("Lease").check()
    expect(opener).to_contain_text("1 of 2")
    picker.get_by_role("searchbox").fill("")
    expect(picker.get_by_role("checkbox")).to_have_count(3)
    expect(picker.get_by_label("Lease")).to_be_checked()
    expect(picker.get_by_label("Unread")).to_be_disabled()

    picker.get_by_label("Lease").uncheck()
    page.keyboard.press("Escape")
    expect(picker).to_be_hidden()
    sentence = page.get_by_text("No document is chosen, so nothing can be asked.")
    expect(sentence).to_be_visible()
    expect(page.get_by_role("button", name="Ask", exact=True)).to_be_disabled()
    ask(page)
    page.get_by_role("button", name="search all").click()
    expect(sentence).to_be_hidden()
    expect(opener).to_contain_text("Both")

    opener.click()
    picker.get_by_label("Lease").check()
    picker.get_by_role("button", name="Done").click()
    answered(page)
    expect(opener).to_contain_text("1 of 2")
    assert Turn.objects.get().document_ids == [lease.pk]


def test_escape_closes_what_is_open_before_it_stops_the_answer(
    new_chat: str, page: Page, model: Model
) -> None:
    model.pace = 0.5
    page.goto(new_chat)
    ask(page)
    expect(page.locator(".prose")).to_contain_text("Backups")
    page.locator("#scope > summary").click()
    page.locator(".prose").first.focus()
    page.keyboard.press("Escape")
    expect(page.get_by_role("group", name="Documents to search")).to_be_hidden()
    assert Turn.objects.get().is_unfinished
    page.keyboard.press("Escape")
    expect(page.locator(".vf")).to_contain_text("Stopped by you")


def test_escape_right_behind_enter_stops_the_answer(new_chat: str, page: Page, model: Model) -> None:
    model.pace = 0.5
    page.goto(new_chat)
    ask(page)
    page.keyboard.press("Escape")  # the question is on its way
    expect(page.locator(".vf")).to_contain_text("Stopped by you")
    assert Turn.objects.get().status == TurnStatus.STOPPED


def test_escape_stops_a_question_that_waits_for_scripts(new_chat: str, page: Page, model: Model) -> None:
    model.pace = 0.5
    held: list[Route] | None = []

    def hold(route: Route) -> None:
        if held is None:
            route.continue_()
        else:
            held.append(route)

    page.goto(new_chat)
    page.route("**/*.js", hold)
    ask(page)
    page.keyboard.press("Escape")
    scripts, held = held, None
    assert scripts
    for script in scripts:
        script.continue_()
    expect(page.locator(".vf")).to_contain_text("Stopped by you")

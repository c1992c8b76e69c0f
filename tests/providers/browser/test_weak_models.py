"""What a person sees of a weak model: before it is used, and of an answer that nothing proves."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Locator, Page, expect

from accounts.models import User
from chat import services
from chat.models import TurnStatus
from datasources.models import Datasource
from tests.browser import DESKTOP, PHONE, Live
from tests.openai_server import MODEL, ScriptedOpenAI, text_reply

pytest_plugins = ["tests.browser"]
pytestmark = pytest.mark.django_db(transaction=True)
SHOTS = os.environ.get("SVQ_SHOTS")  # a folder for pictures that a person looks at


@pytest.fixture
def server() -> Iterator[ScriptedOpenAI]:
    """A model that only talks."""
    counted = text_reply("one, two, three, four, five", when="Count from one", repeat=True)
    with ScriptedOpenAI([counted, text_reply("I would rather talk.", repeat=True)]) as server:
        yield server


def shots(page: Page, name: str) -> None:
    for size in (DESKTOP, PHONE) if SHOTS else ():
        for scheme in ("light", "dark"):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
            page.evaluate("scheme => document.documentElement.dataset.theme = scheme", scheme)
            page.screenshot(path=Path(SHOTS or "") / f"{name}-{size['width']}-{scheme}.png")


def is_red(locator: Locator) -> bool:
    red, green, blue = locator.evaluate(
        "it => { const c = document.createElement('canvas').getContext('2d');"
        " c.fillStyle = getComputedStyle(it).color; c.fillRect(0, 0, 1, 1);"
        " return [...c.getImageData(0, 0, 1, 1).data].slice(0, 3) }"
    )
    return bool(red > 1.5 * green and red > 1.5 * blue)


def test_what_a_model_cannot_do_is_told_in_red_before_it_is_used(
    live: Live, page: Page, server: ScriptedOpenAI
) -> None:
    root = User.objects.create_superuser("root@example.org", "a long and winding password")
    live.login(page, root)
    page.goto(
        f"{live.base_url}{reverse('models')}?role=agent&place=other&address={server.base_url}&model={MODEL}"
    )
    page.get_by_role("button", name="Use").last.click()
    lacks = page.locator(".mo-lacks")
    expect(lacks).to_contain_text("It cannot search")
    assert is_red(lacks)
    shots(page, "connect")
    page.set_viewport_size(PHONE)  # type: ignore[arg-type]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Use it all the same").click()
    expect(page.locator("#toasts")).to_contain_text("It answers from the next question on")


def test_an_answer_that_nothing_proves_is_marked(
    live: Live, page: Page, contracts: Datasource, alice: User
) -> None:
    turn = services.ask(alice, contracts, "When does it end?", queued=False)
    turn.write(status=TurnStatus.UNPROVEN, model=MODEL, answer="After two months, roughly.", run_token=None)
    live.login(page, alice)
    page.goto(f"{live.base_url}{reverse('conversation', args=[contracts.pk, turn.conversation_id])}")
    expect(page.get_by_text("Not proven by your documents.")).to_be_visible()
    expect(page.locator(".prose.unproven")).to_contain_text("After two months, roughly.")
    assert page.locator(".prose.unproven").evaluate("it => getComputedStyle(it).borderLeftWidth") == "3px"
    shots(page, "unproven")

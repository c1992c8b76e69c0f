"""Five tasks, each begun on the home page and done when its result is on the screen."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from providers.connections.catalogue import PROVIDERS
from tests.openai_server import ScriptedOpenAI, text_reply, tools_reply
from tools.walk.hand import PATIENCE, Hand

IN_FORCE = "90 days"  # since the sample's amendment
SAMPLE = "Sample: Tarnbeck and Hallowmere"
VENDORS = {  # three invented offers
    "Aldermoor Hosting": ("45 days", "99.9 %", "Frankfurt", "GBP 410,000"),
    "Birchway Cloud": ("90 days", "99.5 %", "Dublin", "GBP 365,000"),
    "Corrie Systems": ("30 days", "99.95 %", "Leeds", "GBP 520,000"),
}
OFFER = """{name}: offer for hosting

Notice. Either party may end this agreement with {0} of written notice.

Availability. {name} keeps the service available for {1} of each month.

Place. All data is stored in {2}.

Price. The yearly charge is {3}.
"""
ABLE = [  # what SVQ asks of a model before it is used, and the replies of one that can do it all
    text_reply("one, two, three, four, five", when="Count from one", repeat=True),
    tools_reply(
        ("search", {"words": "rent"}), ("search", {"words": "notice"}), when="Search for", repeat=True
    ),
    text_reply('{"colour": "blue"}', when="colour", repeat=True),
    text_reply("yes", when="Answer with the word", repeat=True, usage=(320, 1)),
]
COLUMNS = """Notice: How much notice is needed?
Availability: How available is the service?
Price: What is the yearly charge?"""


def notice_in_force(hand: Hand) -> str:
    """Find the notice period that is in force."""
    open_sample(hand)
    hand.click(tab(hand.page, "Ask"))
    hand.type(hand.page.locator("textarea").first, "How much notice must Hallowmere give to leave today?")
    hand.press("Enter")
    chips = hand.page.locator("[data-turn] .chip")
    hand.see(chips)
    expect(hand.page.locator("[aria-busy=true]")).to_have_count(0, timeout=PATIENCE * 1000)
    hand.click(chips.first)
    hand.see(hand.page.locator("#pane .pg"))
    passages = hand.page.locator(
        "[data-turn] blockquote, [data-turn] .quote, [data-turn] [data-claim]"
    ).all_inner_texts()
    place = next((n for n, passage in enumerate(passages, start=1) if IN_FORCE in passage), 0)
    return (
        f"“{IN_FORCE}” is passage {place} of {len(passages)}"
        if place
        else f"“{IN_FORCE}” is not on the screen"
    )


def compare_vendors(hand: Hand, folder: Path) -> str:
    """Compare three vendors."""
    files = []
    (folder / "offers").mkdir(exist_ok=True)
    for vendor, told in VENDORS.items():
        files.append(folder / "offers" / f"{vendor}.txt")
        files[-1].write_text(OFFER.format(*told, name=vendor))
    with hand.page.expect_file_chooser() as chosen:
        hand.click(hand.page.locator("[data-choose-files]"))
    chosen.value.set_files(files)
    name = hand.page.get_by_role("dialog").get_by_label("Name")
    hand.see(name)
    hand.type(name, "Offers")
    hand.click(hand.page.get_by_role("button", name="Make the datasource"))
    expect(hand.page.locator("[data-row] .pill.ok")).to_have_count(len(VENDORS), timeout=PATIENCE * 1000)
    hand.click(tab(hand.page, "Tables"))
    hand.click(hand.page.get_by_role("link", name=re.compile("^(?:New|Make a) table")).first)
    hand.type(hand.page.locator("#name"), "Offers")
    hand.type(hand.page.locator("#columns"), COLUMNS)
    for box in hand.page.locator("input[name=document]:not(:checked)").all():
        hand.click(box)
    hand.click(hand.page.get_by_role("button", name="Make the table").last)
    hand.click(hand.page.get_by_role("button", name="Fill the table"))
    expect(hand.page.locator('main [hx-trigger="every 2s"]')).to_have_count(0, timeout=PATIENCE * 1000)
    hand.page.wait_for_timeout(500)
    return f"{hand.page.locator('.lt-tbl .chip').count()} of 9 cells have a quote"


def hand_over_proof(hand: Hand) -> str:
    """Hand a colleague the proof."""
    open_sample(hand)
    hand.click(tab(hand.page, "Ask"))
    hand.click(hand.page.locator(".cv-i a").first)
    hand.click(hand.page.get_by_role("link", name="Share by a link").last)
    hand.type(hand.page.get_by_role("dialog").locator("input[name=recipient]"), "Edwina Marsh")
    hand.click(hand.page.get_by_role("dialog").locator("button.pri"))
    hand.click(hand.page.get_by_role("button", name="Copy the link"))
    return "a link that shows the answer with its page"


def connect_model(hand: Hand) -> str:
    """Connect a local model: one that waits where Ollama does, and answers as `ABLE` says."""
    with ScriptedOpenAI(ABLE, port=PROVIDERS["ollama"].port or 0):
        hand.click(hand.page.get_by_role("link", name="Connect a model"))
        hand.click(hand.page.get_by_role("link", name="Use Ollama"))
        hand.click(hand.page.locator("#connect button[name=use]"))
        expect(hand.page.locator(".mo-dlg")).to_have_count(0, timeout=PATIENCE * 1000)
        expect(hand.page.get_by_text("Quotes only.")).to_have_count(0, timeout=PATIENCE * 1000)
    return "the notice “Quotes only” is gone"


def measure(hand: Hand) -> str:
    """Measure it with ten questions."""
    open_sample(hand)
    hand.click(hand.page.locator("summary, button", has_text="More").first)
    hand.click(hand.page.locator("a:visible", has_text="Does it answer as you would?").first)
    hand.click(hand.page.get_by_role("link", name="Make a question set"))
    hand.type(hand.page.get_by_label("Name"), "Ten questions")
    for kind, many in (("single", "10"), ("multi", "0"), ("none", "0")):
        hand.type(hand.page.locator(f"input[name={kind}]"), many)
    hand.click(hand.page.get_by_role("button", name="Make the set"))
    hand.click(hand.page.get_by_role("link", name="New run"))
    hand.click(hand.page.get_by_role("button", name="Start"))
    expect(hand.page.locator('main [hx-trigger="every 2s"]')).to_have_count(0, timeout=PATIENCE * 1000)
    numbers = hand.page.locator(".ev-num")
    hand.see(numbers)
    return ", ".join(
        f"{one.locator('h2').inner_text().lower()} {one.locator('.ev-huge').inner_text()}"
        for one in numbers.all()
    )


def open_sample(hand: Hand) -> None:
    hand.click(hand.page.locator("a", has_text=SAMPLE).first)


def tab(page: Page, name: str) -> Locator:
    """That tab of the open datasource."""
    return page.locator("header nav").get_by_role("link", name=re.compile(f"^{name}")).first


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A task: clicks, fields typed into, seconds, and what was on the screen then, or what went wrong."""

    task: str
    clicks: int
    fields: int
    seconds: float
    then: str


def play(page: Page, folder: Path) -> list[Played]:
    """All five, with a picture of the end of each into the folder."""
    tasks: list[tuple[str, Callable[[Hand], str]]] = [
        ("Find the notice period that is in force", notice_in_force),
        ("Compare three vendors", lambda hand: compare_vendors(hand, folder)),
        ("Hand a colleague the proof", hand_over_proof),
        ("Measure it with ten questions", measure),
        ("Connect a local model", connect_model),  # last, for the others are played without one
    ]
    played = []
    for name, task in tasks:
        page.goto("/")
        hand = Hand(page)
        try:
            then = task(hand)
        except Exception as error:  # noqa: BLE001 (the other tasks are played all the same)
            then = f"not done: {str(error).splitlines()[0][:100]}"
        seconds = hand.seconds
        played.append(Played(task=name, clicks=hand.clicks, fields=hand.typed, seconds=seconds, then=then))
        page.screenshot(path=folder / f"{len(played)}-{name.split()[0].lower()}.png")
    return played

"""Takes the pictures of docs/screenshots from a running SVQ with the samples, and writes their table.

python -m tools.screenshots http://localhost:8000 EMAIL PASSWORD

The account is an administrator's, the datasource fresh. What the sample lacks is made first: answers, a note,
a table, runs over made questions, a check of a framework, a datasource that was deleted.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests import chromium

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "screenshots"
FLAGS = (
    "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-sync --disable-quic"
)
QUESTION = "How long are backups kept?"
NOWHERE = "What is the capital of Mongolia?"
COLUMNS = [
    ("Parties", "Who are the parties?"),
    ("Cap on liability", "What is the cap on liability?"),
    ("Notice", "What is the notice period?"),
]
PATIENCE = 600_000  # milliseconds that making something may take
LOOKS = {"": (1440, False), "-phone-dark": (390, True)}  # the end of a picture's name: width, dark
HOVER_CARD = "hover-card"

# Each screen's title, the name of its picture, and its address: {names} are filled in by `made`.
SCREENS = [
    ("Sign in", "sign-in", "/account/login/"),
    ("Home", "home", "/"),
    ("Documents", "documents", "/d/1/"),
    ("Ask", "new-chat", "/d/1/chat/"),
    ("Conversation", "conversation", "{answer}"),
    ("Hover card", HOVER_CARD, "{answer}"),
    ("Answer and source", "answer", "{answer}?turn=1&cite=1"),
    ("Nothing found", "nothing-found", "{nothing}"),
    ("Notebook", "notebook", "/d/1/notebook/"),
    ("Search", "search", "/d/1/search/?q=termination+charge"),
    ("Search from anywhere", "palette", "/d/1/"),
    ("Reader", "reader", "{document}?page=2&q=Go-Live+Date"),
    ("Passages", "chunks", "/d/1/chunks/"),
    ("Graph", "graph", "/d/1/graph/?entity={entity}"),
    ("Graph as a list", "graph-list", "/d/1/graph/?view=list"),
    ("Names to be judged", "graph-review", "/d/1/graph/review/"),
    ("Who reads for the graph", "graph-extraction", "/d/1/settings/graph/"),
    ("Map of documents", "document-map", "/d/1/graph/documents/"),
    ("Table", "table", "{table}"),
    ("Question set", "question-set", "{questions}"),
    ("Evaluation", "evaluation", "/d/1/evaluation/"),
    ("New run", "evaluation-new-run", "/d/1/evaluation/new/"),
    ("Checks", "gaps", "/d/1/gaps/"),
    ("Frameworks", "frameworks", "/frameworks/"),
    ("Settings of a datasource", "datasource-settings", "/d/1/settings/reading/"),
    ("Settings of an account", "account-settings", "/settings/"),
    ("API tokens", "api-tokens", "/settings/tokens/"),
    ("Connect a model", "models", "/models/?place=mistral"),
    ("Usage and cost", "usage", "/usage/"),
    ("Deletions", "deletions", "/deletions/"),
    ("A receipt", "receipt", "{receipt}"),
    ("Page not found", "not-found-page", "/nowhere/"),
]


def main(base: str, email: str, password: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    for picture in FOLDER.glob("*.png"):
        picture.unlink()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.path(), args=FLAGS.split())
        with looking(browser, base, "") as context:
            sign_in(context, email, password)
            addresses = made(context.new_page())
        for suffix in LOOKS:
            with looking(browser, base, suffix) as context:
                (_, entrance, address), *screens = SCREENS
                take(context.new_page(), address, entrance + suffix)
                sign_in(context, email, password)
                for _, name, path in screens:
                    if name != HOVER_CARD or not suffix:
                        take(context.new_page(), path.format(**addresses), name + suffix)
        browser.close()
    write_table()


def looking(browser: Browser, base: str, suffix: str) -> BrowserContext:
    width, dark = LOOKS[suffix]
    return browser.new_context(
        base_url=base,
        viewport={"width": width, "height": 900},
        color_scheme="dark" if dark else "light",
    )


def sign_in(context: BrowserContext, email: str, password: str) -> None:
    page = context.new_page()
    page.goto("/account/login/")
    page.fill("input[name=login]", email)
    page.fill("input[name=password]", password)
    page.keyboard.press("Enter")
    page.wait_for_url("/")
    page.close()


def take(page: Page, address: str, name: str) -> None:
    page.goto(address)
    if prepare := PREPARED.get(name.removesuffix("-phone-dark")):
        prepare(page)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(400)
    page.screenshot(path=FOLDER / f"{name}.png")
    page.close()


def write_table() -> None:
    rows = "".join(
        f"| {title} | ![]({name}.png) | "
        + ("a phone opens the sheet below" if name == HOVER_CARD else f"![]({name}-phone-dark.png)")
        + " |\n"
        for title, name, _ in SCREENS
    )
    (FOLDER / "README.md").write_text(
        "# Every screen\n\nTaken with the sample datasource by "
        "`python -m tools.screenshots ADDRESS EMAIL PASSWORD`, which also writes this table:\n"
        "in the light theme at 1,440 pixels, and in the dark one at 390.\n\n"
        f"| screen | light | phone, dark |\n|---|---|---|\n{rows}",
        encoding="utf-8",
    )


# --- what is done on a page before its picture is taken ---
def hover_over_a_citation(page: Page) -> None:
    chip = page.locator(".chip").first
    chip.scroll_into_view_if_needed()
    page.wait_for_timeout(500)  # a card closes when its chip is scrolled
    chip.hover()
    page.wait_for_selector("#hovercard img")


def search_from_anywhere(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.fill("#palette input", "credit")
    page.wait_for_selector("#palette-results a")


def wait_for_the_graph(page: Page) -> None:
    page.wait_for_selector("#canvas[data-ready=true]", timeout=30_000)


PREPARED: dict[str, Callable[[Page], None]] = {
    HOVER_CARD: hover_over_a_citation,
    "palette": search_from_anywhere,
    "graph": wait_for_the_graph,
}


# --- what is made first ---
def made(page: Page) -> dict[str, str]:
    """The addresses of what the screens show."""
    answer, nothing = ask(page, QUESTION), ask(page, NOWHERE)
    keep_a_note(page, answer)
    check_a_framework(page)
    return {
        "answer": answer,
        "nothing": nothing,
        "receipt": delete_a_datasource(page),
        "table": fill_a_table(page),
        "questions": evaluate(page),
        "document": find_document(page),
        "entity": find_entity(page),
    }


def ask(page: Page, question: str) -> str:
    """Ask in a new conversation; gives its address once the answer is complete."""
    page.goto("/d/1/chat/")
    page.fill("textarea", question)
    page.keyboard.press("Enter")
    page.wait_for_url("**/chat/*-*/**", timeout=30_000)
    page.wait_for_timeout(500)
    page.wait_for_selector("[aria-busy=true]", state="hidden", timeout=60_000)
    return page.url.split("?")[0]


def keep_a_note(page: Page, answer: str) -> None:
    page.goto(answer)
    page.get_by_role("button", name="Keep in the notebook").first.click()
    page.wait_for_load_state("networkidle")


def delete_a_datasource(page: Page) -> str:
    """Make one, delete it, and give the address of its receipt."""
    page.goto("/new/")
    page.fill("input[name=name]", "Old drafts")
    page.click("main button[type=submit], main button.pri")
    page.wait_for_url("**/d/*/**")
    page.goto(f"/d/{page.url.split('/d/')[1].split('/')[0]}/delete/")
    page.fill("#confirm-name", "Old drafts")
    page.keyboard.press("Enter")
    page.wait_for_url("**/deletions/*-*/")
    return page.url


def fill_a_table(page: Page) -> str:
    page.goto("/d/1/tables/new/")
    page.fill("#name", "What each document says")
    page.fill("#columns", "\n".join(f"{name}: {asked}" for name, asked in COLUMNS))
    for document in page.locator("input[name=document]").all():
        document.check()
    page.get_by_role("button", name="Make the table").last.click()
    page.wait_for_url(re.compile(r"/tables/\d+/"))
    page.get_by_role("button", name="Fill the table").click()
    page.wait_for_load_state("networkidle")
    until_done(page, "table")
    return page.url


def evaluate(page: Page) -> str:
    """Questions are made by rules and asked in two ways; gives the set's address."""
    page.goto("/d/1/evaluation/sets/")
    page.get_by_label("Name").fill("Contracts and reports")
    page.get_by_role("button", name="Make the set").click()
    page.wait_for_url(re.compile(r"/sets/\d+/"))
    questions = page.url
    until_done(page, "set")
    page.goto("/d/1/evaluation/new/")
    page.get_by_label("Meaning alone").check()
    page.get_by_role("button", name="Start").click()
    page.wait_for_url(re.compile("/evaluation/[?]run="))
    until_done(page, "run")
    return questions


def check_a_framework(page: Page) -> None:
    page.goto("/d/1/gaps/")
    page.get_by_role("button", name="Check these").click()
    page.wait_for_url(re.compile(r"/gaps/\?framework="))
    until_done(page, "check")


def until_done(page: Page, what: str) -> None:
    """Until no part of the page asks for itself again, as it does while it is being worked on."""
    following = page.locator('main [hx-trigger="every 2s"]')
    expect(following, f"the {what} is not done").to_have_count(0, timeout=PATIENCE)


def find_entity(page: Page) -> str:
    """The most mentioned one's id."""
    page.goto("/d/1/graph/?view=list")
    return page.locator("tbody [data-entity]").first.get_attribute("data-entity") or ""


def find_document(page: Page) -> str:
    """The address of the agreement, the longest of the samples."""
    page.goto("/d/1/?q=agreement")
    agreement = page.locator("a[href*='/documents/']", has_text="Master Services Agreement").first
    return (agreement.get_attribute("href") or "").split("?")[0]


if __name__ == "__main__":
    main(*sys.argv[1:])

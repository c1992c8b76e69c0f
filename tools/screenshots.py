"""Takes the pictures of docs/screenshots from a running SVQ with the sample datasource.

python tools/screenshots.py http://localhost:8000 EMAIL PASSWORD
"""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "screenshots"
FLAGS = (
    "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-sync --disable-quic"
)
QUESTION = "What happens if Waypoint goes live late?"
NOWHERE = "What is the capital of Mongolia?"
LOOKS = {"": (1440, "light"), "-dark": (1440, "dark"), "-phone": (390, "light"), "-phone-dark": (390, "dark")}
PAGES = {
    "home": "/",
    "documents": "/d/1/",
    "new-chat": "/d/1/chat/",
    "reader": "/d/1/documents/{document}/?page=2&q=Go-Live+Date",
    "chunks": "/d/1/chunks/?document={document}",
    "graph": "/d/1/graph/?entity={entity}",
    "graph-list": "/d/1/graph/?view=list",
    "graph-review": "/d/1/graph/review/",
    "graph-extraction": "/d/1/graph/extraction/",
    "document-map": "/d/1/graph/documents/?document={document}",
    "datasource-settings": "/d/1/settings/",
    "account-settings": "/settings/",
    "models": "/models/?place=mistral",
    "api-tokens": "/settings/tokens/",
    "deletions": "/deletions/",
    "evaluation": "/d/1/evaluation/",
    "evaluation-new-run": "/d/1/evaluation/new/",
    "question-sets": "/d/1/evaluation/sets/",
    "notebook": "/d/1/notebook/",
    "usage": "/usage/",
    "search": "/d/1/search/?q=termination+charge",
    "not-found-page": "/nowhere/",
}


def main(base: str, email: str, password: str) -> None:
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"), args=FLAGS.split()
        )
        answers: dict[str, str] = {}
        receipt = ""
        for suffix, (width, theme) in LOOKS.items():
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=theme)  # type: ignore[arg-type]
            page = context.new_page()
            page.goto(f"{base}/account/login/")
            shoot(page, f"sign-in{suffix}")
            page.fill("input[name=login]", email)
            page.fill("input[name=password]", password)
            page.keyboard.press("Enter")
            page.wait_for_url(f"{base}/")
            answers = answers or {
                "answer": ask(page, base, QUESTION),
                "nothing-found": ask(page, base, NOWHERE),
            }
            receipt = receipt or delete_a_datasource(page, base)
            document, entity = find_document(page, base), find_entity(page, base)
            for name, path in PAGES.items():
                page.goto(base + path.format(document=document, entity=entity))
                if name == "graph":
                    page.wait_for_selector("#canvas[data-ready=true]", timeout=30_000)
                shoot(page, name + suffix)
            page.goto(receipt)
            shoot(page, f"receipt{suffix}")
            page.goto(f"{base}/d/1/")
            page.keyboard.press("Control+k")
            page.fill("#palette input", "credit")
            page.wait_for_selector("#palette-results a")
            shoot(page, f"palette{suffix}")
            page.goto(answers["nothing-found"])
            shoot(page, f"nothing-found{suffix}")
            page.goto(answers["answer"])
            shoot(page, f"conversation{suffix}")
            if width > 760:
                page.hover(".chip >> nth=0")
                page.wait_for_selector("#hovercard img")
                shoot(page, f"hover-card{suffix}")
            page.goto(f"{answers['answer']}?turn=1&cite=1")
            shoot(page, f"answer{suffix}")
            context.close()
        browser.close()


def ask(page: Page, base: str, question: str) -> str:
    """Ask in a new conversation; gives its address once the answer is complete."""
    page.goto(f"{base}/d/1/chat/")
    page.fill("textarea", question)
    page.keyboard.press("Enter")
    page.wait_for_url("**/chat/*-*/**", timeout=30_000)
    page.wait_for_timeout(500)
    page.wait_for_selector("[aria-busy=true]", state="hidden", timeout=60_000)
    return page.url.split("?")[0]


def delete_a_datasource(page: Page, base: str) -> str:
    """Make one, delete it, and give the address of its receipt."""
    page.goto(f"{base}/new/")
    page.fill("input[name=name]", "Old drafts")
    page.click("main button[type=submit], main button.pri")
    page.wait_for_url("**/d/*/**")
    page.goto(f"{base}/d/{page.url.split('/d/')[1].split('/')[0]}/delete/")
    page.fill("#confirm-name", "Old drafts")
    page.keyboard.press("Enter")
    page.wait_for_url("**/deletions/*-*/")
    return page.url


def find_entity(page: Page, base: str) -> str:
    """The most mentioned one's id."""
    page.goto(f"{base}/d/1/graph/?view=list")
    return page.locator("tbody [data-entity]").first.get_attribute("data-entity") or ""


def find_document(page: Page, base: str) -> str:
    """The number of the agreement, the longest of the samples."""
    page.goto(f"{base}/d/1/?q=agreement")
    address = page.locator("a[href*='/documents/']").first.get_attribute("href") or ""
    return address.split("/documents/")[1].split("/")[0]


def shoot(page: Page, name: str) -> None:
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(400)
    page.screenshot(path=FOLDER / f"{name}.png")


if __name__ == "__main__":
    main(*sys.argv[1:])

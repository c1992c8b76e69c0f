"""The first minutes: from the sign-in to the page that proves an answer from a file of one's own."""

from pathlib import Path

from playwright.sync_api import Browser, Page

from tools.walk.hand import Camera
from tools.walk.installation import Installation

LOOKS = {
    "1440-light": (1440, 900, "light"),
    "1440-dark": (1440, 900, "dark"),
    "390-light": (390, 844, "light"),
    "390-dark": (390, 844, "dark"),
}
PHONE = 760  # narrower windows have no pointer to hover with


def record(browser: Browser, svq: Installation, folder: Path, file: Path, question: str) -> list[str]:
    """Walk once in each look, with pictures into a folder each; gives a line on each walk."""
    lines = []
    for name, (width, height, theme) in LOOKS.items():
        context = browser.new_context(
            base_url=svq.base,
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
        )
        camera = Camera(context.new_page(), folder / name)
        walk(camera, svq, _copy(file, name, folder), question, by_pointer=width > PHONE)
        lines.append(f"{name}: " + ", ".join(f"{step} {seconds:.1f} s" for step, seconds in camera.told))
        bring_back_first_page(camera.page)
        context.close()
    return lines


def walk(camera: Camera, svq: Installation, file: Path, question: str, *, by_pointer: bool) -> None:
    page = camera.page
    page.goto("/account/login/")
    camera.until("sign-in", lambda: page.locator("input[name=password]").is_visible())
    fill_in(page, svq)
    camera.until("first-page", lambda: page.locator(".f1 .chip").first.is_visible() and _are_drawn(page))
    with page.expect_file_chooser() as chosen:
        page.locator("[data-choose-files]").click()
    chosen.value.set_files(file)
    camera.until("now-yours", lambda: page.get_by_role("dialog", name="New datasource").is_visible())
    page.get_by_role("button", name="Make the datasource").click()
    camera.until("file-there", lambda: page.locator("[data-row]").count() > 0)
    camera.until("file-read", lambda: page.locator("[data-row] .pill.ok").count() > 0)
    page.goto(f"{page.url.split('?')[0]}chat/")
    page.locator("textarea").first.fill(question)
    page.keyboard.press("Enter")
    camera.until("answered", lambda: _is_answered(page))
    chip = page.locator("[data-turn] .chip").first
    if by_pointer:
        chip.hover()
        camera.until("hover", lambda: page.locator("#hovercard img").count() > 0 and _are_drawn(page))
    chip.click()
    camera.until(
        "page", lambda: page.locator("#pane .pg image, #pane .pg img").count() > 0 and _are_drawn(page)
    )


def sign_in(page: Page, svq: Installation) -> None:
    page.goto("/account/login/")
    fill_in(page, svq)
    page.wait_for_url("/")


def fill_in(page: Page, svq: Installation) -> None:
    """The form of the sign-in page."""
    page.fill("input[name=login]", svq.email)
    page.fill("input[name=password]", svq.password)
    page.keyboard.press("Enter")


def bring_back_first_page(page: Page) -> None:
    """For the next walk, as the account's settings do it."""
    page.goto("/settings/appearance/")
    page.locator("#first-page button").click()
    page.wait_for_load_state()


def _is_answered(page: Page) -> bool:
    return page.locator("[data-turn] .chip").count() > 0 and page.locator("[aria-busy=true]").count() == 0


def _are_drawn(page: Page) -> bool:
    """Whether all pictures on the page have arrived."""
    return bool(
        page.evaluate("[...document.images].every((each) => each.loading === 'lazy' || each.complete)")
    )


def _copy(file: Path, look: str, folder: Path) -> Path:
    """The file under a name of its own, for a file that is there already is not read again."""
    copy = folder / look / f"{file.stem} {look}{file.suffix}"
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_bytes(file.read_bytes())
    return copy

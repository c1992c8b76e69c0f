"""The hand of who walks: it clicks and types, and counts both."""

import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

PATIENCE = 120  # seconds that anything may take


class Hand:
    """One page; its clicks and the fields it has typed into since `begin`."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.begin()

    def begin(self) -> None:
        self.clicks, self.typed, self._since = 0, 0, time.monotonic()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._since

    def click(self, what: Locator) -> None:
        self.clicks += 1
        what.click(timeout=PATIENCE * 1000)

    def press(self, key: str) -> None:
        """A key that acts, such as Enter, counts as a click."""
        self.clicks += 1
        self.page.keyboard.press(key)

    def type(self, field: Locator, text: str) -> None:
        self.typed += 1
        field.fill(text, timeout=PATIENCE * 1000)

    def see(self, what: Locator) -> None:
        """Wait until it is there. Raises AssertionError after PATIENCE."""
        expect(what.first).to_be_visible(timeout=PATIENCE * 1000)


class Camera:
    """A picture a second, named by the second and by what happens then."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page, self.folder = page, folder
        folder.mkdir(parents=True, exist_ok=True)
        self._since, self.taken = time.monotonic(), 0
        self.told: list[tuple[str, float]] = []  # each step with the seconds that it took

    def until(self, step: str, is_done: Callable[[], bool]) -> None:
        """Take a picture each second until that is so, and one then. Raises TimeoutError after PATIENCE."""
        began, shot = time.monotonic(), 0
        while not is_done():
            if time.monotonic() - began > PATIENCE:
                self._shoot(f"{step}-never-done")
                raise TimeoutError(f"“{step}” was not done in {PATIENCE} s")
            if time.monotonic() - began >= shot:
                self._shoot(step)
                shot += 1
            self.page.wait_for_timeout(50)
        self.told.append((step, time.monotonic() - began))
        self.page.wait_for_timeout(150)  # what fades in is there
        self._shoot(f"{step}-done")

    def _shoot(self, name: str) -> None:
        self.taken += 1
        second = time.monotonic() - self._since
        self.page.screenshot(path=self.folder / f"{self.taken:02}-{second:05.1f}s-{name}.png")

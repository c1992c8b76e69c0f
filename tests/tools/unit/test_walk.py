"""The walk of the first minutes counts what a hand does, and its camera takes a picture a second."""

from pathlib import Path

import pytest

from tools.walk import hand
from tools.walk.hand import Camera, Hand


class Paper:
    """Stands for a page and for anything on it."""

    def __init__(self) -> None:
        self.keyboard, self.shots, self.now = self, 0, 0.0

    def press(self, key: str) -> None: ...
    def click(self, timeout: float) -> None: ...
    def fill(self, text: str, timeout: float) -> None: ...

    def screenshot(self, path: Path) -> None:
        self.shots += 1
        path.touch()

    def wait_for_timeout(self, milliseconds: float) -> None:
        self.now += milliseconds / 1000


@pytest.fixture
def paper(monkeypatch: pytest.MonkeyPatch) -> Paper:
    paper = Paper()
    monkeypatch.setattr(hand.time, "monotonic", lambda: paper.now)
    return paper


def test_clicks_and_keys_that_act_are_clicks_and_fields_are_counted_apart(paper: Paper) -> None:
    person = Hand(paper)  # type: ignore[arg-type]
    person.click(paper)  # type: ignore[arg-type]
    person.type(paper, "How much?")  # type: ignore[arg-type]
    person.press("Enter")
    paper.now += 7
    assert (person.clicks, person.typed, person.seconds) == (2, 1, 7)


def test_a_picture_is_taken_each_second_and_when_the_step_is_done(paper: Paper, tmp_path: Path) -> None:
    camera = Camera(paper, tmp_path)  # type: ignore[arg-type]
    camera.until("read", lambda: paper.now >= 2.5)
    assert [path.name[:2] for path in sorted(tmp_path.iterdir())] == ["01", "02", "03", "04"]
    assert sorted(tmp_path.iterdir())[-1].name.endswith("read-done.png")
    ((step, seconds),) = camera.told
    assert (step, round(seconds, 1)) == ("read", 2.5)
    with pytest.raises(TimeoutError, match="“never” was not done"):
        camera.until("never", lambda: False)

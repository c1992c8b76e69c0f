"""How often a process looks for garbage. It holds all threads meanwhile."""

import gc
from collections.abc import Iterator
from typing import Any

import django
import pytest

from svq_site.host.memory import load_apps

OF_A_PAGE = 5_000  # objects that are there at the same time


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Each time that garbage was looked for, once the apps are loaded."""
    before, seen = gc.get_threshold(), []

    def note(phase: str, _info: dict[str, Any]) -> None:
        seen.append(phase)

    monkeypatch.setattr(django, "setup", lambda: None)
    load_apps()
    gc.callbacks.append(note)
    yield seen
    gc.callbacks.remove(note)
    gc.set_threshold(*before)


def test_the_objects_of_a_page_are_made_without_a_look_for_garbage(looks: list[str]) -> None:
    gc.collect()
    looks.clear()
    kept = [[number] for number in range(OF_A_PAGE)]
    assert (len(kept), looks) == (OF_A_PAGE, [])


def test_garbage_is_looked_for_before_there_is_much(looks: list[str]) -> None:
    gc.collect()
    looks.clear()
    kept = [[number] for number in range(4 * OF_A_PAGE)]
    assert kept
    assert looks

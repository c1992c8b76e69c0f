"""The stage on which things happen, and the table of what was lost."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ingestion.lifecycle import uploads
from providers.embedders import embedder
from tests.conftest import in_folder, store_documents

if TYPE_CHECKING:
    from tests.faults.scenarios import Stage


@pytest.fixture
def make_stage(
    transactional_db: None, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[Callable[[], "Stage"]]:
    """Each has folders of its own, and ends with the test."""
    monkeypatch.setattr(uploads, "QUIET_SECONDS", 0)
    embedder()  # the other process finds the model ready
    numbers = count()
    with ExitStack() as cleanup:

        def make() -> "Stage":
            from tests.faults.scenarios import Stage  # which needs the desks

            folder = tmp_path / f"stage-{next(numbers)}"
            folder.mkdir()
            store_documents(settings, in_folder(folder / "documents"))
            settings.CACHE_DIR = folder / "cache"
            for name in ("LLM_BASE_URL", "EMBEDDING_BASE_URL"):
                setattr(settings, name, "")
            own = cleanup.enter_context(ExitStack())
            return Stage(settings=settings, monkeypatch=monkeypatch, folder=folder, cleanup=own)

        yield make


# Scenario, what happened, when, whether it happened in time, and what was wrong afterwards.
LOST: list[tuple[str, str, str, bool, list[str]]] = []


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The table of `make faults`."""
    if not LOST:
        return
    terminalreporter.section("what was lost")
    for scenario, what, when, struck, wrong in LOST:
        lost = "; ".join(wrong) if wrong else "nothing" if struck else "nothing (it was done before)"
        terminalreporter.write_line(f"{scenario:<14} {what:<22} {when:<48} {lost}")
    lost_by = sum(bool(wrong) for *_, wrong in LOST)
    terminalreporter.write_line(f"{len(LOST)} faults, {lost_by} that lost, doubled or left something")

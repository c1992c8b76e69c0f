"""Folders of repositories whose workers were killed."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from exchange.connectors.sources import held_folder
from exchange.connectors.sources.held_folder import HeldFolder, remove_left
from exchange.connectors.sources.repository import FOLDER, _entry


def test_a_folder_goes_with_the_process_that_held_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    code = (
        "import time; from exchange.connectors.sources.held_folder import HeldFolder\n"
        f"print(HeldFolder({FOLDER!r}).path, flush=True); time.sleep(60)"
    )
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    other: Any = subprocess.Popen([sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE)
    left = Path(other.stdout.readline().decode().strip())
    mine = HeldFolder(FOLDER)
    remove_left(FOLDER)
    assert left.exists(), "young ones may be about to be held"
    monkeypatch.setattr(held_folder, "YOUNG", -1)
    remove_left(FOLDER)
    assert left.exists()
    other.send_signal(signal.SIGKILL)
    other.communicate()
    remove_left(FOLDER)
    assert not left.exists()
    assert mine.path.exists(), "whoever lives keeps theirs"
    mine.remove()
    assert not mine.path.exists()


def test_names_with_control_characters_are_refused_and_shown_without() -> None:
    entry = _entry(b"notes/le\nase\x1b[2J.txt", "1")
    assert entry.path == "notes/le\ufffdase\ufffd[2J.txt"
    assert "control characters" in entry.refusal
    assert _entry("notes/Verträge.txt".encode(), "1").refusal == ""

"""A file that two make at the same time: nobody's open copy is taken away, and nothing is left over."""

import os
from pathlib import Path

import pytest

from formats.base.made_once import made_once


def test_the_first_of_two_stays(tmp_path: Path) -> None:
    path = tmp_path / "derived" / "rendition.pdf"
    seen: list[os.stat_result] = []

    def overtaken() -> bytes:
        made_once(path, lambda: b"first")
        seen.append(path.stat())
        return b"second"

    made_once(path, overtaken)
    # A confined reader may open that very file and no other one in its place.
    assert (path.read_bytes(), path.stat().st_ino) == (b"first", seen[0].st_ino)
    assert list(path.parent.iterdir()) == [path]


def test_a_failure_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(os, "link", full)
    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        made_once(tmp_path / "a.pdf", lambda: b"content")
    assert not list(tmp_path.iterdir())


def test_file_systems_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    assert made_once(tmp_path / "a.pdf", lambda: b"content").read_bytes() == b"content"
    assert [path.name for path in tmp_path.iterdir()] == ["a.pdf"]

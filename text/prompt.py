"""Prompts live in Markdown files with named holes, `{{name}}`; this fills the holes."""

from __future__ import annotations

import re
from pathlib import Path

_HOLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def render(path: Path, **values: str | int) -> str:
    """The text of the file at `path` with every hole filled.

    Values are inserted as they are: a hole inside a value stays text, so no value can pull in another.
    Raises ValueError when the file has a hole without a value, or a value has no hole.
    """
    text = path.read_text(encoding="utf-8")
    holes = set(_HOLE.findall(text))
    if missing := sorted(holes - values.keys()):
        raise ValueError(f"{path.name} has holes without a value: {', '.join(missing)}")
    if unused := sorted(values.keys() - holes):
        raise ValueError(f"{path.name} has no hole for: {', '.join(unused)}")
    return _HOLE.sub(lambda hole: str(values[hole[1]]), text)

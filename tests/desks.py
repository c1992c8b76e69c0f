"""With SVQ_LEAVE_OUT, the tests of desks that are left out are so too: those in their folders, and those that
import them, also through what tests share.
"""

import ast
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

WITH_ALL = pytest.mark.skipif(bool(settings.LEFT_OUT), reason="a desk is left out")
ROOT = Path(__file__).resolve().parent.parent


def needs(path: Path, desks: Collection[str]) -> bool:
    """Whether a test file, or a folder of them, is about one of the desks."""
    if path.is_dir():
        return path.parent == ROOT / "tests" and path.name in desks
    return path.suffix == ".py" and bool(set(desks) & _reached(path))


@cache
def _reached(path: Path) -> frozenset[str]:
    """The top folders whose modules it imports, itself or through modules of the tests."""
    found: set[str] = set()
    seen: set[Path] = set()
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file in seen or not file.exists():
            continue
        seen.add(file)
        for name in _imported(file):
            found.add(name.partition(".")[0])
            if name.startswith("tests."):
                waiting.append(ROOT.joinpath(*name.split(".")).with_suffix(".py"))
    return frozenset(found)


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
